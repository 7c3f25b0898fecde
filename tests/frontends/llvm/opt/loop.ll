; phis and loads are leaves inside of a loop
target triple = "x86_64-pc-linux-gnu"

define void @loop(ptr noalias %p, ptr noalias %o, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %last = phi <16 x i8> [ zeroinitializer, %entry ], [ %b, %body ]
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  %b = load <16 x i8>, ptr %at, align 16
  %za = zext <16 x i8> %last to <16 x i16>
  %zb = zext <16 x i8> %b to <16 x i16>
  %s = add nuw nsw <16 x i16> %za, %zb
  %s1 = add nuw nsw <16 x i16> %s, splat (i16 1)
  %h = lshr <16 x i16> %s1, splat (i16 1)
  %r = trunc <16 x i16> %h to <16 x i8>
  %to = getelementptr inbounds i8, ptr %o, i64 %i
  store <16 x i8> %r, ptr %to, align 16
  %next = add nuw i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done, !llvm.loop !0

done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
