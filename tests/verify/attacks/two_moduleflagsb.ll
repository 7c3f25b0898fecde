; WANT: bad
define i32 @f(i32 %x) {
  ret i32 %x
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"x", i32 2}
