; WANT: bad, unknown: reduce to the same value
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  %start = insertelement <16 x i32> zeroinitializer, i32 %s, i64 0
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <16 x i32> [ %start, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <16 x i8>, ptr %px, align 1
  %w = zext <16 x i8> %x to <16 x i32>
  %sum = add  <16 x i32> %acc, %w
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %sum)
  ret i32 %r
}

define i32 @tgt(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  %wide = zext i32 %s to i64
  %one = insertelement <2 x i64> poison, i64 %wide, i64 0
  %start = shufflevector <2 x i64> %one, <2 x i64> poison, <2 x i32> zeroinitializer
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <2 x i64> [ %start, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <16 x i8>, ptr %px, align 1
  %g0 = shufflevector <16 x i8> %x, <16 x i8> poison, <2 x i32> <i32 0, i32 8>
  %h0 = zext <2 x i8> %g0 to <2 x i64>
  %g1 = shufflevector <16 x i8> %x, <16 x i8> poison, <2 x i32> <i32 1, i32 9>
  %h1 = zext <2 x i8> %g1 to <2 x i64>
  %g2 = shufflevector <16 x i8> %x, <16 x i8> poison, <2 x i32> <i32 2, i32 10>
  %h2 = zext <2 x i8> %g2 to <2 x i64>
  %g3 = shufflevector <16 x i8> %x, <16 x i8> poison, <2 x i32> <i32 3, i32 11>
  %h3 = zext <2 x i8> %g3 to <2 x i64>
  %g4 = shufflevector <16 x i8> %x, <16 x i8> poison, <2 x i32> <i32 4, i32 12>
  %h4 = zext <2 x i8> %g4 to <2 x i64>
  %g5 = shufflevector <16 x i8> %x, <16 x i8> poison, <2 x i32> <i32 5, i32 13>
  %h5 = zext <2 x i8> %g5 to <2 x i64>
  %g6 = shufflevector <16 x i8> %x, <16 x i8> poison, <2 x i32> <i32 6, i32 14>
  %h6 = zext <2 x i8> %g6 to <2 x i64>
  %g7 = shufflevector <16 x i8> %x, <16 x i8> poison, <2 x i32> <i32 7, i32 15>
  %h7 = zext <2 x i8> %g7 to <2 x i64>
  %t0 = add <2 x i64> %h0, %h1
  %t1 = add <2 x i64> %t0, %h2
  %t2 = add <2 x i64> %t1, %h3
  %t3 = add <2 x i64> %t2, %h4
  %t4 = add <2 x i64> %t3, %h5
  %t5 = add <2 x i64> %t4, %h6
  %t6 = add <2 x i64> %t5, %h7
  %sum = add <2 x i64> %acc, %t6
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %q = call i64 @llvm.vector.reduce.add.v2i64(<2 x i64> %sum)
  %r = trunc i64 %q to i32
  ret i32 %r
}

declare i32 @llvm.vector.reduce.add.v16i32(<16 x i32>)
declare i64 @llvm.vector.reduce.add.v2i64(<2 x i64>)
