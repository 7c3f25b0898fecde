; WANT: ok
define void @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  %a = load i8, ptr %p, align 1
  %b = load i8, ptr %q, align 1
  store i8 %b, ptr %p, align 1
  store i8 %a, ptr %q, align 1
  ret void
}
define void @tgt(ptr %p) {
  %v = load <2 x i8>, ptr %p, align 1
  %s = shufflevector <2 x i8> %v, <2 x i8> poison, <2 x i32> <i32 1, i32 0>
  store <2 x i8> %s, ptr %p, align 1
  ret void
}
