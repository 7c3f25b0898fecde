; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define i8 @src(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = phi ptr [ %p, %entry ], [ %to, %loop ]
  %v = load i8, ptr %at, align 1, !range !0, !noundef !1
  %l = load i64, ptr %at, align 1
  %to = inttoptr i64 %l to ptr
  %h = mul i8 %v, 2
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret i8 %h
}

define i8 @tgt(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = phi ptr [ %p, %entry ], [ %to, %loop ]
  %v = load i8, ptr %at, align 1, !range !0, !noundef !1
  %l = load i64, ptr %at, align 1
  %to = inttoptr i64 %l to ptr
  %h = shl i8 %v, 1
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret i8 %h
}

!0 = !{i8 0, i8 100}
!1 = !{}
