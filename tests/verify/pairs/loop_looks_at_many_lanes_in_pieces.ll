; WANT: bad, unknown: was not shown to stay
target triple = "x86_64-pc-linux-gnu"

define void @src(ptr noalias %o, ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr i8, ptr %a, i64 %i
  %x = load <8 x i16>, ptr %pa, align 1
  %m = mul <8 x i16> %x, splat (i16 257)
  %q = bitcast <8 x i16> %m to <16 x i8>
  %y = shufflevector <16 x i8> %q, <16 x i8> poison, <2 x i32> <i32 0, i32 1>
  %v = add <2 x i8> %y, splat (i8 3)
  store <2 x i8> %v, ptr %o, align 2
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr noalias %o, ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr i8, ptr %a, i64 %i
  %x = load <8 x i16>, ptr %pa, align 1
  %m = mul <8 x i16> %x, splat (i16 257)
  %q = bitcast <8 x i16> %m to <16 x i8>
  %y = shufflevector <16 x i8> %q, <16 x i8> poison, <2 x i32> <i32 0, i32 1>
  %v = add <2 x i8> %y, splat (i8 3)
  %l = shufflevector <2 x i8> %v, <2 x i8> poison, <2 x i32> <i32 0, i32 poison>
  %h = shufflevector <2 x i8> %v, <2 x i8> poison, <2 x i32> <i32 poison, i32 1>
  %w = shufflevector <2 x i8> %l, <2 x i8> %h, <2 x i32> <i32 0, i32 3>
  store <2 x i8> %w, ptr %o, align 2
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
