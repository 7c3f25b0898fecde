; WANT: bad
target triple = "x86_64-pc-linux-gnu"
%one = type { i8 }
%two = type { i16 }

define void @src(ptr %a, ptr %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %one = load i64, ptr %a, align 8
  %pb = getelementptr %one, ptr %b, i64 %i
  store i8 0, ptr %pb, align 1
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, 64
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr %a, ptr %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %two = load i64, ptr %a, align 8
  %pb = getelementptr %two, ptr %b, i64 %i
  store i8 0, ptr %pb, align 1
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, 64
  br i1 %more, label %loop, label %done

done:
  ret void
}
