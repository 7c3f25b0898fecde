; WANT: bad, unknown: was not shown
target triple = "x86_64-pc-linux-gnu"

define i8 @src(ptr %p, i8 %u, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = phi i8 [ 0, %entry ], [ %s, %loop ]
  %b = and i8 %u, 1
  %t = mul i8 %b, 2
  %s = xor i8 %x, %t
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret i8 %s
}

define i8 @tgt(ptr %p, i8 %u, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = phi i8 [ 0, %entry ], [ %s, %loop ]
  %b = and i8 %u, 1
  %t = add i8 %b, %b
  %s = xor i8 %x, %t
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret i8 %s
}
