; x86 znver3 256
define <32 x i8> @bytes_shifted_by_three(<32 x i8> %x, <32 x i8> %y) {
  %r = lshr <32 x i8> %x, splat (i8 3)
  %q = xor <32 x i8> %r, %y
  ret <32 x i8> %q
}
; found %q
; found     nothing: no program found
