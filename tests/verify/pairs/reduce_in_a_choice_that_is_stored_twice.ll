; WANT: bad, unknown: would rest on accumulators
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %o, ptr noalias %p, ptr %a, i64 %n) {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %acc = phi <8 x i32> [ zeroinitializer, %entry ], [ %sum, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done

body:
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <8 x i8>, ptr %px, align 1
  %w = zext <8 x i8> %x to <8 x i32>
  %sum = add <8 x i32> %acc, %w
  %next = add i64 %i, 8
  br label %head

done:
  %r = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %acc)
  %v = insertelement <4 x i32> zeroinitializer, i32 %r, i64 0
  %h = call <4 x i32> @llvm.x86.ssse3.phadd.d.128(<4 x i32> %v, <4 x i32> zeroinitializer)
  %z = and <4 x i32> %v, zeroinitializer
  %u = add <4 x i32> %h, %z
  store <4 x i32> %u, ptr %o, align 4
  store <4 x i32> %u, ptr %p, align 4
  ret void
}

define void @tgt(ptr noalias %o, ptr noalias %p, ptr %a, i64 %n) {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %acc0 = phi <4 x i32> [ zeroinitializer, %entry ], [ %sum0, %body ]
  %acc1 = phi <4 x i32> [ zeroinitializer, %entry ], [ %sum1, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done

body:
  %px = getelementptr i8, ptr %a, i64 %i
  %x = load <8 x i8>, ptr %px, align 1
  %w = zext <8 x i8> %x to <8 x i32>
  %w0 = shufflevector <8 x i32> %w, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %w1 = shufflevector <8 x i32> %w, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %sum0 = add <4 x i32> %acc0, %w0
  %sum1 = add <4 x i32> %acc1, %w1
  %next = add i64 %i, 8
  br label %head

done:
  %s = add <4 x i32> %acc0, %acc1
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %s)
  %v = insertelement <4 x i32> zeroinitializer, i32 %r, i64 0
  store <4 x i32> %v, ptr %o, align 4
  store <4 x i32> %v, ptr %p, align 4
  ret void
}

declare <4 x i32> @llvm.x86.ssse3.phadd.d.128(<4 x i32>, <4 x i32>)
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
