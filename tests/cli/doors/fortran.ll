; ModuleID = 'FIRModule'
source_filename = "FIRModule"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define void @halve(ptr nocapture %0, ptr nocapture readonly %1) local_unnamed_addr #0 {
vector.ph:
  %wide.load = load <32 x i8>, ptr %1, align 1, !tbaa !3
  %2 = zext <32 x i8> %wide.load to <32 x i16>
  %wide.load3 = load <32 x i8>, ptr %0, align 1, !tbaa !9
  %3 = zext <32 x i8> %wide.load3 to <32 x i16>
  %4 = add nuw nsw <32 x i16> %3, %2
  %5 = lshr <32 x i16> %4, <i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1>
  %6 = trunc nuw <32 x i16> %5 to <32 x i8>
  store <32 x i8> %6, ptr %0, align 1, !tbaa !9
  %7 = getelementptr i8, ptr %1, i64 32
  %wide.load.1 = load <32 x i8>, ptr %7, align 1, !tbaa !3
  %8 = zext <32 x i8> %wide.load.1 to <32 x i16>
  %9 = getelementptr i8, ptr %0, i64 32
  %wide.load3.1 = load <32 x i8>, ptr %9, align 1, !tbaa !9
  %10 = zext <32 x i8> %wide.load3.1 to <32 x i16>
  %11 = add nuw nsw <32 x i16> %10, %8
  %12 = lshr <32 x i16> %11, <i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1, i16 1>
  %13 = trunc nuw <32 x i16> %12 to <32 x i8>
  store <32 x i8> %13, ptr %9, align 1, !tbaa !9
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "target-cpu"="haswell" }

!llvm.module.flags = !{!0, !1, !2}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{!4, !4, i64 0}
!4 = !{!"dummy arg data/_QFhalveEa", !5, i64 0}
!5 = !{!"dummy arg data", !6, i64 0}
!6 = !{!"any data access", !7, i64 0}
!7 = !{!"any access", !8, i64 0}
!8 = !{!"Flang function root halve"}
!9 = !{!10, !10, i64 0}
!10 = !{!"dummy arg data/_QFhalveEd", !5, i64 0}
