; WANT: bad, unknown: %r of 'ret' was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, i64 %n) {
entry:
  %first = load <4 x i32>, ptr %a, align 4
  br label %loop

loop:
  %i = phi i64 [ 4, %entry ], [ %next, %loop ]
  %before = phi <4 x i32> [ %first, %entry ], [ %x, %loop ]
  %acc = phi <4 x i32> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %px = getelementptr i32, ptr %a, i64 %i
  %x = load <4 x i32>, ptr %px, align 4
  %w = shufflevector <4 x i32> %before, <4 x i32> %x, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %sum = add <4 x i32> %acc, %w
  %next = add i64 %i, 4
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sum)
  ret i32 %r
}

define i32 @tgt(ptr %a, i64 %n) {
entry:
  %first = load <4 x i32>, ptr %a, align 4
  br label %loop

loop:
  %i = phi i64 [ 4, %entry ], [ %next, %loop ]
  %before = phi <4 x i32> [ %first, %entry ], [ %x, %loop ]
  %acc = phi <2 x i32> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %px = getelementptr i32, ptr %a, i64 %i
  %x = load <4 x i32>, ptr %px, align 4
  %w = shufflevector <4 x i32> %before, <4 x i32> %x, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %w0 = shufflevector <4 x i32> %w, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %w1 = shufflevector <4 x i32> %w, <4 x i32> poison, <2 x i32> <i32 2, i32 1>
  %s = add <2 x i32> %w0, %w1
  %k = shufflevector <2 x i32> %acc, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sum = add <2 x i32> %k, %s
  %next = add i64 %i, 4
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %sum)
  ret i32 %r
}

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)
