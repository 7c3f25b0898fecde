; WANT: bad, unknown: reads what the source does not read there
; an index that may be undef is looked at twice, which the source does not do
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %p, ptr noalias %q, i64 %n, i64 %x) {
entry:
  %b = getelementptr [0 x i8], ptr %p, i64 %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i8, ptr %b, i64 %i
  %l = load i8, ptr %a, align 1
  %o = getelementptr i8, ptr %q, i64 %i
  store i8 %l, ptr %o, align 1
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @tgt(ptr noalias %p, ptr noalias %q, i64 %n, i64 %x) {
entry:
  %z = sub i64 %x, %x
  %b = getelementptr i8, ptr %p, i64 %z
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i8, ptr %b, i64 %i
  %l = load i8, ptr %a, align 1
  %o = getelementptr i8, ptr %q, i64 %i
  store i8 %l, ptr %o, align 1
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
