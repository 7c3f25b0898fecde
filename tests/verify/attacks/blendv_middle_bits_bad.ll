; WANT: bad
declare <16 x i8> @llvm.x86.sse41.pblendvb(<16 x i8>, <16 x i8>, <16 x i8>)
define <16 x i8> @src(<16 x i8> noundef %x, <16 x i8> noundef %y, <16 x i8> noundef %m) {
  %c = icmp slt <16 x i8> %m, zeroinitializer
  %r = select <16 x i1> %c, <16 x i8> %y, <16 x i8> %x
  ret <16 x i8> %r
}
define <16 x i8> @tgt(<16 x i8> noundef %x, <16 x i8> noundef %y, <16 x i8> noundef %m) {
  %r = call <16 x i8> @llvm.x86.sse41.pblendvb(<16 x i8> %y, <16 x i8> %x, <16 x i8> %m)
  ret <16 x i8> %r
}
