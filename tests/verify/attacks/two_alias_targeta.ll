; WANT: bad
@a = global i32 1
@b = global i32 1
@p = alias i32, ptr @a
define i32 @f() {
  %r = load i32, ptr @p
  ret i32 %r
}
