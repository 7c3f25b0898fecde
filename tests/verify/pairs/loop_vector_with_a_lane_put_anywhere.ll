; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr %p, ptr %o, i64 %n) {
entry:
  %first = load <4 x i32>, ptr %p, align 4
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <4 x i32> [ %first, %entry ], [ %w, %loop ]
  %r = add <4 x i32> %c, %c
  %q = getelementptr i32, ptr %o, i64 %i
  store <4 x i32> %r, ptr %q, align 4
  %w = insertelement <4 x i32> %first, i32 7, i64 %i
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr %p, ptr %o, i64 %n) {
entry:
  %first = load <4 x i32>, ptr %p, align 4
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <4 x i32> [ %first, %entry ], [ %w, %loop ]
  %r = shl <4 x i32> %c, splat (i32 1)
  %q = getelementptr i32, ptr %o, i64 %i
  store <4 x i32> %r, ptr %q, align 4
  %w = insertelement <4 x i32> %first, i32 7, i64 %i
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
