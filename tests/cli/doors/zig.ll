; ModuleID = 'BitcodeBuffer'
source_filename = "halve"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux6.18.44-gnu2.36.0"

@halve = alias void (ptr, ptr), ptr @halve.halve

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable
define private void @halve.halve(ptr nonnull %0, ptr nonnull readonly captures(none) %1) unnamed_addr #0 {
  %.sroa.0.0.copyload = load <64 x i8>, ptr %1, align 1
  %3 = zext <64 x i8> %.sroa.0.0.copyload to <64 x i16>
  %.sroa.01.0.copyload = load <64 x i8>, ptr %0, align 1
  %4 = zext <64 x i8> %.sroa.01.0.copyload to <64 x i16>
  %5 = add nuw nsw <64 x i16> %4, %3
  %6 = lshr <64 x i16> %5, splat (i16 1)
  %7 = trunc nuw <64 x i16> %6 to <64 x i8>
  %8 = shufflevector <64 x i8> %7, <64 x i8> poison, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <32 x i8> %8, ptr %0, align 1
  %.sroa.33.0..sroa_idx = getelementptr inbounds nuw i8, ptr %0, i64 32
  %9 = shufflevector <64 x i8> %7, <64 x i8> poison, <32 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  store <32 x i8> %9, ptr %.sroa.33.0..sroa_idx, align 1
  ret void
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable "frame-pointer"="all" "target-cpu"="haswell" "target-features"="+64bit,+allow-light-256-bit,+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+ermsb,+f16c,+false-deps-lzcnt-tzcnt,+false-deps-popcnt,+fast-15bytenop,+fast-scalar-fsqrt,+fast-shld-rotate,+fast-variable-crosslane-shuffle,+fast-variable-perlane-shuffle,+fma,+fsgsbase,+fxsr,+idivq-to-divl,+invpcid,+lzcnt,+macrofusion,+mmx,+movbe,+no-bypass-delay-mov,+no-bypass-delay-shuffle,+nopl,+pclmul,+popcnt,+rdrnd,+sahf,+slow-3ops-lea,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+vzeroupper,+x87,+xsave,+xsaveopt,-16bit-mode,-32bit-mode,-adx,-aes,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx10.1,-avx10.2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-egpr,-enqcmd,-false-deps-getmant,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-range,-fast-11bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-shift-masks,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma4,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-pad-short-functions,-pconfig,-pku,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-incdec,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-soft-float,-sse4a,-sse-unaligned-mem,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsavec,-xsaves,-zu" }

!llvm.module.flags = !{}
