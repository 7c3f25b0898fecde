; WANT: bad
$c = comdat any
@g = linkonce_odr global i32 1, comdat($c)
define ptr @f() {
  ret ptr @g
}
