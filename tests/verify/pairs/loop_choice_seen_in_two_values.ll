; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %o, ptr noalias %q, ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr i16, ptr %a, i64 %i
  %x = load <8 x i16>, ptr %pa, align 2
  %pb = getelementptr i16, ptr %b, i64 %i
  %y = load <8 x i16>, ptr %pb, align 2
  %m = call <8 x i16> @llvm.x86.sse2.pmulh.w(<8 x i16> %x, <8 x i16> %y)
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

define void @tgt(ptr noalias %o, ptr noalias %q, ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr i16, ptr %a, i64 %i
  %x = load <8 x i16>, ptr %pa, align 2
  %pb = getelementptr i16, ptr %b, i64 %i
  %y = load <8 x i16>, ptr %pb, align 2
  %x1 = freeze <8 x i16> %x
  %y1 = freeze <8 x i16> %y
  %xw1 = sext <8 x i16> %x1 to <8 x i32>
  %yw1 = sext <8 x i16> %y1 to <8 x i32>
  %p1 = mul nsw <8 x i32> %xw1, %yw1
  %h1 = lshr <8 x i32> %p1, splat (i32 16)
  %m1 = trunc <8 x i32> %h1 to <8 x i16>
  %xw2 = sext <8 x i16> %x1 to <8 x i32>
  %yw2 = sext <8 x i16> %y1 to <8 x i32>
  %p2 = mul nsw <8 x i32> %xw2, %yw2
  %h2 = lshr <8 x i32> %p2, splat (i32 16)
  %m2 = trunc <8 x i32> %h2 to <8 x i16>
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
