; WANT: bad, unknown: was not shown to stay what it is
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <16 x i32> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <16 x i8>, ptr %px, align 1
  %w = zext <16 x i8> %x to <16 x i32>
  %sum = add nuw nsw <16 x i32> %acc, %w
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
  %g0 = shufflevector <16 x i8> %x, <16 x i8> poison, <4 x i32> <i32 0, i32 4, i32 8, i32 12>
  %h0 = zext <4 x i8> %g0 to <4 x i32>
  %g1 = shufflevector <16 x i8> %x, <16 x i8> poison, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
  %h1 = zext <4 x i8> %g1 to <4 x i32>
  %g2 = shufflevector <16 x i8> %x, <16 x i8> poison, <4 x i32> <i32 2, i32 6, i32 10, i32 14>
  %h2 = zext <4 x i8> %g2 to <4 x i32>
  %g3 = shufflevector <16 x i8> %x, <16 x i8> poison, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
  %h3 = zext <4 x i8> %g3 to <4 x i32>
  %t0 = add <4 x i32> %h0, %h1
  %t1 = add <4 x i32> %t0, %h2
  %t2 = add <4 x i32> %t1, %h3
  %sum = add nsw <4 x i32> %acc, %t2
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %q = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sum)
  %r = add i32 %q, 0
  ret i32 %r
}

declare i32 @llvm.vector.reduce.add.v16i32(<16 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
