; WANT: ok
define i32 @src(i32 noundef %n) {
entry:
  br label %loop

never:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ 7, %never ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = shl i32 %i, 1
  ret i32 %r
}
define i32 @tgt(i32 noundef %n) {
entry:
  br label %loop

never:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ 7, %never ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = add i32 %i, %i
  ret i32 %r
}
