; WANT: ok
define i8 @src(i8 %x) !dbg !4 {
    #dbg_value(i8 %x, !7, !DIExpression(), !8)
  %r = add i8 %x, 0, !dbg !8
  ret i8 %r, !dbg !8
}
define i8 @tgt(i8 %x) {
  ret i8 %x
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "src", scope: !1, file: !1, line: 1, type: !5, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 1)
!8 = !DILocation(line: 1, scope: !4)
