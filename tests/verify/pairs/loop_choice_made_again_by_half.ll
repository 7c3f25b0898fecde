; WANT: bad, unknown: would have to fit several
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %o, ptr %a, ptr %b, i64 %n) {
entry:
  %y = load <8 x i16>, ptr %b, align 2
  %x = load <8 x i16>, ptr %a, align 2
  %r = call <8 x i16> @llvm.x86.sse2.pmulh.w(<8 x i16> %x, <8 x i16> %y)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
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
  %y = load <8 x i16>, ptr %b, align 2
  %x = load <8 x i16>, ptr %a, align 2
  %y1 = freeze <8 x i16> %y
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x1 = freeze <8 x i16> %x
  %xw1 = sext <8 x i16> %x1 to <8 x i32>
  %yw1 = sext <8 x i16> %y1 to <8 x i32>
  %p1 = mul nsw <8 x i32> %xw1, %yw1
  %h1 = lshr <8 x i32> %p1, splat (i32 16)
  %r = trunc <8 x i32> %h1 to <8 x i16>
  %po = getelementptr i16, ptr %o, i64 %i
  store <8 x i16> %r, ptr %po, align 2
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

declare <8 x i16> @llvm.x86.sse2.pmulh.w(<8 x i16>, <8 x i16>)
