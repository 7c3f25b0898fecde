; WANT: bad, unknown: was not shown to stay what it is
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi i32 [ %s, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <16 x i8>, ptr %px, align 1
  %w = zext <16 x i8> %x to <16 x i32>
  %one = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %w)
  %sum = add i32 %one, %acc
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret i32 %sum
}

define i32 @tgt(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  %start = insertelement <16 x i32> zeroinitializer, i32 %s, i64 0
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <16 x i32> [ %start, %entry ], [ %sum, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <16 x i8>, ptr %px, align 1
  %w = zext <16 x i8> %x to <16 x i32>
  %sum = add <16 x i32> %acc, %w
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %acc)
  ret i32 %r
}

declare i32 @llvm.vector.reduce.add.v16i32(<16 x i32>)
