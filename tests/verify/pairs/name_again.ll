; WANT: bad, unknown: %out: %a of 'ret' was not shown to stay what it is
define <8 x i8> @src(ptr noalias noundef %p, ptr noalias noundef %q, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %pa = getelementptr i8, ptr %p, i64 %i
  %a = load <8 x i8>, ptr %pa, align 1
  %pb = getelementptr i8, ptr %pa, i64 8
  %b = load <8 x i8>, ptr %pb, align 1
  %c = add <8 x i8> %a, %b
  %qa = getelementptr i8, ptr %q, i64 %i
  store <8 x i8> %c, ptr %qa, align 1
  %i1 = add i64 %i, 8
  %t = icmp eq i64 %i1, %n
  br i1 %t, label %out, label %loop
out:
  ret <8 x i8> %a
}
define <8 x i8> @tgt(ptr noalias noundef %p, ptr noalias noundef %q, i64 noundef %n) {
entry:
  %isel.again.1 = add <8 x i8> splat (i8 1), splat (i8 2)
  %a0 = load <8 x i8>, ptr %p, align 1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %a = phi <8 x i8> [ %a0, %entry ], [ %b, %loop ]
  %pa = getelementptr i8, ptr %p, i64 %i
  %pb = getelementptr i8, ptr %pa, i64 8
  %b = load <8 x i8>, ptr %pb, align 1
  %c = add <8 x i8> %a, %b
  %qa = getelementptr i8, ptr %q, i64 %i
  store <8 x i8> %c, ptr %qa, align 1
  %i1 = add i64 %i, 8
  %t = icmp eq i64 %i1, %n
  br i1 %t, label %out, label %loop
out:
  ret <8 x i8> %isel.again.1
}
