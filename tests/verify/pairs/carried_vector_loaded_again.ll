; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  %v.at = getelementptr i8, ptr %p, i64 -15
  %v0 = load <16 x i8>, ptr %v.at, align 1
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <16 x i8> [ %v0, %entry ], [ %l, %loop ]
  %i1 = or disjoint i64 %i, 1
  %a = getelementptr i8, ptr %p, i64 %i1
  %l = load <16 x i8>, ptr %a, align 1
  %r = sub <16 x i8> %l, %c
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
  %i1 = or disjoint i64 %i, 1
  %a = getelementptr i8, ptr %p, i64 %i1
  %l = load <16 x i8>, ptr %a, align 1
  %s.at = getelementptr i8, ptr %a, i64 -16
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
