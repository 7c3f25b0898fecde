; WANT: ok
define i32 @src(i32 %s) {
  %x = insertelement <4 x i32> poison, i32 %s, i32 0
  %y = shufflevector <4 x i32> %x, <4 x i32> poison, <4 x i32> zeroinitializer
  %r = extractelement <4 x i32> %y, i32 3
  ret i32 %r
}
define i32 @tgt(i32 %s) {
  ret i32 %s
}
