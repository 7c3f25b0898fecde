; WANT: bad, unknown: accesses bytes
%S = type { i16, i8 }
%T = type { i16, i16, i16 }
define i16 @src(ptr %p) {
  %q = getelementptr %S, ptr %p, i64 1
  %r = load i16, ptr %q, align 2
  ret i16 %r
}
define i16 @tgt(ptr %p) {
  %q = getelementptr %T, ptr %p, i64 1
  %r = load i16, ptr %q, align 2
  ret i16 %r
}
