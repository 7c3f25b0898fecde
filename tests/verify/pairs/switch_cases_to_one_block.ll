; WANT: ok
; Two cases and the default lead to one block: any of them leads there.
define i32 @src(i32 noundef %x, i32 %a, i32 %b) {
entry:
  switch i32 %x, label %end [ i32 3, label %three
    i32 5, label %three
    i32 7, label %end ]
three:
  br label %end
end:
  %r = phi i32 [ %a, %three ], [ %b, %entry ], [ %b, %entry ]
  ret i32 %r
}
define i32 @tgt(i32 noundef %x, i32 %a, i32 %b) {
  %p = icmp eq i32 %x, 3
  %q = icmp eq i32 %x, 5
  %o = or i1 %p, %q
  %r = select i1 %o, i32 %a, i32 %b
  ret i32 %r
}
