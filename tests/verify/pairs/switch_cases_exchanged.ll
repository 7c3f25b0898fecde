; WANT: bad
; The two cases are exchanged.
define i32 @src(i32 %x, i32 %a, i32 %b, i32 %c) {
entry:
  %f = freeze i32 %x
  switch i32 %f, label %other [ i32 3, label %three
    i32 5, label %five ]
three:
  br label %end
five:
  br label %end
other:
  br label %end
end:
  %r = phi i32 [ %a, %three ], [ %b, %five ], [ %c, %other ]
  ret i32 %r
}
define i32 @tgt(i32 %x, i32 %a, i32 %b, i32 %c) {
  %f = freeze i32 %x
  %p = icmp eq i32 %f, 3
  %q = icmp eq i32 %f, 5
  %s = select i1 %q, i32 %a, i32 %c
  %r = select i1 %p, i32 %b, i32 %s
  ret i32 %r
}
