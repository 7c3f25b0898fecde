; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %o, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x i32> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %acs = phi <4 x i32> [ zeroinitializer, %entry ], [ %squares, %loop ]
  %px = getelementptr i32, ptr %a, i64 %i
  %x = load <4 x i32>, ptr %px, align 4
  %d = mul <4 x i32> %x, %x
  %sum = add <4 x i32> %acc, %x
  %squares = add <4 x i32> %acs, %d
  %next = add i64 %i, 4
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sum)
  %t = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %squares)
  store i32 %t, ptr %o, align 4
  ret i32 %r
}

define i32 @tgt(ptr %a, ptr %o, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <2 x i32> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %acs = phi <2 x i32> [ zeroinitializer, %entry ], [ %squares, %loop ]
  %px = getelementptr i32, ptr %a, i64 %i
  %x = load <4 x i32>, ptr %px, align 4
  %f = freeze <4 x i32> %x
  %d = mul <4 x i32> %f, %f
  %x0 = shufflevector <4 x i32> %f, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %x1 = shufflevector <4 x i32> %f, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
  %d0 = shufflevector <4 x i32> %d, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %d1 = shufflevector <4 x i32> %d, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
  %xs = add <2 x i32> %x0, %x1
  %ds = add <2 x i32> %d0, %d1
  %one = add <2 x i32> %acc, %xs
  %other = add <2 x i32> %acs, %ds
  %sum = shufflevector <2 x i32> %one, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %squares = shufflevector <2 x i32> %other, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %next = add i64 %i, 4
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %sum)
  %t = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %squares)
  store i32 %t, ptr %o, align 4
  ret i32 %r
}

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)
