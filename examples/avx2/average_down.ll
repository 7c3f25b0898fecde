source_filename = "force_include_types.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.halide_filter_argument_t = type { ptr, i32, i32, %struct.halide_type_t, ptr, ptr, ptr, ptr, ptr }
%struct.halide_type_t = type { i8, i8, i16 }
%struct.halide_filter_metadata_t = type { i32, i32, ptr, ptr, ptr }

@0 = private constant [4 x ptr] zeroinitializer
@str = private constant [6 x i8] c"image\00", align 32
@1 = private constant [4 x ptr] zeroinitializer
@str.4 = private constant [13 x i8] c"average_down\00", align 32
@2 = private constant [2 x %struct.halide_filter_argument_t] [%struct.halide_filter_argument_t { ptr @str, i32 1, i32 2, %struct.halide_type_t { i8 1, i8 8, i16 1 }, ptr null, ptr null, ptr null, ptr null, ptr @0 }, %struct.halide_filter_argument_t { ptr @str.4, i32 2, i32 2, %struct.halide_type_t { i8 1, i8 8, i16 1 }, ptr null, ptr null, ptr null, ptr null, ptr @1 }]
@str.5 = private constant [59 x i8] c"arm-64-linux-no_asserts-no_bounds_query-no_neon-no_runtime\00", align 32
@average_down_metadata_storage = private constant %struct.halide_filter_metadata_t { i32 1, i32 2, ptr @2, ptr @str.5, ptr @str.4 }

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none)
define noundef i32 @average_down(ptr noalias readonly captures(none) %image.buffer, ptr noalias readonly captures(none) %average_down.buffer) local_unnamed_addr #0 {
entry:
  %host.i2 = getelementptr inbounds nuw i8, ptr %average_down.buffer, i64 16
  %0 = load ptr, ptr %host.i2, align 8, !tbaa !13
  %dim.i7 = getelementptr inbounds nuw i8, ptr %average_down.buffer, i64 40
  %1 = load ptr, ptr %dim.i7, align 8, !tbaa !26
  %2 = load i32, ptr %1, align 4, !tbaa !27
  %extent.i11 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %3 = load i32, ptr %extent.i11, align 4, !tbaa !29
  %extent.i = getelementptr inbounds nuw i8, ptr %1, i64 20
  %4 = load i32, ptr %extent.i, align 4, !tbaa !29
  %stride.i14 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %5 = load i32, ptr %stride.i14, align 4, !tbaa !30
  %host.i = getelementptr inbounds nuw i8, ptr %image.buffer, i64 16
  %6 = load ptr, ptr %host.i, align 8, !tbaa !13
  %dim.i3 = getelementptr inbounds nuw i8, ptr %image.buffer, i64 40
  %7 = load ptr, ptr %dim.i3, align 8, !tbaa !26
  %8 = load i32, ptr %7, align 4, !tbaa !27
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %7, i64 16
  %9 = load i32, ptr %arrayidx.i, align 4, !tbaa !27
  %stride.i = getelementptr inbounds nuw i8, ptr %7, i64 24
  %10 = load i32, ptr %stride.i, align 4, !tbaa !30
  %t18 = mul nsw i32 %10, %9
  %11 = and i32 %3, 15
  %t15.not = icmp eq i32 %11, 0
  %t12 = ashr i32 %3, 4
  %12 = add nsw i32 %3, %2
  %13 = add i32 %t18, %8
  %t16 = sub i32 %12, %13
  %t13 = sub i32 %2, %13
  %14 = icmp sgt i32 %4, 0
  br i1 %14, label %"1_for_average_down.s0.y.rebased.preheader", label %destructor_block, !prof !31

"1_for_average_down.s0.y.rebased.preheader":      ; preds = %entry
  %arrayidx.i6 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %15 = load i32, ptr %arrayidx.i6, align 4, !tbaa !27
  %t19 = mul nsw i32 %5, %15
  %t17 = sub nsw i32 %3, %t19
  %16 = shl i32 %10, 1
  %17 = icmp sgt i32 %t12, 0
  %invariant.gep15 = getelementptr i8, ptr %6, i64 -16
  %18 = sext i32 %10 to i64
  %19 = getelementptr i8, ptr %6, i64 %18
  %invariant.gep17 = getelementptr i8, ptr %19, i64 -16
  %20 = sext i32 %15 to i64
  %21 = sext i32 %5 to i64
  %22 = sext i32 %t17 to i64
  %invariant.gep19 = getelementptr i8, ptr %0, i64 %22
  %invariant.gep21 = getelementptr i8, ptr %invariant.gep19, i64 -16
  br i1 %17, label %"1_for_average_down.s0.y.rebased.preheader.split.us", label %"1_for_average_down.s0.y.rebased.preheader.split", !prof !31

