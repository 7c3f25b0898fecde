; WANT: bad
$g = comdat any
@g = linkonce_odr global i32 1, comdat
define i32 @f() {
  %r = load i32, ptr @g
  ret i32 %r
}
