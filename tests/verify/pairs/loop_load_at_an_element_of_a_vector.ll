; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr %p, ptr %o, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr <4 x i32>, ptr %p, i64 0, i64 %i
  %x = load i32, ptr %a, align 4
  %r = add i32 %x, %x
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %r, ptr %q, align 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr %p, ptr %o, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr <4 x i32>, ptr %p, i64 0, i64 %i
  %x = load i32, ptr %a, align 4
  %r = shl i32 %x, 1
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %r, ptr %q, align 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
