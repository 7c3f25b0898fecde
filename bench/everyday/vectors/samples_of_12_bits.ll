; arm neoverse-v1 -sve,-sve2: 12 bytes as 8 samples of 12 bits each
target triple = "aarch64-linux-gnu"

define void @src(ptr noalias %a, ptr noalias %o) {
  %x = load <12 x i8>, ptr %a, align 1, !noundef !0
  %b0 = shufflevector <12 x i8> %x, <12 x i8> poison, <4 x i32> <i32 0, i32 3, i32 6, i32 9>
  %w0 = zext <4 x i8> %b0 to <4 x i16>
  %b1 = shufflevector <12 x i8> %x, <12 x i8> poison, <4 x i32> <i32 1, i32 4, i32 7, i32 10>
  %w1 = zext <4 x i8> %b1 to <4 x i16>
  %b2 = shufflevector <12 x i8> %x, <12 x i8> poison, <4 x i32> <i32 2, i32 5, i32 8, i32 11>
  %w2 = zext <4 x i8> %b2 to <4 x i16>
  %nibble = and <4 x i16> %w1, splat (i16 15)
  %high = shl <4 x i16> %nibble, splat (i16 8)
  %even = or <4 x i16> %w0, %high
  %low = lshr <4 x i16> %w1, splat (i16 4)
  %up = shl <4 x i16> %w2, splat (i16 4)
  %odd = or <4 x i16> %low, %up
  %r = shufflevector <4 x i16> %even, <4 x i16> %odd, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x i16> %r, ptr %o, align 2
  ret void
}

define void @tgt(ptr noalias %a, ptr noalias %o) {
  %x = load <12 x i8>, ptr %a, align 1, !noundef !0
  %p = shufflevector <12 x i8> %x, <12 x i8> poison, <16 x i32> <i32 0, i32 1, i32 1, i32 2, i32 3, i32 4, i32 4, i32 5, i32 6, i32 7, i32 7, i32 8, i32 9, i32 10, i32 10, i32 11>
  %w = bitcast <16 x i8> %p to <8 x i16>
  %s = lshr <8 x i16> %w, <i16 0, i16 4, i16 0, i16 4, i16 0, i16 4, i16 0, i16 4>
  %r = and <8 x i16> %s, splat (i16 4095)
  store <8 x i16> %r, ptr %o, align 2
  ret void
}

!0 = !{}
