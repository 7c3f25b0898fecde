; attributes, metadata, globals and comdats stay as they are, an existing declaration is used
source_filename = "kept.c"
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

$kept = comdat any

@table = internal constant [4 x i8] c"\01\02\03\04", align 1
@llvm.used = appending global [1 x ptr] [ptr @table], section "llvm.metadata"

define linkonce_odr hidden noundef <16 x i8> @kept(<16 x i8> noundef %a, <16 x i8> noundef %b) local_unnamed_addr #0 comdat !prof !2 {
  %za = zext <16 x i8> %a to <16 x i16>
  %zb = zext <16 x i8> %b to <16 x i16>
  %s = add nuw nsw <16 x i16> %za, %zb
  %s1 = add nuw nsw <16 x i16> %s, splat (i16 1)
  %h = lshr <16 x i16> %s1, splat (i16 1)
  %r = trunc <16 x i16> %h to <16 x i8>
  ret <16 x i8> %r
}

define <16 x i8> @already(<16 x i8> %a, <16 x i8> %b) #0 {
  %r = tail call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %a, <16 x i8> %b)
  ret <16 x i8> %r
}

declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>) #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "frame-pointer"="none" "min-legal-vector-width"="128" "target-cpu"="x86-64" "target-features"="+sse2" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(none) }

!llvm.module.flags = !{!0}
!llvm.ident = !{!1}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{!"some compiler"}
!2 = !{!"function_entry_count", i64 100}
