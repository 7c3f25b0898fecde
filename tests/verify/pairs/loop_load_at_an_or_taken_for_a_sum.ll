; WANT: bad, unknown: reads what the source does not read there
target triple = "x86_64-pc-linux-gnu"

define i8 @src(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = phi i8 [ 0, %entry ], [ %s, %loop ]
  %k = or i64 %i, 1
  %a = getelementptr i8, ptr %p, i64 %k
  %v = load i8, ptr %a, align 1
  %s = add i8 %x, %v
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret i8 %s
}

define i8 @tgt(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = phi i8 [ 0, %entry ], [ %s, %loop ]
  %b = getelementptr i8, ptr %p, i64 %i
  %a = getelementptr i8, ptr %b, i64 1
  %v = load i8, ptr %a, align 1
  %s = add i8 %x, %v
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret i8 %s
}
