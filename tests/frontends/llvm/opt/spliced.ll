; a vector of the iteration before, spliced with the one that is loaded, is a load of its own
target triple = "x86_64-pc-linux-gnu"

define void @spliced(ptr noalias %p, ptr noalias %o, i64 %n) !dbg !5 {
entry:
  %first = load i8, ptr %p, align 1
  %start = insertelement <16 x i8> poison, i8 %first, i64 15
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %last = phi <16 x i8> [ %start, %entry ], [ %b, %body ]
    #dbg_value(<16 x i8> %last, !8, !DIExpression(), !9)
  %i1 = or disjoint i64 %i, 1
  %at = getelementptr inbounds i8, ptr %p, i64 %i1
  %b = load <16 x i8>, ptr %at, align 1
  %a = shufflevector <16 x i8> %last, <16 x i8> %b, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>, !dbg !9
  %za = zext <16 x i8> %a to <16 x i16>
  %zb = zext <16 x i8> %b to <16 x i16>
  %s = add nuw nsw <16 x i16> %za, %zb
  %s1 = add nuw nsw <16 x i16> %s, splat (i16 1)
  %h = lshr <16 x i16> %s1, splat (i16 1)
  %r = trunc <16 x i16> %h to <16 x i8>
  %to = getelementptr inbounds i8, ptr %o, i64 %i
  store <16 x i8> %r, ptr %to, align 16
  %next = add nuw i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done

done:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIBasicType(name: "v", size: 128)
!5 = distinct !DISubprogram(name: "spliced", file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocalVariable(name: "last", scope: !5, file: !1, line: 3, type: !3)
!9 = !DILocation(line: 4, column: 7, scope: !5)
