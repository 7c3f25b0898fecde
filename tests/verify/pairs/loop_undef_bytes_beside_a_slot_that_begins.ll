; WANT: ok
; each pair of neighbours is looked at once, by another load than in the source
define void @src(ptr %p, ptr %o, i64 %n) {
entry:
  %slot = alloca [16 x i16], align 16
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %q = getelementptr i8, ptr %p, i64 %k
  %q1 = getelementptr i8, ptr %q, i64 1
  call void @llvm.lifetime.start.p0(ptr %slot)
  %a = load <8 x i8>, ptr %q, align 1
  %b = load <8 x i8>, ptr %q1, align 1
  %wa = zext <8 x i8> %a to <8 x i16>
  %wb = zext <8 x i8> %b to <8 x i16>
  %s = add <8 x i16> %wa, %wb
  store <8 x i16> %s, ptr %slot, align 16
  %k1 = add i64 %k, 8
  %c = icmp ult i64 %k1, %n
  br i1 %c, label %loop, label %end
end:
  %t = load i16, ptr %slot, align 16
  store i16 %t, ptr %o, align 2
  ret void
}
define void @tgt(ptr %p, ptr %o, i64 %n) {
entry:
  %slot = alloca [16 x i16], align 16
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %q = getelementptr i8, ptr %p, i64 %k
  %q1 = getelementptr i8, ptr %q, i64 1
  call void @llvm.lifetime.start.p0(ptr %slot)
  %a = load <8 x i8>, ptr %q, align 1
  %b = load <8 x i8>, ptr %q1, align 1
  %fa = freeze <8 x i8> %a
  %fb = freeze <8 x i8> %b
  %la = shufflevector <8 x i8> %fa, <8 x i8> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %ra = shufflevector <8 x i8> %fa, <8 x i8> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %rb = shufflevector <8 x i8> %fb, <8 x i8> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %za = zext <4 x i8> %la to <4 x i16>
  %ya = zext <4 x i8> %ra to <4 x i16>
  %yb = zext <4 x i8> %rb to <4 x i16>
  %even = add <4 x i16> %za, %ya
  %lb = shufflevector <8 x i8> %fb, <8 x i8> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %zb = zext <4 x i8> %lb to <4 x i16>
  %odd = add <4 x i16> %zb, %yb
  %s = shufflevector <4 x i16> %even, <4 x i16> %odd, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x i16> %s, ptr %slot, align 16
  %k1 = add i64 %k, 8
  %c = icmp ult i64 %k1, %n
  br i1 %c, label %loop, label %end
end:
  %t = load i16, ptr %slot, align 16
  store i16 %t, ptr %o, align 2
  ret void
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @g(ptr)
