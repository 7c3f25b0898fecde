; WANT: bad, unknown: reads what the source does not read there
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %p, ptr noalias %q, i8 %z, i1 %some, i64 %n) {
entry:
  %first.byte = load i8, ptr %p, align 1
  br i1 %some, label %first, label %exit

first:
  %v0 = insertelement <16 x i8> poison, i8 %first.byte, i64 15
  store i8 %z, ptr %p, align 1
  br label %loop

loop:
  %i = phi i64 [ 0, %first ], [ %next, %loop ]
  %c = phi <16 x i8> [ %v0, %first ], [ %l, %loop ]
  %i1 = or disjoint i64 %i, 1
  %a = getelementptr i8, ptr %p, i64 %i1
  %l = load <16 x i8>, ptr %a, align 1
  %s = shufflevector <16 x i8> %c, <16 x i8> %l, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %r = sub <16 x i8> %l, %s
  %o = getelementptr i8, ptr %q, i64 %i
  store <16 x i8> %r, ptr %o, align 1
  %next = add nuw i64 %i, 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

define void @tgt(ptr noalias %p, ptr noalias %q, i8 %z, i1 %some, i64 %n) {
entry:
  br i1 %some, label %first, label %exit

first:
  store i8 %z, ptr %p, align 1
  br label %loop

loop:
  %i = phi i64 [ 0, %first ], [ %next, %loop ]
  %i1 = or disjoint i64 %i, 1
  %a = getelementptr i8, ptr %p, i64 %i1
  %l = load <16 x i8>, ptr %a, align 1
  %s.at = getelementptr i8, ptr %a, i64 -1
  %s = load <16 x i8>, ptr %s.at, align 1
  %r = sub <16 x i8> %l, %s
  %o = getelementptr i8, ptr %q, i64 %i
  store <16 x i8> %r, ptr %o, align 1
  %next = add nuw i64 %i, 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
