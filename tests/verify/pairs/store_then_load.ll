; WANT: ok
define <4 x i32> @src(<4 x i32> noundef %a, ptr noalias %o) {
  store <4 x i32> %a, ptr %o, align 16
  %v = load <4 x i32>, ptr %o, align 16
  ret <4 x i32> %v
}
define <4 x i32> @tgt(<4 x i32> noundef %a, ptr noalias %o) {
  store <4 x i32> %a, ptr %o, align 16
  ret <4 x i32> %a
}
