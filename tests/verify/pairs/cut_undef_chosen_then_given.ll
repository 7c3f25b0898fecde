; WANT: bad, unknown: not shown to stay
declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>)
declare void @gv(<16 x i8>)
declare void @f()
declare void @g(i32)
declare void @gp(ptr)
define <16 x i8> @src(<16 x i8> noundef %x)  {
 %v = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %x, <16 x i8> undef)
 call void @gv(<16 x i8> %v)
 ret <16 x i8> %v
}
define <16 x i8> @tgt(<16 x i8> noundef %x)  {
 %z = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %x, <16 x i8> zeroinitializer)
 call void @gv(<16 x i8> %z)
 %v = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %x, <16 x i8> undef)
 ret <16 x i8> %v
}
