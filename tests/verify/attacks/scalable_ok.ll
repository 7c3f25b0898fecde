; WANT: ok
define <vscale x 2 x i32> @src(<vscale x 2 x i32> %x) {
  %a = add <vscale x 2 x i32> %x, zeroinitializer
  ret <vscale x 2 x i32> %a
}
define <vscale x 2 x i32> @tgt(<vscale x 2 x i32> %x) {
  ret <vscale x 2 x i32> %x
}
