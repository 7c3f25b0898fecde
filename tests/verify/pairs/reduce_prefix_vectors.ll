; WANT: bad, unknown: was not shown to
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define i32 @src(ptr %p, ptr %q, i64 %n)  {
entry:

  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %acc = phi <4 x i32> [ zeroinitializer, %entry ], [ %acc1, %loop ]

  %g = getelementptr i8, ptr %p, i64 %i
  %x = load <16 x i8>, ptr %g, align 1
  %xa = shufflevector <16 x i8> %x, <16 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %xb = shufflevector <16 x i8> %x, <16 x i8> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %xc = shufflevector <16 x i8> %x, <16 x i8> poison, <4 x i32> <i32 8, i32 9, i32 10, i32 11>
  %xd = shufflevector <16 x i8> %x, <16 x i8> poison, <4 x i32> <i32 12, i32 13, i32 14, i32 15>
  %za = zext <4 x i8> %xa to <4 x i32>
  %zb = zext <4 x i8> %xb to <4 x i32>
  %zc = zext <4 x i8> %xc to <4 x i32>
  %zd = zext <4 x i8> %xd to <4 x i32>
  %s1 = add <4 x i32> %za, %zb
  %s2 = add <4 x i32> %zc, %zd
  %s3 = add <4 x i32> %s1, %s2
  %acc1 = add <4 x i32> %acc, %s3
  %r0 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %acc1)
  %oo = getelementptr i8, ptr %q, i64 %i
  store <4 x i32> %acc1, ptr %oo, align 1
  %i1 = add nuw i64 %i, 16
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %acc1)
  ret i32 %r
}
define i32 @tgt(ptr %p, ptr %q, i64 %n)  {
entry:

  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %acc = phi <4 x i32> [ zeroinitializer, %entry ], [ %acc1, %loop ]

  %g = getelementptr i8, ptr %p, i64 %i
  %x = load <16 x i8>, ptr %g, align 1
  %f = freeze <16 x i8> %x
  %ps = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %f, <16 x i8> zeroinitializer)
  %psb = bitcast <2 x i64> %ps to <4 x i32>
  %acc1 = add <4 x i32> %acc, %psb
  %r0 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %acc1)
  %oo = getelementptr i8, ptr %q, i64 %i
  store <4 x i32> %acc1, ptr %oo, align 1
  %i1 = add nuw i64 %i, 16
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %acc1)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
declare i32 @llvm.vector.reduce.add.v16i32(<16 x i32>)
declare <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8>, <16 x i8>)

