; WANT: ok
define void @src(ptr noalias %q, i1 noundef %g, i8 %x) {
entry:
  br i1 %g, label %a, label %b
a:
  %f = freeze i8 %x
  store i8 0, ptr %q, align 1
  br label %b
b:
  %m = phi i8 [ %f, %a ], [ 7, %entry ]
  %r = add i8 %m, 0
  store i8 %r, ptr %q, align 1
  ret void
}
define void @tgt(ptr noalias %q, i1 noundef %g, i8 %x) {
entry:
  %f = freeze i8 %x
  br i1 %g, label %a, label %b
a:
  store i8 0, ptr %q, align 1
  br label %b
b:
  %m = phi i8 [ %f, %a ], [ 7, %entry ]
  %r = add i8 %m, 0
  store i8 %r, ptr %q, align 1
  ret void
}
