; WANT: bad, unknown: %r of 'ret' was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  %start = insertelement <8 x i32> zeroinitializer, i32 %s, i64 0
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <8 x i32> [ %start, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <8 x i8>, ptr %px, align 1
  %py = getelementptr i8, ptr %b, i64 %i
  %y = load <8 x i8>, ptr %py, align 1
  %w = zext <8 x i8> %x to <8 x i32>
  %v = sext <8 x i8> %y to <8 x i32>
  %d = mul nsw <8 x i32> %w, %v
  %sum = add <8 x i32> %acc, %d
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %sum)
  ret i32 %r
}

define i32 @tgt(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  %start = insertelement <4 x i32> zeroinitializer, i32 %s, i64 0
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x i32> [ %start, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <8 x i8>, ptr %px, align 1
  %py = getelementptr i8, ptr %b, i64 %i
  %y = load <8 x i8>, ptr %py, align 1
  %f = freeze <8 x i8> %x
  %g = freeze <8 x i8> %y
  %f16 = shufflevector <8 x i8> %f, <8 x i8> zeroinitializer, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %g16 = shufflevector <8 x i8> %g, <8 x i8> zeroinitializer, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %d = call <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32> zeroinitializer, <16 x i8> %f16, <16 x i8> %g16)
  %k = freeze <4 x i32> %acc
  %low = shufflevector <4 x i32> %k, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %high = shufflevector <4 x i32> %k, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
  %both = add <2 x i32> %low, %high
  %free = freeze <2 x i32> poison
  %k4 = shufflevector <2 x i32> %both, <2 x i32> %free, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %sum = add <4 x i32> %k4, %d
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sum)
  ret i32 %r
}

declare <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32>, <16 x i8>, <16 x i8>)
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
