; WANT: bad, unknown: was not shown to
define void @src(ptr noalias %q, i64 %n, i8 %x) {
entry:
  %f = freeze i8 %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %last = phi i8 [ 0, %entry ], [ %f, %loop ]
  %d = sub i8 %f, %last
  %o = getelementptr i8, ptr %q, i64 %i
  store i8 %d, ptr %o, align 1
  %i1 = add nuw i64 %i, 1
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @tgt(ptr noalias %q, i64 %n, i8 %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %last = phi i8 [ 0, %entry ], [ %f, %loop ]
  %f = freeze i8 %x
  %d = sub i8 %f, %last
  %o = getelementptr i8, ptr %q, i64 %i
  store i8 %d, ptr %o, align 1
  %i1 = add nuw i64 %i, 1
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
