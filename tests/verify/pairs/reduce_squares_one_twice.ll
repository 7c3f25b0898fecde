; WANT: bad, unknown: was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <8 x i32> [ zeroinitializer, %entry ], [ %t, %loop ]
  %pa = getelementptr i8, ptr %a, i64 %i
  %pb = getelementptr i8, ptr %b, i64 %i
  %x = load <8 x i8>, ptr %pa, align 1
  %y = load <8 x i8>, ptr %pb, align 1
  %u = zext <8 x i8> %x to <8 x i32>
  %v = zext <8 x i8> %y to <8 x i32>
  %d = sub nsw <8 x i32> %u, %v
  %q = mul nsw <8 x i32> %d, %d
  %t = add <8 x i32> %q, %s
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %t)
  ret i32 %r
}

define i32 @tgt(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <4 x i32> [ zeroinitializer, %entry ], [ %t, %loop ]
  %pa = getelementptr i8, ptr %a, i64 %i
  %pb = getelementptr i8, ptr %b, i64 %i
  %x = load <8 x i8>, ptr %pa, align 1
  %y = load <8 x i8>, ptr %pb, align 1
  %u = zext <8 x i8> %x to <8 x i32>
  %v = zext <8 x i8> %y to <8 x i32>
  %d = sub nsw <8 x i32> %u, %v
  %q = mul nsw <8 x i32> %d, %d
  %e = shufflevector <8 x i32> %q, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %o = shufflevector <8 x i32> %q, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 6>
  %p = add <4 x i32> %e, %o
  %t = add <4 x i32> %s, %p
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %t)
  ret i32 %r
}

declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
