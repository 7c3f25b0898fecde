; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  %start = insertelement <32 x i32> zeroinitializer, i32 %s, i64 0
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <32 x i32> [ %start, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <32 x i8>, ptr %px, align 1
  %py = getelementptr i8, ptr %b, i64 %i
  %y = load <32 x i8>, ptr %py, align 1
  %w = zext <32 x i8> %x to <32 x i32>
  %v = sext <32 x i8> %y to <32 x i32>
  %d = mul nsw <32 x i32> %w, %v
  %sum = add <32 x i32> %acc, %d
  %next = add i64 %i, 32
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v32i32(<32 x i32> %sum)
  ret i32 %r
}

define i32 @tgt(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  %start = insertelement <8 x i32> zeroinitializer, i32 %s, i64 0
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <8 x i32> [ %start, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <32 x i8>, ptr %px, align 1
  %py = getelementptr i8, ptr %b, i64 %i
  %y = load <32 x i8>, ptr %py, align 1
  %k = freeze <8 x i32> %acc
  %f = freeze <32 x i8> %x
  %g = freeze <32 x i8> %y
  %f0 = shufflevector <32 x i8> %f, <32 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %g0 = shufflevector <32 x i8> %g, <32 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %k0 = shufflevector <8 x i32> %k, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %s0 = call <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32> %k0, <16 x i8> %f0, <16 x i8> %g0)
  %f1 = shufflevector <32 x i8> %f, <32 x i8> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %g1 = shufflevector <32 x i8> %g, <32 x i8> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %k1 = shufflevector <8 x i32> %k, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %s1 = call <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32> %k1, <16 x i8> %f1, <16 x i8> %g1)
  %sum = shufflevector <4 x i32> %s0, <4 x i32> %s1, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  %next = add i64 %i, 32
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %sum)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.add.v32i32(<32 x i32>)

declare <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32>, <16 x i8>, <16 x i8>)
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
