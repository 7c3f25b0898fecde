; WANT: bad, unknown: reduce to the same value
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <16 x i32> [ splat (i32 300), %entry ], [ %m, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <16 x i8>, ptr %px, align 1
  %w = zext <16 x i8> %x to <16 x i32>
  %m = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %acc, <16 x i32> %w)
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %q = call i32 @llvm.vector.reduce.smax.v16i32(<16 x i32> %m)
  %r = add i32 %q, 0
  ret i32 %r
}

define i32 @tgt(ptr %a, ptr %b, i32 %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <16 x i8> [ splat (i8 44), %entry ], [ %m, %loop ]
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <16 x i8>, ptr %px, align 1
  %m = call <16 x i8> @llvm.umax.v16i8(<16 x i8> %acc, <16 x i8> %x)
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %q = call i8 @llvm.vector.reduce.umax.v16i8(<16 x i8> %m)
  %r = zext i8 %q to i32
  ret i32 %r
}

declare <16 x i32> @llvm.smax.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i8> @llvm.umax.v16i8(<16 x i8>, <16 x i8>)
declare i32 @llvm.vector.reduce.smax.v16i32(<16 x i32>)
declare i8 @llvm.vector.reduce.umax.v16i8(<16 x i8>)
