; WANT: bad
@g = external global i8
define ptr @f() {
  ret ptr @g
}
