; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define i8 @src(ptr %p, ptr noalias %q, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %x = phi i8 [ 0, %entry ], [ %s, %more ]
  %a = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %a, align 1
  %h = mul i8 %v, 2
  %s = add i8 %x, %h
  br label %more

more:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret i8 %s
}

define i8 @tgt(ptr %p, ptr noalias %q, i64 %n) {
start:
  br label %body

body:
  %i = phi i64 [ 0, %start ], [ %next, %latch ]
  %x = phi i8 [ 0, %start ], [ %s, %latch ]
  %a = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %a, align 1
  %h = shl i8 %v, 1
  %s = add i8 %x, %h
  br label %latch

latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %body

end:
  ret i8 %s
}
