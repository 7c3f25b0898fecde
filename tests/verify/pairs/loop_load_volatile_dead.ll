; WANT: bad, unknown: %loop
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr %a, ptr %b, ptr noalias %o, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %q = getelementptr i32, ptr %b, i64 %i
  %x = load volatile i32, ptr %p, align 4
  store i32 7, ptr %q, align 4
  %y = load i32, ptr %p, align 4
  %s = mul i32 %y, 3
  %r = getelementptr i32, ptr %o, i64 %i
  store i32 %s, ptr %r, align 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr %a, ptr %b, ptr noalias %o, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %q = getelementptr i32, ptr %b, i64 %i
  store i32 7, ptr %q, align 4
  %y = load i32, ptr %p, align 4
  %s = mul i32 %y, 3
  %r = getelementptr i32, ptr %o, i64 %i
  store i32 %s, ptr %r, align 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
