; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %p, ptr noalias %q, <16 x i8> %w, i64 %n) {
entry:
  %first = load i8, ptr %p, align 1
  %v0 = insertelement <16 x i8> poison, i8 %first, i64 15
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <16 x i8> [ %v0, %entry ], [ %l, %loop ]
  %sum = phi <16 x i8> [ %w, %entry ], [ %r, %loop ]
  %given = shufflevector <16 x i8> %w, <16 x i8> poison, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0>
  %turned = shufflevector <16 x i8> %sum, <16 x i8> poison, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0>
  %i1 = or disjoint i64 %i, 1
  %a = getelementptr i8, ptr %p, i64 %i1
  %l = load <16 x i8>, ptr %a, align 1
  %s = shufflevector <16 x i8> %c, <16 x i8> %l, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %r0 = sub <16 x i8> %l, %s
  %r1 = xor <16 x i8> %r0, %given
  %r = add <16 x i8> %r1, %turned
  %o = getelementptr i8, ptr %q, i64 %i
  store <16 x i8> %r, ptr %o, align 1
  %next = add nuw i64 %i, 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

define void @tgt(ptr noalias %p, ptr noalias %q, <16 x i8> %w, i64 %n) {
entry:
  %first = load i8, ptr %p, align 1
  %v0 = insertelement <16 x i8> poison, i8 %first, i64 15
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <16 x i8> [ %v0, %entry ], [ %l, %loop ]
  %sum = phi <16 x i8> [ %w, %entry ], [ %r, %loop ]
  %given = shufflevector <16 x i8> %w, <16 x i8> poison, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0>
  %turned = shufflevector <16 x i8> %sum, <16 x i8> poison, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0>
  %i1 = or disjoint i64 %i, 1
  %a = getelementptr i8, ptr %p, i64 %i1
  %l = load <16 x i8>, ptr %a, align 1
  %s.at = getelementptr i8, ptr %a, i64 -1
  %s = load <16 x i8>, ptr %s.at, align 1
  %r0 = sub <16 x i8> %l, %s
  %r1 = xor <16 x i8> %r0, %given
  %r = add <16 x i8> %r1, %turned
  %o = getelementptr i8, ptr %q, i64 %i
  store <16 x i8> %r, ptr %o, align 1
  %next = add nuw i64 %i, 16
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
