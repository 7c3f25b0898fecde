; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  %f0 = load i8, ptr %p, align 1
  %p1 = getelementptr i8, ptr %p, i64 1
  %f1 = load i8, ptr %p1, align 1
  %v0 = insertelement <16 x i8> poison, i8 %f1, i64 15
  %w0 = insertelement <16 x i8> poison, i8 %f0, i64 15
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <16 x i8> [ %v0, %entry ], [ %l, %loop ]
  %d = phi <16 x i8> [ %w0, %entry ], [ %s1, %loop ]
  %i2 = add nuw i64 %i, 2
  %a = getelementptr i8, ptr %p, i64 %i2
  %l = load <16 x i8>, ptr %a, align 1
  %s1 = shufflevector <16 x i8> %c, <16 x i8> %l, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %s2 = shufflevector <16 x i8> %d, <16 x i8> %s1, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %s = xor <16 x i8> %s1, %s2
  %r = sub <16 x i8> %l, %s
  %o = getelementptr i8, ptr %q, i64 %i
  store <16 x i8> %r, ptr %o, align 1
  %next = add nuw i64 %i, 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

define void @tgt(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %i2 = add nuw i64 %i, 2
  %a = getelementptr i8, ptr %p, i64 %i2
  %l = load <16 x i8>, ptr %a, align 1
  %s1.at = getelementptr i8, ptr %a, i64 -1
  %s1 = load <16 x i8>, ptr %s1.at, align 1
  %s2.at = getelementptr i8, ptr %a, i64 -2
  %s2 = load <16 x i8>, ptr %s2.at, align 1
  %s = xor <16 x i8> %s1, %s2
  %r = sub <16 x i8> %l, %s
  %o = getelementptr i8, ptr %q, i64 %i
  store <16 x i8> %r, ptr %o, align 1
  %next = add nuw i64 %i, 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
