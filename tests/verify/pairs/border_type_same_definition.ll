; WANT: ok
%S = type { i16, { i32, %U } }
%T = type { i16, { i32, %U } }
%U = type { i8 }
define float @src(ptr %p) {
  %q = getelementptr %S, ptr %p, i64 1
  %r = load float, ptr %q, align 2
  ret float %r
}
define float @tgt(ptr %p) {
  %q = getelementptr %T, ptr %p, i64 1
  %r = load float, ptr %q, align 2
  ret float %r
}
