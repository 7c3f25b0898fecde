; WANT: bad, unknown: %loop
target triple = "x86_64-pc-linux-gnu"

define i32 @src(i32 %n, i32 %a, i32 %b) {
entry:
  br label %loop

loop:
  %x = phi i32 [ %a, %entry ], [ %y, %loop ]
  %y = phi i32 [ %b, %entry ], [ %x, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret i32 %x
}

define i32 @tgt(i32 %n, i32 %a, i32 %b) {
entry:
  br label %loop

loop:
  %x = phi i32 [ %a, %entry ], [ %x, %loop ]
  %y = phi i32 [ %b, %entry ], [ %y, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret i32 %x
}
