; WANT: bad
@x = internal constant i32 1
@a = alias i32, ptr @x
@t = constant ptr @a
define ptr @f() {
  ret ptr @t
}
