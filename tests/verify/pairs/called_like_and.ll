; WANT: bad, unknown: %s of the target is no phi of the source
declare <8 x i32> @and.f(<8 x i32>)
define void @src(ptr noundef %p, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %s = phi <8 x i32> [ zeroinitializer, %entry ], [ %c, %loop ]
  %a = getelementptr <8 x i32>, ptr %p, i64 %i
  store <8 x i32> %s, ptr %a, align 4
  %c = call <8 x i32> @and.f(<8 x i32> splat (i32 255))
  %i1 = add i64 %i, 1
  %t = icmp eq i64 %i1, %n
  br i1 %t, label %out, label %loop
out:
  ret void
}
define void @tgt(ptr noundef %p, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %s = phi <8 x i16> [ zeroinitializer, %entry ], [ %ct, %loop ]
  %w = zext <8 x i16> %s to <8 x i32>
  %a = getelementptr <8 x i32>, ptr %p, i64 %i
  store <8 x i32> %w, ptr %a, align 4
  %c = call <8 x i32> @and.f(<8 x i32> splat (i32 255))
  %ct = trunc <8 x i32> %c to <8 x i16>
  %i1 = add i64 %i, 1
  %t = icmp eq i64 %i1, %n
  br i1 %t, label %out, label %loop
out:
  ret void
}
