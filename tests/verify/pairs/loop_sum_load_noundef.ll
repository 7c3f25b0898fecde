; WANT: bad, unknown: reads what the source does not read
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4
  %y = mul i32 %x, 4
  %sum1 = add i32 %sum, %y
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = phi i32 [ %sum1, %loop ]
  ret i32 %r
}

define i32 @tgt(ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4, !noundef !0
  %y = mul i32 %x, 4
  %sum1 = add i32 %sum, %y
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = phi i32 [ %sum1, %loop ]
  ret i32 %r
}

!0 = !{}
