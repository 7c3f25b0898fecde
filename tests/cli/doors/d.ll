; ModuleID = 'halve.bc'
source_filename = "halve.d"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%0 = type { i32, i32, [6 x i8] }

@_D5halve12__ModuleInfoZ = global %0 { i32 -2147483644, i32 0, [6 x i8] c"halve\00" }
@_D5halve11__moduleRefZ = linkonce_odr hidden global ptr @_D5halve12__ModuleInfoZ, section "__minfo"
@llvm.used = appending global [1 x ptr] [ptr @_D5halve11__moduleRefZ], section "llvm.metadata"

; Function Attrs: nofree norecurse nosync nounwind uwtable
define void @halve(ptr captures(none) %0, ptr readonly captures(none) %1) local_unnamed_addr #0 {
  %3 = getelementptr i8, ptr %0, i64 64
  %4 = getelementptr i8, ptr %1, i64 64
  %5 = icmp ugt ptr %4, %0
  %6 = icmp ugt ptr %3, %1
  %7 = and i1 %5, %6
  br i1 %7, label %31, label %8

8:                                                ; preds = %2
  %9 = bitcast ptr %1 to ptr
  %10 = load <32 x i8>, ptr %9, align 1, !alias.scope !1
  %11 = zext <32 x i8> %10 to <32 x i16>
  %12 = bitcast ptr %0 to ptr
  %13 = load <32 x i8>, ptr %12, align 1, !alias.scope !4, !noalias !1
  %14 = zext <32 x i8> %13 to <32 x i16>
  %15 = add nuw nsw <32 x i16> %14, %11
  %16 = lshr <32 x i16> %15, splat (i16 1)
  %17 = trunc <32 x i16> %16 to <32 x i8>
  %18 = bitcast ptr %0 to ptr
  store <32 x i8> %17, ptr %18, align 1, !alias.scope !4, !noalias !1
  %19 = getelementptr inbounds i8, ptr %0, i64 32
  %20 = getelementptr inbounds i8, ptr %1, i64 32
  %21 = bitcast ptr %20 to ptr
  %22 = load <32 x i8>, ptr %21, align 1, !alias.scope !1
  %23 = zext <32 x i8> %22 to <32 x i16>
  %24 = bitcast ptr %19 to ptr
  %25 = load <32 x i8>, ptr %24, align 1, !alias.scope !4, !noalias !1
  %26 = zext <32 x i8> %25 to <32 x i16>
  %27 = add nuw nsw <32 x i16> %26, %23
  %28 = lshr <32 x i16> %27, splat (i16 1)
  %29 = trunc <32 x i16> %28 to <32 x i8>
  %30 = bitcast ptr %19 to ptr
  store <32 x i8> %29, ptr %30, align 1, !alias.scope !4, !noalias !1
  br label %74

31:                                               ; preds = %31, %2
  %32 = phi i64 [ %72, %31 ], [ 0, %2 ]
  %33 = getelementptr inbounds i8, ptr %0, i64 %32
  %34 = getelementptr inbounds i8, ptr %1, i64 %32
  %35 = load i8, ptr %34, align 1
  %36 = zext i8 %35 to i16
  %37 = load i8, ptr %33, align 1
  %38 = zext i8 %37 to i16
  %39 = add nuw nsw i16 %38, %36
  %40 = lshr i16 %39, 1
  %41 = trunc i16 %40 to i8
  store i8 %41, ptr %33, align 1
  %42 = or i64 %32, 1
  %43 = getelementptr inbounds i8, ptr %0, i64 %42
  %44 = getelementptr inbounds i8, ptr %1, i64 %42
  %45 = load i8, ptr %44, align 1
  %46 = zext i8 %45 to i16
  %47 = load i8, ptr %43, align 1
  %48 = zext i8 %47 to i16
  %49 = add nuw nsw i16 %48, %46
  %50 = lshr i16 %49, 1
  %51 = trunc i16 %50 to i8
  store i8 %51, ptr %43, align 1
  %52 = or i64 %32, 2
  %53 = getelementptr inbounds i8, ptr %0, i64 %52
  %54 = getelementptr inbounds i8, ptr %1, i64 %52
  %55 = load i8, ptr %54, align 1
  %56 = zext i8 %55 to i16
  %57 = load i8, ptr %53, align 1
  %58 = zext i8 %57 to i16
  %59 = add nuw nsw i16 %58, %56
  %60 = lshr i16 %59, 1
  %61 = trunc i16 %60 to i8
  store i8 %61, ptr %53, align 1
  %62 = or i64 %32, 3
  %63 = getelementptr inbounds i8, ptr %0, i64 %62
  %64 = getelementptr inbounds i8, ptr %1, i64 %62
  %65 = load i8, ptr %64, align 1
  %66 = zext i8 %65 to i16
  %67 = load i8, ptr %63, align 1
  %68 = zext i8 %67 to i16
  %69 = add nuw nsw i16 %68, %66
  %70 = lshr i16 %69, 1
  %71 = trunc i16 %70 to i8
  store i8 %71, ptr %63, align 1
  %72 = add nuw nsw i64 %32, 4
  %73 = icmp eq i64 %72, 64
  br i1 %73, label %74, label %31, !llvm.loop !6

74:                                               ; preds = %31, %8
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind uwtable "frame-pointer"="none" "target-cpu"="haswell" }

!llvm.ident = !{!0}

!0 = !{!"ldc version 1.30.0"}
!1 = !{!2}
!2 = distinct !{!2, !3}
!3 = distinct !{!3, !"LVerDomain"}
!4 = !{!5}
!5 = distinct !{!5, !3}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.isvectorized", i32 1}
