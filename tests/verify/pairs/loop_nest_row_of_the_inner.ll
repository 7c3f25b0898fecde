; WANT: bad, unknown: %inner
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr %a, i64 %n) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %row = mul i64 %i, 64
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j1, %inner ]
  %at = add i64 %row, %j
  %p = getelementptr i16, ptr %a, i64 %at
  %x = load i16, ptr %p, align 2
  %w = zext i16 %x to i32
  %y = mul i32 %w, 8
  %z = trunc i32 %y to i16
  store i16 %z, ptr %p, align 2
  %j1 = add i64 %j, 1
  %more = icmp ne i64 %j1, 64
  br i1 %more, label %inner, label %latch

latch:
  %i1 = add i64 %i, 1
  %rows = icmp ult i64 %i1, %n
  br i1 %rows, label %outer, label %done

done:
  ret void
}

define void @tgt(ptr %a, i64 %n) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %row = mul i64 %i, 64
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j1, %inner ]
  %at = add i64 %row, %i
  %p = getelementptr i16, ptr %a, i64 %at
  %x = load i16, ptr %p, align 2
  %w = zext i16 %x to i32
  %y = mul i32 %w, 8
  %z = trunc i32 %y to i16
  store i16 %z, ptr %p, align 2
  %j1 = add i64 %j, 1
  %more = icmp ne i64 %j1, 64
  br i1 %more, label %inner, label %latch

latch:
  %i1 = add i64 %i, 1
  %rows = icmp ult i64 %i1, %n
  br i1 %rows, label %outer, label %done

done:
  ret void
}