"1_for_average_down.s0.y.rebased.preheader.split.us": ; preds = %"1_for_average_down.s0.y.rebased.preheader"
  %23 = zext nneg i32 %t12 to i64
  %24 = zext nneg i32 %4 to i64
  br i1 %t15.not, label %"1_for_average_down.s0.y.rebased.us.us", label %"1_for_average_down.s0.y.rebased.us"

"1_for_average_down.s0.y.rebased.us.us":          ; preds = %"1_for_average_down.s0.y.rebased.preheader.split.us", %"2_end_for_average_down.s0.x.x.loopexit.us.us"
  %indvars.iv46 = phi i64 [ %indvars.iv.next47, %"2_end_for_average_down.s0.x.x.loopexit.us.us" ], [ 0, %"1_for_average_down.s0.y.rebased.preheader.split.us" ]
  %25 = trunc nuw nsw i64 %indvars.iv46 to i32
  %t21.us.us = mul i32 %5, %25
  %26 = trunc i64 %indvars.iv46 to i32
  %27 = add i32 %15, %26
  %28 = mul i32 %16, %27
  %t20.us.us = add nsw i32 %t13, %28
  %29 = sext i32 %t21.us.us to i64
  %invariant.gep.us.us = getelementptr i8, ptr %0, i64 %29
  %30 = sext i32 %t20.us.us to i64
  br label %"2_for_average_down.s0.x.x.us.us"

"2_for_average_down.s0.x.x.us.us":                ; preds = %"2_for_average_down.s0.x.x.us.us", %"1_for_average_down.s0.y.rebased.us.us"
  %indvars.iv42 = phi i64 [ %indvars.iv.next43, %"2_for_average_down.s0.x.x.us.us" ], [ 0, %"1_for_average_down.s0.y.rebased.us.us" ]
  %31 = shl nsw i64 %indvars.iv42, 4
  %32 = add nsw i64 %31, %30
  %33 = getelementptr inbounds i8, ptr %6, i64 %32
  %34 = load <16 x i8>, ptr %33, align 1, !tbaa !32
  %35 = zext <16 x i8> %34 to <16 x i16>
  %36 = getelementptr i8, ptr %19, i64 %32
  %37 = load <16 x i8>, ptr %36, align 1, !tbaa !32
  %38 = zext <16 x i8> %37 to <16 x i16>
  %t25.us.us = add nuw nsw <16 x i16> %38, %35
  %39 = and <16 x i16> %t25.us.us, splat (i16 1)
  %40 = lshr <16 x i16> %t25.us.us, splat (i16 1)
  %41 = add nuw nsw <16 x i16> %39, %40
  %42 = tail call <16 x i16> @llvm.umax.v16i16(<16 x i16> %41, <16 x i16> splat (i16 16))
  %43 = trunc <16 x i16> %42 to <16 x i8>
  %44 = add <16 x i8> %43, splat (i8 -16)
  %gep.us.us = getelementptr i8, ptr %invariant.gep.us.us, i64 %31
  store <16 x i8> %44, ptr %gep.us.us, align 1, !tbaa !35
  %indvars.iv.next43 = add nuw nsw i64 %indvars.iv42, 1
  %.not.us.us = icmp eq i64 %indvars.iv.next43, %23
  br i1 %.not.us.us, label %"2_end_for_average_down.s0.x.x.loopexit.us.us", label %"2_for_average_down.s0.x.x.us.us"

"2_end_for_average_down.s0.x.x.loopexit.us.us":   ; preds = %"2_for_average_down.s0.x.x.us.us"
  %indvars.iv.next47 = add nuw nsw i64 %indvars.iv46, 1
  %.not1.us.us = icmp eq i64 %indvars.iv.next47, %24
  br i1 %.not1.us.us, label %destructor_block, label %"1_for_average_down.s0.y.rebased.us.us"

"1_for_average_down.s0.y.rebased.us":             ; preds = %"1_for_average_down.s0.y.rebased.preheader.split.us", %"2_end_for_average_down.s0.x.x.loopexit.us"
  %indvars.iv38 = phi i64 [ %indvars.iv.next39, %"2_end_for_average_down.s0.x.x.loopexit.us" ], [ 0, %"1_for_average_down.s0.y.rebased.preheader.split.us" ]
  %45 = add nsw i64 %indvars.iv38, %20
  %46 = trunc nuw nsw i64 %indvars.iv38 to i32
  %t21.us = mul i32 %5, %46
  %47 = trunc nsw i64 %45 to i32
  %48 = mul i32 %16, %47
  %t20.us = add nsw i32 %t13, %48
  %49 = sext i32 %t21.us to i64
  %invariant.gep.us = getelementptr i8, ptr %0, i64 %49
  %50 = sext i32 %t20.us to i64
  br label %"2_for_average_down.s0.x.x.us"

