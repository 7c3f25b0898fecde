source_filename = "subtract_clamp.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define void @subtract_clamp(ptr noalias noundef writeonly captures(none) %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef readonly captures(none) %2, i64 noundef %3) local_unnamed_addr #0 {
  %5 = icmp eq i64 %3, 0
  br i1 %5, label %54, label %6

6:                                                ; preds = %4
  %7 = icmp ult i64 %3, 4
  br i1 %7, label %52, label %8

8:                                                ; preds = %6
  %9 = icmp ult i64 %3, 32
  br i1 %9, label %32, label %10

10:                                               ; preds = %8
  %11 = and i64 %3, 28
  %12 = and i64 %3, -32
  br label %13

13:                                               ; preds = %13, %10
  %14 = phi i64 [ 0, %10 ], [ %26, %13 ]
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 %14
  %16 = load <32 x i8>, ptr %15, align 1, !tbaa !10
  %17 = zext <32 x i8> %16 to <32 x i32>
  %18 = getelementptr inbounds nuw i8, ptr %2, i64 %14
  %19 = load <32 x i8>, ptr %18, align 1, !tbaa !10
  %20 = zext <32 x i8> %19 to <32 x i32>
  %21 = shl nuw nsw <32 x i32> %20, splat (i32 1)
  %22 = sub nsw <32 x i32> %17, %21
  %23 = tail call <32 x i32> @llvm.smax.v32i32(<32 x i32> %22, <32 x i32> zeroinitializer)
  %24 = trunc nuw <32 x i32> %23 to <32 x i8>
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 %14
  store <32 x i8> %24, ptr %25, align 1, !tbaa !10
  %26 = add nuw i64 %14, 32
  %27 = icmp eq i64 %26, %12
  br i1 %27, label %28, label %13, !llvm.loop !11

28:                                               ; preds = %13
  %29 = icmp eq i64 %3, %12
  br i1 %29, label %54, label %30

30:                                               ; preds = %28
  %31 = icmp eq i64 %11, 0
  br i1 %31, label %52, label %32, !prof !16

32:                                               ; preds = %8, %30
  %33 = phi i64 [ %12, %30 ], [ 0, %8 ]
  %34 = and i64 %3, -4
  br label %35

