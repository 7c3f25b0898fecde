; WANT: bad, unknown: was not shown
target triple = "x86_64-pc-linux-gnu"

define i8 @src(ptr %p, i8 %u, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = phi i8 [ 0, %entry ], [ %s, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %a, align 1, !noundef !0
  %t = add i8 %v, %v
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
  %a = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %a, align 1, !noundef !0
  %w = add nsw i8 %v, %v
  %t = freeze i8 %w
  %s = xor i8 %x, %t
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret i8 %s
}

!0 = !{}
