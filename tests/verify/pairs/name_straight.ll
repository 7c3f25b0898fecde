; WANT: bad, unknown: %out: %isel.straight.5 of 'ret' was not shown to stay what it is
define <2 x i8> @src(ptr noalias noundef %p, ptr noalias noundef %q, <2 x i8> noundef %z) {
entry:
  %isel.straight.5 = add <2 x i8> %z, splat (i8 1)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %x = load i8, ptr %a, align 1
  %b = getelementptr i8, ptr %q, i64 %i
  store i8 %x, ptr %b, align 1
  %i1 = add i64 %i, 1
  %t = icmp eq i64 %i1, 2
  br i1 %t, label %out, label %loop
out:
  ret <2 x i8> %isel.straight.5
}
define <2 x i8> @tgt(ptr noalias noundef %p, ptr noalias noundef %q, <2 x i8> noundef %z) {
entry:
  %zz = add <2 x i8> %z, splat (i8 1)
  br label %loop
loop:
  %x = load <2 x i8>, ptr %p, align 1
  store <2 x i8> %x, ptr %q, align 1
  br label %out
out:
  ret <2 x i8> %x
}
