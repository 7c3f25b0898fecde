; WANT: ok
declare <4 x i8> @llvm.ctpop.v4i8(<4 x i8>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)
define i32 @src(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi <4 x i32> [ zeroinitializer, %entry ], [ %t, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  %x = load <4 x i8>, ptr %q, align 1
  %c = call range(i8 0, 9) <4 x i8> @llvm.ctpop.v4i8(<4 x i8> %x)
  %w = zext nneg <4 x i8> %c to <4 x i32>
  %t = add <4 x i32> %s, %w
  %j = add i64 %i, 4
  %e = icmp eq i64 %j, %n
  br i1 %e, label %exit, label %loop
exit:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %t)
  ret i32 %r
}
define i32 @tgt(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi <2 x i32> [ zeroinitializer, %entry ], [ %t, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  %x = load <4 x i8>, ptr %q, align 1
  %c = call range(i8 0, 9) <4 x i8> @llvm.ctpop.v4i8(<4 x i8> %x)
  %w = zext <4 x i8> %c to <4 x i32>
  %a = shufflevector <4 x i32> %w, <4 x i32> poison, <2 x i32> <i32 0, i32 2>
  %b = shufflevector <4 x i32> %w, <4 x i32> poison, <2 x i32> <i32 1, i32 3>
  %ab = add <2 x i32> %a, %b
  %t = add <2 x i32> %s, %ab
  %j = add i64 %i, 4
  %e = icmp eq i64 %j, %n
  br i1 %e, label %exit, label %loop
exit:
  %r = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %t)
  ret i32 %r
}
