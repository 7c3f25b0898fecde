; WANT: ok
define i64 @src(ptr noalias %p, i64 noundef %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %t, %loop ]
  %q = getelementptr i16, ptr %p, i64 %k
  %a = load <4 x i16>, ptr %q, align 2
  %w = sext <4 x i16> %a to <4 x i32>
  %m = mul nsw <4 x i32> %w, %w
  %z = zext nneg <4 x i32> %m to <4 x i64>
  %s = call i64 @llvm.vector.reduce.add.v4i64(<4 x i64> %z)
  %t = add i64 %s, %sum
  %k1 = add i64 %k, 4
  %c = icmp ult i64 %k1, %n
  br i1 %c, label %loop, label %end
end:
  ret i64 %t
}
define i64 @tgt(ptr noalias %p, i64 noundef %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %t, %loop ]
  %q = getelementptr i16, ptr %p, i64 %k
  %a0 = load <4 x i16>, ptr %q, align 2
  %a = freeze <4 x i16> %a0
  %w = sext <4 x i16> %a to <4 x i32>
  %m = mul <4 x i32> %w, %w
  %even = shufflevector <4 x i32> %m, <4 x i32> poison, <2 x i32> <i32 0, i32 2>
  %odd = shufflevector <4 x i32> %m, <4 x i32> poison, <2 x i32> <i32 1, i32 3>
  %pair = add <2 x i32> %even, %odd
  %other = shufflevector <2 x i32> %pair, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %x = bitcast <2 x i32> %pair to <1 x i64>
  %y = bitcast <2 x i32> %other to <1 x i64>
  %lx = and <1 x i64> %x, splat (i64 4294967295)
  %ly = and <1 x i64> %y, splat (i64 4294967295)
  %l = add <1 x i64> %lx, %ly
  %s = extractelement <1 x i64> %l, i64 0
  %t = add i64 %s, %sum
  %k1 = add i64 %k, 4
  %c = icmp ult i64 %k1, %n
  br i1 %c, label %loop, label %end
end:
  ret i64 %t
}
declare i64 @llvm.vector.reduce.add.v4i64(<4 x i64>)
