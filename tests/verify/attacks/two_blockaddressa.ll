; WANT: bad
define ptr @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  ret ptr blockaddress(@f, %a)
b:
  ret ptr null
}
