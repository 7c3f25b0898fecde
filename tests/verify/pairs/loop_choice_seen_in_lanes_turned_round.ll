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
  %m = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> %x, <8 x i16> zeroinitializer)
  %r = add <8 x i16> %m, splat (i16 1)
  %s = shufflevector <8 x i16> %m, <8 x i16> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
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
  %f = freeze <8 x i16> %x
  %mz1 = zext <8 x i16> %f to <8 x i32>
  %mz2 = zext <8 x i16> zeroinitializer to <8 x i32>
  %ma = add <8 x i32> %mz1, %mz2
  %mb = add <8 x i32> %ma, splat (i32 1)
  %mc = lshr <8 x i32> %mb, splat (i32 1)
  %m = trunc <8 x i32> %mc to <8 x i16>
  %r = sub <8 x i16> %m, splat (i16 -1)
  %sx = shufflevector <8 x i16> %x, <8 x i16> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %f2 = freeze <8 x i16> %sx
  %sz1 = zext <8 x i16> %f2 to <8 x i32>
  %sz2 = zext <8 x i16> zeroinitializer to <8 x i32>
  %sa = add <8 x i32> %sz1, %sz2
  %sb = add <8 x i32> %sa, splat (i32 1)
  %sc = lshr <8 x i32> %sb, splat (i32 1)
  %s = trunc <8 x i32> %sc to <8 x i16>
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
