; WANT: bad, unknown: was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %o, ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr i16, ptr %a, i64 %i
  %x = load <8 x i16>, ptr %pa, align 2
  %pb = getelementptr i16, ptr %b, i64 %i
  %y = load <8 x i16>, ptr %pb, align 2
  %xw = sext <8 x i16> %x to <8 x i32>
  %yw = sext <8 x i16> %y to <8 x i32>
  %p = mul nsw <8 x i32> %xw, %yw
  %h = lshr <8 x i32> %p, splat (i32 16)
  %r = trunc <8 x i32> %h to <8 x i16>
  %po = getelementptr i16, ptr %o, i64 %i
  store <8 x i16> %r, ptr %po, align 2
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr noalias %o, ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr i16, ptr %a, i64 %i
  %x = load <8 x i16>, ptr %pa, align 2
  %pb = getelementptr i16, ptr %b, i64 %i
  %y = load <8 x i16>, ptr %pb, align 2
  %fx = freeze <8 x i16> %x
  %fy = freeze <8 x i16> %y
  %r = call <8 x i16> @llvm.x86.sse2.pmulh.w(<8 x i16> %fx, <8 x i16> %fy)
  %po = getelementptr i16, ptr %o, i64 %i
  store <8 x i16> %r, ptr %po, align 16
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

declare <8 x i16> @llvm.x86.sse2.pmulh.w(<8 x i16>, <8 x i16>)
