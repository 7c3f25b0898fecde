; WANT: bad, unknown: not shown to be equal
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
  %r = add <8 x i16> %x, splat (i16 1)
  %st0 = getelementptr i16, ptr %o, i64 %i
  store <8 x i16> %r, ptr %st0, align 2
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
  %z = insertelement <8 x i16> %x, i16 4, i32 9
  %f = freeze <8 x i16> %z
  %r = sub <8 x i16> %f, splat (i16 -1)
  %st0 = getelementptr i16, ptr %o, i64 %i
  store <8 x i16> %r, ptr %st0, align 2
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