"2_for_average_down.s0.x.x.us":                   ; preds = %"1_for_average_down.s0.y.rebased.us", %"2_for_average_down.s0.x.x.us"
  %indvars.iv34 = phi i64 [ 0, %"1_for_average_down.s0.y.rebased.us" ], [ %indvars.iv.next35, %"2_for_average_down.s0.x.x.us" ]
  %51 = shl nsw i64 %indvars.iv34, 4
  %52 = add nsw i64 %51, %50
  %53 = getelementptr inbounds i8, ptr %6, i64 %52
  %54 = load <16 x i8>, ptr %53, align 1, !tbaa !32
  %55 = zext <16 x i8> %54 to <16 x i16>
  %56 = getelementptr i8, ptr %19, i64 %52
  %57 = load <16 x i8>, ptr %56, align 1, !tbaa !32
  %58 = zext <16 x i8> %57 to <16 x i16>
  %t25.us = add nuw nsw <16 x i16> %58, %55
  %59 = and <16 x i16> %t25.us, splat (i16 1)
  %60 = lshr <16 x i16> %t25.us, splat (i16 1)
  %61 = add nuw nsw <16 x i16> %59, %60
  %62 = tail call <16 x i16> @llvm.umax.v16i16(<16 x i16> %61, <16 x i16> splat (i16 16))
  %63 = trunc <16 x i16> %62 to <16 x i8>
  %64 = add <16 x i8> %63, splat (i8 -16)
  %gep.us = getelementptr i8, ptr %invariant.gep.us, i64 %51
  store <16 x i8> %64, ptr %gep.us, align 1, !tbaa !35
  %indvars.iv.next35 = add nuw nsw i64 %indvars.iv34, 1
  %.not.us = icmp eq i64 %indvars.iv.next35, %23
  br i1 %.not.us, label %"2_end_for_average_down.s0.x.x.loopexit.us", label %"2_for_average_down.s0.x.x.us"

"2_end_for_average_down.s0.x.x.loopexit.us":      ; preds = %"2_for_average_down.s0.x.x.us"
  %t10.us = add nsw i32 %t16, %48
  %65 = sext i32 %t10.us to i64
  %gep16.us = getelementptr i8, ptr %invariant.gep15, i64 %65
  %66 = load <16 x i8>, ptr %gep16.us, align 1, !tbaa !32
  %67 = zext <16 x i8> %66 to <16 x i16>
  %gep18.us = getelementptr i8, ptr %invariant.gep17, i64 %65
  %68 = load <16 x i8>, ptr %gep18.us, align 1, !tbaa !32
  %69 = zext <16 x i8> %68 to <16 x i16>
  %t28.us = add nuw nsw <16 x i16> %69, %67
  %70 = and <16 x i16> %t28.us, splat (i16 1)
  %71 = lshr <16 x i16> %t28.us, splat (i16 1)
  %72 = add nuw nsw <16 x i16> %70, %71
  %73 = tail call <16 x i16> @llvm.umax.v16i16(<16 x i16> %72, <16 x i16> splat (i16 16))
  %74 = trunc <16 x i16> %73 to <16 x i8>
  %75 = add <16 x i8> %74, splat (i8 -16)
  %76 = mul nsw i64 %45, %21
  %gep22.us = getelementptr i8, ptr %invariant.gep21, i64 %76
  store <16 x i8> %75, ptr %gep22.us, align 1, !tbaa !35
  %indvars.iv.next39 = add nuw nsw i64 %indvars.iv38, 1
  %.not1.us = icmp eq i64 %indvars.iv.next39, %24
  br i1 %.not1.us, label %destructor_block, label %"1_for_average_down.s0.y.rebased.us"

"1_for_average_down.s0.y.rebased.preheader.split": ; preds = %"1_for_average_down.s0.y.rebased.preheader"
  br i1 %t15.not, label %destructor_block, label %"1_for_average_down.s0.y.rebased.preheader30"

"1_for_average_down.s0.y.rebased.preheader30":    ; preds = %"1_for_average_down.s0.y.rebased.preheader.split"
  %77 = zext nneg i32 %4 to i64
  br label %"1_for_average_down.s0.y.rebased"

