; WANT: bad
module asm ".globl y"
define i32 @f() {
  ret i32 1
}
