; WANT: ok
; vpermd of 256 bits is an instruction of AVX2, and with another name of AVX-512.
target triple = "x86_64-pc-linux-gnu"

declare <8 x i32> @llvm.x86.avx2.permd(<8 x i32>, <8 x i32>) #1

define <8 x i32> @src(<8 x i32> noundef %a) #0 {
  %r = shufflevector <8 x i32> %a, <8 x i32> poison, <8 x i32> <i32 7, i32 0, i32 6, i32 1, i32 5, i32 2, i32 4, i32 3>
  ret <8 x i32> %r
}

define <8 x i32> @tgt(<8 x i32> noundef %a) #0 {
  %r = call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %a, <8 x i32> <i32 7, i32 0, i32 6, i32 1, i32 5, i32 2, i32 4, i32 3>)
  ret <8 x i32> %r
}

attributes #0 = { "target-cpu"="haswell" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none) }
