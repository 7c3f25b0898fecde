; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <8 x i32> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %px = getelementptr i16, ptr %a, i64 %i
  %x = load <8 x i16>, ptr %px, align 1
  %py = getelementptr i16, ptr %b, i64 %i
  %y = load <8 x i16>, ptr %py, align 1
  %w = sext <8 x i16> %x to <8 x i32>
  %v = sext <8 x i16> %y to <8 x i32>
  %d = mul nsw <8 x i32> %w, %v
  %sum = add nsw <8 x i32> %acc, %d
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %sum)
  ret i32 %r
}

define i32 @tgt(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x i32> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %px = getelementptr i16, ptr %a, i64 %i
  %x = load <8 x i16>, ptr %px, align 1
  %py = getelementptr i16, ptr %b, i64 %i
  %y = load <8 x i16>, ptr %py, align 1
  %f = freeze <8 x i16> %x
  %g = freeze <8 x i16> %y
  %d = call <4 x i32> @llvm.x86.sse2.pmadd.wd(<8 x i16> %f, <8 x i16> %g)
  %sum = add <4 x i32> %acc, %d
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sum)
  ret i32 %r
}

declare <4 x i32> @llvm.x86.sse2.pmadd.wd(<8 x i16>, <8 x i16>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
