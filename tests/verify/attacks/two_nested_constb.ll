; WANT: bad
@s = private constant [4 x i8] c"abd\00"
@g = constant { ptr, i32 } { ptr @s, i32 3 }
define ptr @f() {
  %r = load ptr, ptr @g
  ret ptr %r
}
