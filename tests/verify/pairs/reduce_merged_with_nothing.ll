; WANT: ok
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %p, i64 %n) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %d, label %l
l:
  %i = phi i64 [ 0, %entry ], [ %i1, %l ]
  %m = phi <4 x i32> [ zeroinitializer, %entry ], [ %m1, %l ]
  %q = getelementptr i32, ptr %p, i64 %i
  %x = load <4 x i32>, ptr %q, align 4
  %y = add <4 x i32> %x, %x
  %m1 = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %m, <4 x i32> %y)
  %i1 = add i64 %i, 4
  %c = icmp ne i64 %i1, %n
  br i1 %c, label %l, label %e
e:
  %r = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> %m1)
  br label %d
d:
  %z = phi i32 [ 0, %entry ], [ %r, %e ]
  ret i32 %z
}
define i32 @tgt(ptr %p, i64 %n) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %d, label %l
l:
  %i = phi i64 [ 0, %entry ], [ %i1, %l ]
  %m = phi <4 x i32> [ zeroinitializer, %entry ], [ %m1, %l ]
  %q = getelementptr i32, ptr %p, i64 %i
  %x = load <4 x i32>, ptr %q, align 4
  %y = shl <4 x i32> %x, splat (i32 1)
  %t = shufflevector <4 x i32> %y, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %m1 = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %m, <4 x i32> %t)
  %i1 = add i64 %i, 4
  %c = icmp ne i64 %i1, %n
  br i1 %c, label %l, label %e
e:
  %r = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> %m1)
  br label %d
d:
  %z = phi i32 [ 0, %entry ], [ %r, %e ]
  ret i32 %z
}