35:                                               ; preds = %35, %32
  %36 = phi i64 [ %33, %32 ], [ %48, %35 ]
  %37 = getelementptr inbounds nuw i8, ptr %1, i64 %36
  %38 = load <4 x i8>, ptr %37, align 1, !tbaa !10
  %39 = zext <4 x i8> %38 to <4 x i32>
  %40 = getelementptr inbounds nuw i8, ptr %2, i64 %36
  %41 = load <4 x i8>, ptr %40, align 1, !tbaa !10
  %42 = zext <4 x i8> %41 to <4 x i32>
  %43 = shl nuw nsw <4 x i32> %42, splat (i32 1)
  %44 = sub nsw <4 x i32> %39, %43
  %45 = tail call <4 x i32> @llvm.smax.v4i32(<4 x i32> %44, <4 x i32> zeroinitializer)
  %46 = trunc nuw <4 x i32> %45 to <4 x i8>
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 %36
  store <4 x i8> %46, ptr %47, align 1, !tbaa !10
  %48 = add nuw i64 %36, 4
  %49 = icmp eq i64 %48, %34
  br i1 %49, label %50, label %35, !llvm.loop !17

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
  %57 = getelementptr inbounds nuw i8, ptr %1, i64 %56
  %58 = load i8, ptr %57, align 1, !tbaa !10
  %59 = zext i8 %58 to i32
  %60 = getelementptr inbounds nuw i8, ptr %2, i64 %56
  %61 = load i8, ptr %60, align 1, !tbaa !10
  %62 = zext i8 %61 to i32
  %63 = shl nuw nsw i32 %62, 1
  %64 = sub nsw i32 %59, %63
  %65 = tail call i32 @llvm.smax.i32(i32 %64, i32 0)
  %66 = trunc nuw i32 %65 to i8
  %67 = getelementptr inbounds nuw i8, ptr %0, i64 %56
  store i8 %66, ptr %67, align 1, !tbaa !10
  %68 = add nuw i64 %56, 1
  %69 = icmp eq i64 %68, %3
  br i1 %69, label %54, label %55, !llvm.loop !18
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <32 x i32> @llvm.smax.v32i32(<32 x i32>, <32 x i32>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "prefer-vector-width"="256" "stack-protector-buffer-size"="8" "target-cpu"="haswell" "target-features"="+64bit,+allow-light-256-bit,+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+ermsb,+f16c,+false-deps-lzcnt-tzcnt,+false-deps-popcnt,+fast-15bytenop,+fast-scalar-fsqrt,+fast-shld-rotate,+fast-variable-crosslane-shuffle,+fast-variable-perlane-shuffle,+fma,+fsgsbase,+fxsr,+idivq-to-divl,+invpcid,+lzcnt,+macrofusion,+mmx,+movbe,+no-bypass-delay-mov,+no-bypass-delay-shuffle,+nopl,+pclmul,+popcnt,+rdrnd,+sahf,+slow-3ops-lea,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+vzeroupper,+x87,+xsave,+xsaveopt,-16bit-mode,-32bit-mode,-adx,-aes,-amx-avx512,-amx-bf16,-amx-complex,-amx-fp16,-amx-fp8,-amx-int8,-amx-movrs,-amx-tf32,-amx-tile,-avx10.1,-avx10.2,-avx512bf16,-avx512bitalg,-avx512bw,-avx512cd,-avx512dq,-avx512f,-avx512fp16,-avx512ifma,-avx512vbmi,-avx512vbmi2,-avx512vl,-avx512vnni,-avx512vp2intersect,-avx512vpopcntdq,-avxifma,-avxneconvert,-avxvnni,-avxvnniint16,-avxvnniint8,-branch-hint,-branchfusion,-ccmp,-cf,-cldemote,-clflushopt,-clwb,-clzero,-cmpccxadd,-egpr,-enqcmd,-false-deps-getmant,-false-deps-mulc,-false-deps-mullq,-false-deps-perm,-false-deps-range,-fast-11bytenop,-fast-7bytenop,-fast-bextr,-fast-dpwssd,-fast-gather,-fast-hops,-fast-imm16,-fast-lzcnt,-fast-movbe,-fast-scalar-shift-masks,-fast-vector-fsqrt,-fast-vector-shift-masks,-faster-shift-than-shuffle,-fma4,-fsrm,-gfni,-harden-sls-ijmp,-harden-sls-ret,-hreset,-idivl-to-divb,-inline-asm-use-gpr32,-kl,-lea-sp,-lea-uses-ag,-lvi-cfi,-lvi-load-hardening,-lwp,-movdir64b,-movdiri,-movrs,-mwaitx,-ndd,-nf,-no-bypass-delay,-no-bypass-delay-blend,-pad-short-functions,-pconfig,-pku,-ppx,-prefer-128-bit,-prefer-256-bit,-prefer-legacy-setcc,-prefer-mask-registers,-prefer-movmsk-over-vtest,-prefer-no-gather,-prefer-no-scatter,-prefetchi,-prfchw,-ptwrite,-push2pop2,-raoint,-rdpid,-rdpru,-rdseed,-retpoline,-retpoline-external-thunk,-retpoline-indirect-branches,-retpoline-indirect-calls,-rtm,-sbb-dep-breaking,-serialize,-seses,-sgx,-sha,-sha512,-shstk,-slow-incdec,-slow-lea,-slow-pmaddwd,-slow-pmulld,-slow-pmullq,-slow-shld,-slow-two-mem-ops,-slow-unaligned-mem-16,-slow-unaligned-mem-32,-sm3,-sm4,-sse-unaligned-mem,-sse4a,-tagged-globals,-tbm,-tsxldtrk,-tuning-fast-imm-vector-shift,-uintr,-use-glm-div-sqrt-costs,-use-slm-arith-costs,-usermsr,-vaes,-vpclmulqdq,-waitpkg,-wbnoinvd,-widekl,-xop,-xsavec,-xsaves,-zu" "tune-cpu"="generic" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

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
!10 = !{!8, !8, i64 0}
!11 = distinct !{!11, !12, !13, !14, !15}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.unroll.disable"}
!14 = !{!"llvm.loop.isvectorized", i32 1}
!15 = !{!"llvm.loop.unroll.runtime.disable"}
!16 = !{!"branch_weights", i32 4, i32 28}
!17 = distinct !{!17, !12, !13, !14, !15}
!18 = distinct !{!18, !12, !13, !14}
