; WANT: bad
@x = internal constant i32 2
@a = alias i32, ptr @x
@t = constant ptr @a
define ptr @f() {
  ret ptr @t
}
