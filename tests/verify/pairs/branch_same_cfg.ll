; WANT: ok
define i32 @src(i1 %c, i32 %x, i32 %y) {
  br i1 %c, label %p, label %q
p:
  %u = shl i32 %x, 1
  br label %q
q:
  %r = phi i32 [ %u, %p ], [ %y, %0 ]
  ret i32 %r
}
define i32 @tgt(i1 %c, i32 %x, i32 %y) {
  br i1 %c, label %p, label %q
p:
  %u = mul i32 %x, 2
  br label %q
q:
  %r = phi i32 [ %u, %p ], [ %y, %0 ]
  ret i32 %r
}
