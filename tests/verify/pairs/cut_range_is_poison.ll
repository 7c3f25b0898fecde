; WANT: ok
!0 = !{i8 0, i8 16}
!1 = !{}
declare void @f()
declare void @g(i32)
declare void @gp(ptr)
define i8 @src(ptr %p, ptr %q, i64 %i, i32 %k, i64 %m)  {
  %s = getelementptr i8, ptr %p, i64 %i
  %u = load i8, ptr %s, align 1, !range !0
  %a = and i8 %u, 15
  ret i8 %a
}
define i8 @tgt(ptr %p, ptr %q, i64 %i, i32 %k, i64 %m)  {
  %s = getelementptr i8, ptr %p, i64 %i
  %u = load i8, ptr %s, align 1, !range !0
  ret i8 %u
}
