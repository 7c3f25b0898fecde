; WANT: bad
define internal i32 @g() {
  br label %l
l:
  %i = phi i32 [ 0, %0 ], [ %j, %l ]
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, 10
  br i1 %c, label %e, label %l
e:
  ret i32 %j
}
define i32 @f() {
  %r = call i32 @g()
  ret i32 %r
}
