; WANT: bad, unknown: was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, i64 %n, i32 %start) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ %start, %entry ], [ %r, %loop ]
  %v = insertelement <4 x i32> <i32 poison, i32 0, i32 0, i32 0>, i32 %s, i64 0
  %p = getelementptr i8, ptr %a, i64 %i
  %x = load <4 x i8>, ptr %p, align 1
  %z = zext <4 x i8> %x to <4 x i32>
  %w = add <4 x i32> %z, %v
  %t = add <4 x i32> %w, %v
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %t)
  %next = add i64 %i, 4
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret i32 %r
}

define i32 @tgt(ptr %a, i64 %n, i32 %start) {
entry:
  %first = insertelement <4 x i32> zeroinitializer, i32 %start, i64 0
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = phi <4 x i32> [ %first, %entry ], [ %t, %loop ]
  %p = getelementptr i8, ptr %a, i64 %i
  %x = load <4 x i8>, ptr %p, align 1
  %z = zext <4 x i8> %x to <4 x i32>
  %t = add <4 x i32> %z, %v
  %next = add i64 %i, 4
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %t)
  ret i32 %r
}

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
