; WANT: bad, unknown: not shown to be equal
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  %first = load i16, ptr %p, align 2
  %v0 = insertelement <8 x i16> poison, i16 %first, i64 7
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <8 x i16> [ %v0, %entry ], [ %l, %loop ]
  %i1 = or disjoint i64 %i, 1
  %a = getelementptr i16, ptr %p, i64 %i1
  %l = load <8 x i16>, ptr %a, align 2
  %s = shufflevector <8 x i16> %c, <8 x i16> %l, <8 x i32> <i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14>
  %r = sub <8 x i16> %l, %s
  %o = getelementptr i16, ptr %q, i64 %i
  store <8 x i16> %r, ptr %o, align 2
  %next = add nuw i64 %i, 8
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
  %i1 = or disjoint i64 %i, 1
  %a = getelementptr i16, ptr %p, i64 %i1
  %l = load <8 x i16>, ptr %a, align 2
  %s.at = getelementptr i8, ptr %a, i64 -1
  %s = load <8 x i16>, ptr %s.at, align 1
  %r = sub <8 x i16> %l, %s
  %o = getelementptr i16, ptr %q, i64 %i
  store <8 x i16> %r, ptr %o, align 2
  %next = add nuw i64 %i, 8
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
