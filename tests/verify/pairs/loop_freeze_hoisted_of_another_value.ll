; WANT: bad, unknown: was not shown to stay
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define void @src(ptr noalias %q, i64 %n, i8 %x, i8 %z) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %f = freeze i8 %x
  %o = getelementptr i8, ptr %q, i64 %i
  store i8 %f, ptr %o, align 1
  %i1 = add nuw i64 %i, 1
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @tgt(ptr noalias %q, i64 %n, i8 %x, i8 %z) {
entry:
  %f = freeze i8 %z
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %o = getelementptr i8, ptr %q, i64 %i
  store i8 %f, ptr %o, align 1
  %i1 = add nuw i64 %i, 1
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

