; WANT: bad, unknown: was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr %a, ptr %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = call i8 @autollvm.f(i8 0)
  %pb = getelementptr i8, ptr %b, i64 %i
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
  %pb = getelementptr i8, ptr %b, i64 %i
  store i8 0, ptr %pb, align 1
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, 64
  br i1 %more, label %loop, label %done

done:
  ret void
}

declare i8 @autollvm.f(i8) memory(none) willreturn
