; WANT: bad, unknown: a choice of the source was made in another way
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %o, ptr noalias %q, ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr i16, ptr %a, i64 %i
  %x = load <8 x i16>, ptr %pa, align 2
  %u = add <8 x i16> %x, zeroinitializer
  %m = call <8 x i16> @llvm.x86.sse2.pmulh.w(<8 x i16> %x, <8 x i16> splat (i16 256))
  %r = add <8 x i16> %m, splat (i16 1)
  %s = shl <8 x i16> %m, splat (i16 1)
  %po = getelementptr i16, ptr %o, i64 %i
  store <8 x i16> %r, ptr %po, align 2
  %pq = getelementptr i16, ptr %q, i64 %i
  store <8 x i16> %s, ptr %pq, align 2
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr noalias %o, ptr noalias %q, ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr i16, ptr %a, i64 %i
  %x = load <8 x i16>, ptr %pa, align 2
  %u = add <8 x i16> %x, zeroinitializer
  %w = shufflevector <8 x i16> %u, <8 x i16> %x, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %f = freeze <16 x i16> %w
  %low = shufflevector <16 x i16> %f, <16 x i16> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %high = shufflevector <16 x i16> %f, <16 x i16> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %m1 = ashr <8 x i16> %high, splat (i16 8)
  %m2 = ashr <8 x i16> %low, splat (i16 8)
  %r = sub <8 x i16> %m1, splat (i16 -1)
  %s = add <8 x i16> %m2, %m2
  %po = getelementptr i16, ptr %o, i64 %i
  store <8 x i16> %r, ptr %po, align 2
  %pq = getelementptr i16, ptr %q, i64 %i
  store <8 x i16> %s, ptr %pq, align 2
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

declare <8 x i16> @llvm.x86.sse2.pmulh.w(<8 x i16>, <8 x i16>)
