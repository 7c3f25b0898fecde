; WANT: bad, unknown: was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <16 x i32> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <16 x i8>, ptr %px, align 1
  %py = getelementptr i8, ptr %b, i64 %i
  %y = load <16 x i8>, ptr %py, align 1
  %w = zext <16 x i8> %x to <16 x i32>
  %v = sext <16 x i8> %y to <16 x i32>
  %d = mul nsw <16 x i32> %w, %v
  %sum = add nsw <16 x i32> %acc, %d
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %sum)
  ret i32 %r
}

define i32 @tgt(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x i32> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <16 x i8>, ptr %px, align 1
  %py = getelementptr i8, ptr %b, i64 %i
  %y = load <16 x i8>, ptr %py, align 1
  %f = freeze <16 x i8> %x
  %g = freeze <16 x i8> %y
  %k = freeze <4 x i32> %acc
  %one = call <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32> %k, <16 x i8> %f, <16 x i8> %g)
  %sum = add <4 x i32> %one, %k
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sum)
  ret i32 %r
}

declare <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32>, <16 x i8>, <16 x i8>)
declare i32 @llvm.vector.reduce.add.v16i32(<16 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
