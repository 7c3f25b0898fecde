; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define i32 @src(i32 %n) {
entry:
  br label %loop

loop:
  %p = phi i32 [ 0, %entry ], [ %p1, %loop ]
  %q = phi i32 [ 0, %entry ], [ %q1, %loop ]
  %dead = phi i32 [ 7, %entry ], [ %p, %loop ]
  %p1 = add i32 %p, 1
  %q1 = add i32 %q, %p
  %more = icmp ult i32 %p1, %n
  br i1 %more, label %loop, label %done

done:
  ret i32 %q1
}

define i32 @tgt(i32 %n) {
entry:
  br label %loop

loop:
  %q = phi i32 [ 0, %entry ], [ %q1, %loop ]
  %p = phi i32 [ 0, %entry ], [ %p1, %loop ]
  %dead = phi i32 [ 7, %entry ], [ %p, %loop ]
  %p1 = add i32 %p, 1
  %q1 = add i32 %q, %p
  %more = icmp ult i32 %p1, %n
  br i1 %more, label %loop, label %done

done:
  ret i32 %q1
}
