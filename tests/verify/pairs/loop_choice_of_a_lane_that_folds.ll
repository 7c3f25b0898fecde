; WANT: bad, unknown: a choice of the source was made in another way
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
  %z = and <8 x i16> %x, <i16 0, i16 -1, i16 -1, i16 -1, i16 -1, i16 -1, i16 -1, i16 -1>
  %m = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> %z, <8 x i16> zeroinitializer)
  %r = shufflevector <8 x i16> %m, <8 x i16> poison, <8 x i32> zeroinitializer
  %s0 = shufflevector <8 x i16> %m, <8 x i16> poison, <8 x i32> zeroinitializer
  %s = xor <8 x i16> %s0, splat (i16 5)
  %st0 = getelementptr i16, ptr %o, i64 %i
  store <8 x i16> %r, ptr %st0, align 2
  %st1 = getelementptr i16, ptr %q, i64 %i
  store <8 x i16> %s, ptr %st1, align 2
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
  %z = and <8 x i16> %x, <i16 0, i16 -1, i16 -1, i16 -1, i16 -1, i16 -1, i16 -1, i16 -1>
  %zf = freeze <8 x i16> %z
  %r1 = lshr <8 x i16> %zf, splat (i16 1)
  %r2 = and <8 x i16> %zf, splat (i16 1)
  %r3 = add <8 x i16> %r1, %r2
  %r = shufflevector <8 x i16> %r3, <8 x i16> poison, <8 x i32> zeroinitializer
  %s = add <8 x i16> zeroinitializer, splat (i16 5)
  %st0 = getelementptr i16, ptr %o, i64 %i
  store <8 x i16> %r, ptr %st0, align 2
  %st1 = getelementptr i16, ptr %q, i64 %i
  store <8 x i16> %s, ptr %st1, align 2
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

declare <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16>, <8 x i16>)
