; WANT: bad, unknown: %r of 'ret' was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %b, <4 x i32> %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x i32> [ %s, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <4 x i8>, ptr %px, align 1
  %w = zext <4 x i8> %x to <4 x i32>
  %sum = add <4 x i32> %acc, %w
  %next = add i64 %i, 4
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sum)
  ret i32 %r
}

define i32 @tgt(ptr %a, ptr %b, <4 x i32> %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x i32> [ %s, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <4 x i8>, ptr %px, align 1
  %w = zext <4 x i8> %x to <4 x i32>
  %k = add <4 x i32> %acc, zeroinitializer
  %low = shufflevector <4 x i32> %k, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %high = shufflevector <4 x i32> %k, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
  %k4 = shufflevector <2 x i32> %low, <2 x i32> %high, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
  %sum = add <4 x i32> %k4, %w
  %next = add i64 %i, 4
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sum)
  ret i32 %r
}

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
