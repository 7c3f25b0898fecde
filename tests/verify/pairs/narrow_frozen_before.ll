; WANT: bad, unknown: is no phi of the source
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %p, ptr noalias %q) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <4 x i32> [ zeroinitializer, %entry ], [ %n, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  %to = getelementptr i8, ptr %q, i64 %i
  %x = load <4 x i8>, ptr %at, align 1
  %to2 = getelementptr i8, ptr %to, i64 4
  %z = zext <4 x i8> %x to <4 x i32>
  %m = add nuw <4 x i32> %z, splat (i32 -200)
  %g = and <4 x i32> %m, splat (i32 -1)
  %n = freeze <4 x i32> %g
  %r = lshr <4 x i32> %s, splat (i32 16)
  store <4 x i32> %r, ptr %to, align 1
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, 256
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr noalias %p, ptr noalias %q) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <4 x i16> [ zeroinitializer, %entry ], [ zeroinitializer, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  %to = getelementptr i8, ptr %q, i64 %i
  %x = load <4 x i8>, ptr %at, align 1
  %to2 = getelementptr i8, ptr %to, i64 4
  
  %r = zext <4 x i16> %s to <4 x i32>
  store <4 x i32> %r, ptr %to, align 1
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, 256
  br i1 %more, label %loop, label %done

done:
  ret void
}
