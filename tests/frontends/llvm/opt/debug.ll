; debug records of the root follow it, those of deleted values become poison
target triple = "x86_64-pc-linux-gnu"

define void @debug(ptr noalias %0, ptr noalias %1, ptr noalias %2) !dbg !5 {
  %4 = load <32 x i8>, ptr %0, align 128
  %5 = load <32 x i8>, ptr %1, align 128
  %6 = zext <32 x i8> %4 to <32 x i16>
  %7 = zext <32 x i8> %5 to <32 x i16>
  %8 = add nuw nsw <32 x i16> %6, splat (i16 1)
    #dbg_value(<32 x i16> %8, !9, !DIExpression(), !8)
  %9 = add nuw nsw <32 x i16> %8, %7
  %10 = lshr <32 x i16> %9, splat (i16 1)
  %11 = trunc <32 x i16> %10 to <32 x i8>, !dbg !8
    #dbg_value(<32 x i8> %11, !9, !DIExpression(), !8)
  store <32 x i8> %11, ptr %2, align 128
  %12 = load i32, ptr %2
  store i32 %12, ptr %1
  ret void, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3,!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "x", isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/d")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 7, !"Dwarf Version", i32 4}
!5 = distinct !DISubprogram(name: "avg", scope: !1, file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 3, column: 9, scope: !5)
!9 = !DILocalVariable(name: "v", scope: !5, file: !1, line: 2)
