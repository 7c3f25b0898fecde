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
  %n = mul <4 x i32> %z, splat (i32 3)
  %y = add <4 x i32> %s, splat (i32 7)
  %r = lshr <4 x i32> %y, splat (i32 4)
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
  %s = phi <4 x i8> [ zeroinitializer, %entry ], [ %n, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  %to = getelementptr i8, ptr %q, i64 %i
  %x = load <4 x i8>, ptr %at, align 1
  %to2 = getelementptr i8, ptr %to, i64 4
  %n = mul <4 x i8> %x, splat (i8 3)
  %z = zext <4 x i8> %s to <4 x i16>
  %y = add <4 x i16> %z, splat (i16 7)
  %l = lshr <4 x i16> %y, splat (i16 4)
  %r = zext <4 x i16> %l to <4 x i32>
  store <4 x i32> %r, ptr %to, align 1
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, 256
  br i1 %more, label %loop, label %done

done:
  ret void
}
