; WANT: ok
define void @src(ptr noalias %a, ptr noalias %c, i64 %m) {
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %n, %loop ]
  %p = getelementptr i8, ptr %a, i64 %k
  %q = getelementptr i8, ptr %c, i64 %k
  %x = load <4 x i8>, ptr %q, align 1
  %q1 = getelementptr i8, ptr %q, i64 4
  %y = load <4 x i8>, ptr %q1, align 1
  store <4 x i8> %x, ptr %p, align 1
  %p1 = getelementptr i8, ptr %p, i64 4
  %d = udiv i64 %m, %k
  store <4 x i8> %y, ptr %p1, align 1
  %n = add i64 %k, 8
  %go = icmp ult i64 %n, %m
  br i1 %go, label %loop, label %out
out:
  ret void
}
define void @tgt(ptr noalias %a, ptr noalias %c, i64 %m) {
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %n, %loop ]
  %p = getelementptr i8, ptr %a, i64 %k
  %q = getelementptr i8, ptr %c, i64 %k
  %x = load <4 x i8>, ptr %q, align 1
  %q1 = getelementptr i8, ptr %q, i64 4
  %y = load <4 x i8>, ptr %q1, align 1
  %b = shufflevector <4 x i8> %x, <4 x i8> %y, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x i8> %b, ptr %p, align 1
  %n = add i64 %k, 8
  %go = icmp ult i64 %n, %m
  br i1 %go, label %loop, label %out
out:
  ret void
}
