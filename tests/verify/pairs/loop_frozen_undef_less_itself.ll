; WANT: bad, unknown: not shown to be equal
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %o, ptr noalias %q, <8 x i16> noundef %x, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %u = or <8 x i16> undef, %x
  %z = sub <8 x i16> %u, %u
  %m = freeze <8 x i16> %z
  %m0 = shufflevector <8 x i16> %m, <8 x i16> poison, <8 x i32> zeroinitializer
  %r = add <8 x i16> %m0, splat (i16 1)
  %s = add <8 x i16> %m, splat (i16 2)
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

define void @tgt(ptr noalias %o, ptr noalias %q, <8 x i16> noundef %x, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = add <8 x i16> zeroinitializer, splat (i16 1)
  %po = getelementptr i16, ptr %o, i64 %i
  store <8 x i16> %r, ptr %po, align 2
  %u = or <8 x i16> undef, %x
  %z = sub <8 x i16> %u, %u
  %m = freeze <8 x i16> %z
  %s = sub <8 x i16> %m, splat (i16 -2)
  %pq = getelementptr i16, ptr %q, i64 %i
  store <8 x i16> %s, ptr %pq, align 2
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
