; WANT: ok
declare i32 @g(i32)
define i32 @src(i32 %x) {
  %r = call i32 @g(i32 %x)
  ret i32 %r
}
define i32 @tgt(i32 %x) !dbg !3 {
  %r = call i32 @g(i32 %x), !dbg !4
  ret i32 %r, !dbg !4
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2)
!2 = !DIFile(filename: "a.c", directory: "/")
!3 = distinct !DISubprogram(name: "tgt", scope: !2, file: !2, line: 1, type: !5, unit: !1)
!4 = !DILocation(line: 1, column: 2, scope: !3)
!5 = !DISubroutineType(types: !6)
!6 = !{}
