; WANT: bad, unknown: a choice of the source was made in another way
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %o, ptr noalias %q, <2 x i16> %x, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %y = add <2 x i16> %x, zeroinitializer
  %w = shufflevector <2 x i16> %y, <2 x i16> %y, <8 x i32> <i32 0, i32 2, i32 1, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %v = shufflevector <8 x i16> %w, <8 x i16> zeroinitializer, <8 x i32> <i32 0, i32 1, i32 2, i32 11, i32 12, i32 13, i32 14, i32 15>
  %m = call <8 x i16> @llvm.x86.ssse3.phsub.w.128(<8 x i16> %v, <8 x i16> zeroinitializer)
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

define void @tgt(ptr noalias %o, ptr noalias %q, <2 x i16> %x, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %f0 = freeze <2 x i16> %x
  %f1 = freeze <2 x i16> %x
  %d = sub <2 x i16> %f0, %f1
  %d0 = extractelement <2 x i16> %d, i64 0
  %e1 = extractelement <2 x i16> %f0, i64 1
  %m0 = insertelement <8 x i16> zeroinitializer, i16 %d0, i64 0
  %m1 = insertelement <8 x i16> %m0, i16 %e1, i64 1
  %r = add <8 x i16> zeroinitializer, splat (i16 1)
  %s = sub <8 x i16> %m1, splat (i16 -2)
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

declare <8 x i16> @llvm.x86.ssse3.phsub.w.128(<8 x i16>, <8 x i16>)