"1_for_average_down.s0.y.rebased":                ; preds = %"1_for_average_down.s0.y.rebased.preheader30", %"1_for_average_down.s0.y.rebased"
  %indvars.iv = phi i64 [ 0, %"1_for_average_down.s0.y.rebased.preheader30" ], [ %indvars.iv.next, %"1_for_average_down.s0.y.rebased" ]
  %78 = add nsw i64 %indvars.iv, %20
  %79 = trunc nsw i64 %78 to i32
  %80 = mul i32 %16, %79
  %t10 = add nsw i32 %t16, %80
  %81 = sext i32 %t10 to i64
  %gep16 = getelementptr i8, ptr %invariant.gep15, i64 %81
  %82 = load <16 x i8>, ptr %gep16, align 1, !tbaa !32
  %83 = zext <16 x i8> %82 to <16 x i16>
  %gep18 = getelementptr i8, ptr %invariant.gep17, i64 %81
  %84 = load <16 x i8>, ptr %gep18, align 1, !tbaa !32
  %85 = zext <16 x i8> %84 to <16 x i16>
  %t28 = add nuw nsw <16 x i16> %85, %83
  %86 = and <16 x i16> %t28, splat (i16 1)
  %87 = lshr <16 x i16> %t28, splat (i16 1)
  %88 = add nuw nsw <16 x i16> %86, %87
  %89 = tail call <16 x i16> @llvm.umax.v16i16(<16 x i16> %88, <16 x i16> splat (i16 16))
  %90 = trunc <16 x i16> %89 to <16 x i8>
  %91 = add <16 x i8> %90, splat (i8 -16)
  %92 = mul nsw i64 %78, %21
  %gep22 = getelementptr i8, ptr %invariant.gep21, i64 %92
  store <16 x i8> %91, ptr %gep22, align 1, !tbaa !35
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %.not1 = icmp eq i64 %indvars.iv.next, %77
  br i1 %.not1, label %destructor_block, label %"1_for_average_down.s0.y.rebased"

destructor_block:                                 ; preds = %"1_for_average_down.s0.y.rebased", %"2_end_for_average_down.s0.x.x.loopexit.us", %"2_end_for_average_down.s0.x.x.loopexit.us.us", %"1_for_average_down.s0.y.rebased.preheader.split", %entry
  ret i32 0
}



; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i16> @llvm.umax.v16i16(<16 x i16>, <16 x i16>) #3

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) "no-jump-tables"="true" "reciprocal-estimates"="none" "target-features" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) "reciprocal-estimates"="none" "target-features" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "reciprocal-estimates"="none" "target-features" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { noinline }

!llvm.module.flags = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10, !11}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 1}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{i32 2, !"halide_enable_backtraces", i32 0}
!4 = !{i32 2, !"halide_use_soft_float_abi", i32 0}
!5 = !{i32 2, !"halide_mcpu_target", !"generic"}
!6 = !{i32 2, !"halide_mcpu_tune", !"generic"}
!7 = !{i32 2, !"halide_mattrs", !""}
!8 = !{i32 2, !"halide_mabi", !""}
!9 = !{i32 2, !"halide_use_pic", i32 1}
!10 = !{i32 2, !"halide_use_large_code_model", i32 0}
!11 = !{i32 2, !"halide_per_instruction_fast_math_flags", i32 0}
!12 = !{!"clang version 21.1.1 (https://github.com/llvm/llvm-project.git 5a86dc996c26299de63effc927075dcbfb924167)"}
!13 = !{!14, !20, i64 16}
!14 = !{!"_ZTS15halide_buffer_t", !15, i64 0, !18, i64 8, !20, i64 16, !15, i64 24, !21, i64 32, !24, i64 36, !25, i64 40, !19, i64 48}
!15 = !{!"long", !16, i64 0}
!16 = !{!"omnipotent char", !17, i64 0}
!17 = !{!"Simple C++ TBAA"}
!18 = !{!"p1 _ZTS25halide_device_interface_t", !19, i64 0}
!19 = !{!"any pointer", !16, i64 0}
!20 = !{!"p1 omnipotent char", !19, i64 0}
!21 = !{!"_ZTS13halide_type_t", !22, i64 0, !16, i64 1, !23, i64 2}
!22 = !{!"_ZTS18halide_type_code_t", !16, i64 0}
!23 = !{!"short", !16, i64 0}
!24 = !{!"int", !16, i64 0}
!25 = !{!"p1 _ZTS18halide_dimension_t", !19, i64 0}
!26 = !{!14, !25, i64 40}
!27 = !{!28, !24, i64 0}
!28 = !{!"_ZTS18halide_dimension_t", !24, i64 0, !24, i64 4, !24, i64 8, !24, i64 12}
!29 = !{!28, !24, i64 4}
!30 = !{!28, !24, i64 8}
!31 = !{!"branch_weights", i32 1073741824, i32 0}
!32 = !{!33, !33, i64 0}
!33 = !{!"image", !34, i64 0}
!34 = !{!"Halide buffer"}
!35 = !{!36, !36, i64 0}
!36 = !{!"average_down", !34, i64 0}
