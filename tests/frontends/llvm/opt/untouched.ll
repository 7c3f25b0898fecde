; code that windows do not understand is left alone
target triple = "x86_64-pc-linux-gnu"

%pair = type { <4 x float>, i32 }

define <4 x float> @floats(<4 x float> %a, <4 x float> %b) {
  %s = fadd fast <4 x float> %a, %b
  %c = fcmp olt <4 x float> %s, %a
  %r = select <4 x i1> %c, <4 x float> %s, <4 x float> %b
  ret <4 x float> %r
}

define <vscale x 4 x i32> @scalable(<vscale x 4 x i32> %a) {
  %r = add <vscale x 4 x i32> %a, %a
  ret <vscale x 4 x i32> %r
}

define i32 @scalars(i32 %a, ptr %p) {
  %l = load atomic i32, ptr %p seq_cst, align 4
  %q = sdiv i32 %l, %a
  switch i32 %q, label %other [
    i32 0, label %zero
    i32 1, label %other
  ]

zero:
  %v = insertvalue %pair undef, i32 %q, 1
  %w = extractvalue %pair %v, 1
  ret i32 %w

other:
  %x = call i32 asm "bswap $0", "=r,r,~{dirflag},~{fpsr},~{flags}"(i32 %q)
  ret i32 %x
}

define <16 x i8> @asleep(<16 x i8> %a, <16 x i8> %b) #0 {
  %za = zext <16 x i8> %a to <16 x i16>
  %zb = zext <16 x i8> %b to <16 x i16>
  %s = add nuw nsw <16 x i16> %za, %zb
  %s1 = add nuw nsw <16 x i16> %s, splat (i16 1)
  %h = lshr <16 x i16> %s1, splat (i16 1)
  %r = trunc <16 x i16> %h to <16 x i8>
  ret <16 x i8> %r
}

attributes #0 = { noinline optnone }
