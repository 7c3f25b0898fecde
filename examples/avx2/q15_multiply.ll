source_filename = "q15_multiply.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define void @q15_multiply(ptr noalias noundef writeonly captures(none) %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef readonly captures(none) %2, i64 noundef %3) local_unnamed_addr #0 {
  %5 = icmp eq i64 %3, 0
  br i1 %5, label %54, label %6

6:                                                ; preds = %4
  %7 = icmp ult i64 %3, 4
  br i1 %7, label %52, label %8

8:                                                ; preds = %6
  %9 = icmp ult i64 %3, 16
  br i1 %9, label %32, label %10

10:                                               ; preds = %8
  %11 = and i64 %3, 12
  %12 = and i64 %3, -16
  br label %13

13:                                               ; preds = %13, %10
  %14 = phi i64 [ 0, %10 ], [ %26, %13 ]
  %15 = getelementptr inbounds nuw i16, ptr %1, i64 %14
  %16 = load <16 x i16>, ptr %15, align 2, !tbaa !10
  %17 = sext <16 x i16> %16 to <16 x i32>
  %18 = getelementptr inbounds nuw i16, ptr %2, i64 %14
  %19 = load <16 x i16>, ptr %18, align 2, !tbaa !10
  %20 = sext <16 x i16> %19 to <16 x i32>
  %21 = mul nsw <16 x i32> %20, %17
  %22 = add nsw <16 x i32> %21, splat (i32 16384)
  %23 = lshr <16 x i32> %22, splat (i32 15)
  %24 = trunc <16 x i32> %23 to <16 x i16>
  %25 = getelementptr inbounds nuw i16, ptr %0, i64 %14
  store <16 x i16> %24, ptr %25, align 2, !tbaa !10
  %26 = add nuw i64 %14, 16
  %27 = icmp eq i64 %26, %12
  br i1 %27, label %28, label %13, !llvm.loop !12

28:                                               ; preds = %13
  %29 = icmp eq i64 %3, %12
  br i1 %29, label %54, label %30

30:                                               ; preds = %28
  %31 = icmp eq i64 %11, 0
  br i1 %31, label %52, label %32, !prof !17

32:                                               ; preds = %8, %30
  %33 = phi i64 [ %12, %30 ], [ 0, %8 ]
  %34 = and i64 %3, -4
  br label %35

35:                                               ; preds = %35, %32
  %36 = phi i64 [ %33, %32 ], [ %48, %35 ]
  %37 = getelementptr inbounds nuw i16, ptr %1, i64 %36
  %38 = load <4 x i16>, ptr %37, align 2, !tbaa !10
  %39 = sext <4 x i16> %38 to <4 x i32>
  %40 = getelementptr inbounds nuw i16, ptr %2, i64 %36
  %41 = load <4 x i16>, ptr %40, align 2, !tbaa !10
  %42 = sext <4 x i16> %41 to <4 x i32>
  %43 = mul nsw <4 x i32> %42, %39
  %44 = add nsw <4 x i32> %43, splat (i32 16384)
  %45 = lshr <4 x i32> %44, splat (i32 15)
  %46 = trunc <4 x i32> %45 to <4 x i16>
  %47 = getelementptr inbounds nuw i16, ptr %0, i64 %36
  store <4 x i16> %46, ptr %47, align 2, !tbaa !10
  %48 = add nuw i64 %36, 4
  %49 = icmp eq i64 %48, %34
  br i1 %49, label %50, label %35, !llvm.loop !18

50:                                               ; preds = %35
  %51 = icmp eq i64 %3, %34
  br i1 %51, label %54, label %52

52:                                               ; preds = %6, %30, %50
  %53 = phi i64 [ 0, %6 ], [ %12, %30 ], [ %34, %50 ]
  br label %55

54:                                               ; preds = %55, %28, %50, %4
  ret void

55:                                               ; preds = %52, %55
  %56 = phi i64 [ %68, %55 ], [ %53, %52 ]
  %57 = getelementptr inbounds nuw i16, ptr %1, i64 %56
  %58 = load i16, ptr %57, align 2, !tbaa !10
  %59 = sext i16 %58 to i32
  %60 = getelementptr inbounds nuw i16, ptr %2, i64 %56
  %61 = load i16, ptr %60, align 2, !tbaa !10
  %62 = sext i16 %61 to i32
  %63 = mul nsw i32 %62, %59
  %64 = add nsw i32 %63, 16384
  %65 = lshr i32 %64, 15
  %66 = trunc i32 %65 to i16
  %67 = getelementptr inbounds nuw i16, ptr %0, i64 %56
  store i16 %66, ptr %67, align 2, !tbaa !10
  %68 = add nuw i64 %56, 1
  %69 = icmp eq i64 %68, %3
  br i1 %69, label %54, label %55, !llvm.loop !19
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "prefer-vector-width"="256" "stack-protector-buffer-size"="8" "target-cpu"="haswell" "target-features"="+64bit,+allow-light-256-bit,+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+ermsb,+f16c,+false-deps-lzcnt-tzcnt,+false-deps-popcnt,+fast-15bytenop,+fast-scalar-fsqrt,+fast-shld-rotate,+fast-variable-crosslane-shuffle,+fast-variable-perlane-shuffle,+fma,+fsgsbase,+fxsr,+idivq-to-divl,+invpcid,+lzcnt,+macrofusion,+mmx,+movbe,+no-bypass-delay-mov,+no-bypass-delay-shuffle,+nopl,+pclmul,+popcnt,+rdrnd,+sahf,+slow-3ops-lea,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+vzeroupper,+x87,+xsave,+xsaveopt,-16bit-mode,-32bit-mode,-adx,-aes,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx10.1,-avx10.2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-egpr,-enqcmd,-false-deps-getmant,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-range,-fast-11bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-shift-masks,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma4,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-pad-short-functions,-pconfig,-pku,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-incdec,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse4a,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsavec,-xsaves,-zu" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.errno.tbaa = !{!6}

!0 = !{i32 7, !"Dwarf Version", i32 4}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 22.1.8"}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = !{!11, !11, i64 0}
!11 = !{!"short", !8, i64 0}
!12 = distinct !{!12, !13, !14, !15, !16}
!13 = !{!"llvm.loop.mustprogress"}
!14 = !{!"llvm.loop.unroll.disable"}
!15 = !{!"llvm.loop.isvectorized", i32 1}
!16 = !{!"llvm.loop.unroll.runtime.disable"}
!17 = !{!"branch_weights", i32 4, i32 12}
!18 = distinct !{!18, !13, !14, !15, !16}
!19 = distinct !{!19, !13, !14, !15}
