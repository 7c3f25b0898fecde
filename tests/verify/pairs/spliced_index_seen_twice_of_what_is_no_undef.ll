; WANT: ok
; an index that is not undef is looked at twice, which the source does not do
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %p, ptr noalias %q, i64 %n, i64 noundef %x) {
entry:
  %z = mul i64 %x, 0
  %zz = sub i64 %x, %x
  %first = load i8, ptr %p, align 1
  %v0 = insertelement <16 x i8> poison, i8 %first, i64 15
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <16 x i8> [ %v0, %entry ], [ %l, %loop ]
  %i1 = or disjoint i64 %i, 1
  %a0 = getelementptr i8, ptr %p, i64 %i1
  %a = getelementptr i8, ptr %a0, i64 %z
  %l = load <16 x i8>, ptr %a, align 1
  %s = shufflevector <16 x i8> %c, <16 x i8> %l, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %r = sub <16 x i8> %l, %s
  %o = getelementptr i8, ptr %q, i64 %i
  store <16 x i8> %r, ptr %o, align 1
  %next = add nuw i64 %i, 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

define void @tgt(ptr noalias %p, ptr noalias %q, i64 %n, i64 noundef %x) {
entry:
  %z = mul i64 %x, 0
  %zz = sub i64 %x, %x
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %i1 = or disjoint i64 %i, 1
  %a0 = getelementptr i8, ptr %p, i64 %i1
  %a = getelementptr i8, ptr %a0, i64 %z
  %l = load <16 x i8>, ptr %a, align 1
  %at0 = getelementptr i8, ptr %p, i64 %i
  %s.at = getelementptr i8, ptr %at0, i64 %zz
  %s = load <16 x i8>, ptr %s.at, align 1
  %r = sub <16 x i8> %l, %s
  %o = getelementptr i8, ptr %q, i64 %i
  store <16 x i8> %r, ptr %o, align 1
  %next = add nuw i64 %i, 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

