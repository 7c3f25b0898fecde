; WANT: ok
target triple = "x86_64-pc-linux-gnu"

@table = global [64 x i16] zeroinitializer

define void @src(ptr noalias %o, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = phi ptr [ @table, %entry ], [ %p2, %loop ]
  %x = load <4 x i16>, ptr %p, align 2
  store i8 0, ptr %o, align 1
  %p1 = getelementptr i8, ptr %p, i64 8
  %y = load <4 x i16>, ptr %p1, align 2
  %s = add <4 x i16> %x, %y
  %q = getelementptr i8, ptr %o, i64 %i
  store <4 x i16> %s, ptr %q, align 2
  %p2 = getelementptr i8, ptr %p, i64 16
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr noalias %o, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = phi ptr [ @table, %entry ], [ %p2, %loop ]
  store i8 0, ptr %o, align 1
  %both = load <8 x i16>, ptr %p, align 2
  %x = shufflevector <8 x i16> %both, <8 x i16> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %y = shufflevector <8 x i16> %both, <8 x i16> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %s = add <4 x i16> %x, %y
  %q = getelementptr i8, ptr %o, i64 %i
  store <4 x i16> %s, ptr %q, align 2
  %p2 = getelementptr i8, ptr %p, i64 16
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
