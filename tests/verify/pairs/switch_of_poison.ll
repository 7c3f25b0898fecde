; WANT: bad
; A switch on poison is undefined behaviour, which the source does not have.
define i32 @src(i32 %a) {
  ret i32 %a
}
define i32 @tgt(i32 %a) {
entry:
  %p = add nuw i32 -1, 1
  switch i32 %p, label %end [ i32 3, label %three ]
three:
  br label %end
end:
  ret i32 %a
}
