; WANT: bad
$c = comdat largest
@g = linkonce_odr global i32 1, comdat($c)
define ptr @f() {
  ret ptr @g
}
