; WANT: bad
module asm ".globl x"
define i32 @f() {
  ret i32 1
}
