; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr %a, ptr noalias %o, i64 %n, i1 noundef %c) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr i32, ptr %a, i64 %i
  %q = getelementptr i32, ptr %o, i64 %i
  br i1 %c, label %then, label %latch

then:
  %x = load i32, ptr %p, align 4
  %y = add i32 %x, %x
  store i32 %y, ptr %q, align 4
  br label %latch

latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr %a, ptr noalias %o, i64 %n, i1 noundef %c) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr i32, ptr %a, i64 %i
  %q = getelementptr i32, ptr %o, i64 %i
  br i1 %c, label %then, label %latch

then:
  %x = load i32, ptr %p, align 4
  %y = shl i32 %x, 1
  store i32 %y, ptr %q, align 4
  br label %latch

latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
