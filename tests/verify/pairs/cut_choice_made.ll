; WANT: ok
declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>)
declare void @gv(<16 x i8>)
declare void @f()
declare void @g(i32)
declare void @gp(ptr)
define void @src(<16 x i8> %x, <16 x i8> noundef %y)  {
 %s = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %x, <16 x i8> %y)
 call void @gv(<16 x i8> %s)
 ret void
}
define void @tgt(<16 x i8> %x, <16 x i8> noundef %y)  {
  %fx = freeze <16 x i8> %x
  %xa = zext <16 x i8> %fx to <16 x i16>
  %ya = zext <16 x i8> %y to <16 x i16>
  %s = add nuw nsw <16 x i16> %xa, %ya
  %t = add nuw nsw <16 x i16> %s, splat (i16 1)
  %h = lshr <16 x i16> %t, splat (i16 1)
  %v = trunc <16 x i16> %h to <16 x i8>
 call void @gv(<16 x i8> %v)
 ret void
}
