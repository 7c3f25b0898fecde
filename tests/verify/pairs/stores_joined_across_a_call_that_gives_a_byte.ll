; WANT: bad, unknown: was not shown to stay what it is
target triple = "x86_64-pc-linux-gnu"
declare i8 @f(ptr)

define void @src(ptr noalias %o, ptr %q, i64 %i, i8 %x, i8 %y) {
  %p = getelementptr i8, ptr %o, i64 %i
  %p1 = getelementptr i8, ptr %p, i64 1
  store i8 %x, ptr %p, align 1
  %z = call i8 @f(ptr %q)
  store i8 %y, ptr %p1, align 1
  ret void
}

define void @tgt(ptr noalias %o, ptr %q, i64 %i, i8 %x, i8 %y) {
  %p = getelementptr i8, ptr %o, i64 %i
  %v0 = insertelement <2 x i8> poison, i8 %x, i64 0
  %v = insertelement <2 x i8> %v0, i8 %y, i64 1
  %z = call i8 @f(ptr %q)
  store <2 x i8> %v, ptr %p, align 1
  ret void
}
