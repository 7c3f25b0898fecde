; WANT: bad, unknown: was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr %a, ptr noalias %o, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %a, i64 %i
  %x = load <4 x i16>, ptr %p, align 2
  %p1 = getelementptr i8, ptr %p, i64 8
  %in = getelementptr inbounds i8, ptr %p, i64 4
  %y = load <4 x i16>, ptr %p1, align 2
  %s = add <4 x i16> %x, %y
  %q = getelementptr i8, ptr %o, i64 %i
  store <4 x i16> %s, ptr %p1, align 2
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr %a, ptr noalias %o, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %a, i64 %i
  %x = load <4 x i16>, ptr %p, align 2
  %p1 = getelementptr i8, ptr %p, i64 8
  %in = getelementptr inbounds i8, ptr %p, i64 4
  %y = load <4 x i16>, ptr %p1, align 2
  %s = add <4 x i16> %x, %y
  %q = getelementptr i8, ptr %o, i64 %i
  %p9 = getelementptr i8, ptr %in, i64 4
  store <4 x i16> %s, ptr %p9, align 2
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
