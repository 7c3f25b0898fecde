; WANT: bad
define <16 x i8> @src(ptr %p) {
  %v = load <16 x i8>, ptr %p, align 16
  ret <16 x i8> %v
}
define <16 x i8> @tgt(ptr %p) {
  %v = load <4 x i32>, ptr %p, align 16
  %b = bitcast <4 x i32> %v to <16 x i8>
  ret <16 x i8> %b
}
