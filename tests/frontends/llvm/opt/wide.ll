; a window wider than a register is cut into registers and joined again
target triple = "x86_64-pc-linux-gnu"

define void @wide(ptr %p, ptr %q, ptr %o) {
  %a = load <32 x i8>, ptr %p, align 32
  %b = load <32 x i8>, ptr %q, align 32
  %za = zext <32 x i8> %a to <32 x i16>
  %zb = zext <32 x i8> %b to <32 x i16>
  %s = add nuw nsw <32 x i16> %za, %zb
  %s1 = add nuw nsw <32 x i16> %s, splat (i16 1)
  %h = lshr <32 x i16> %s1, splat (i16 1)
  %r = trunc <32 x i16> %h to <32 x i8>
  store <32 x i8> %r, ptr %o, align 32
  ret void
}
