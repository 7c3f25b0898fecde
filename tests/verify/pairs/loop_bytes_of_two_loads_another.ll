; WANT: bad, unknown: was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %p, ptr noalias %q) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %pi = getelementptr inbounds i8, ptr %p, i64 %i
  %pj = getelementptr inbounds i8, ptr %pi, i64 1
  %a = load <4 x i8>, ptr %pi, align 1
  %c = load <4 x i8>, ptr %pj, align 1
  %r = add <4 x i8> %a, %c
  %qi = getelementptr inbounds i8, ptr %q, i64 %i
  store <4 x i8> %r, ptr %qi, align 1
  %n = add nuw i64 %i, 4
  %e = icmp eq i64 %n, 64
  br i1 %e, label %exit, label %loop

exit:
  ret void
}

define void @tgt(ptr noalias %p, ptr noalias %q) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %pi = getelementptr inbounds i8, ptr %p, i64 %i
  %pj = getelementptr inbounds i8, ptr %pi, i64 1
  %a = load <4 x i8>, ptr %pi, align 1
  %c = load <4 x i8>, ptr %pj, align 1
  %fa = freeze <4 x i8> %a
  %fc = freeze <4 x i8> %c
  %x = shufflevector <4 x i8> %fa, <4 x i8> %fc, <4 x i32> <i32 0, i32 1, i32 6, i32 6>
  %y = shufflevector <4 x i8> %fa, <4 x i8> %fc, <4 x i32> <i32 1, i32 2, i32 6, i32 7>
  %r = add <4 x i8> %x, %y
  %qi = getelementptr inbounds i8, ptr %q, i64 %i
  store <4 x i8> %r, ptr %qi, align 1
  %n = add nuw i64 %i, 4
  %e = icmp eq i64 %n, 64
  br i1 %e, label %exit, label %loop

exit:
  ret void
}
