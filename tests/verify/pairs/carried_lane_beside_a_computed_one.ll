; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %p, ptr noalias %q, i16 %k, i64 %n) {
entry:
  %first = load i16, ptr %p, align 2
  %k0 = insertelement <2 x i16> poison, i16 %k, i64 1
  %v0 = insertelement <2 x i16> %k0, i16 %first, i64 0
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %c = phi <2 x i16> [ %v0, %entry ], [ %w, %loop ]
  %i1 = add i64 %i, 1
  %a = getelementptr i16, ptr %p, i64 %i1
  %l = load i16, ptr %a, align 2
  %r = add <2 x i16> %c, %c
  %w = insertelement <2 x i16> %r, i16 %l, i64 0
  %o = getelementptr i16, ptr %q, i64 %i
  store <2 x i16> %r, ptr %o, align 2
  %done = icmp eq i64 %i1, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

define void @tgt(ptr noalias %p, ptr noalias %q, i16 %k, i64 %n) {
entry:
  %first = load i16, ptr %p, align 2
  %k0 = insertelement <2 x i16> poison, i16 %k, i64 1
  %v0 = insertelement <2 x i16> %k0, i16 %first, i64 0
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %c = phi <2 x i16> [ %v0, %entry ], [ %w, %loop ]
  %i1 = add i64 %i, 1
  %a = getelementptr i16, ptr %p, i64 %i1
  %l = load i16, ptr %a, align 2
  %r = shl <2 x i16> %c, splat (i16 1)
  %w = insertelement <2 x i16> %r, i16 %l, i64 0
  %o = getelementptr i16, ptr %q, i64 %i
  store <2 x i16> %r, ptr %o, align 2
  %done = icmp eq i64 %i1, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
