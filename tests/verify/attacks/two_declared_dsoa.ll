; WANT: bad
@g = external dso_local global i8
define ptr @f() {
  ret ptr @g
}
