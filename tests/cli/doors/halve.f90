subroutine halve(d, a) bind(c)
  use iso_c_binding
  integer(c_int8_t) :: d(64), a(64)
  integer :: i
  do i = 1, 64
    d(i) = int(shiftr(iand(int(a(i), c_int16_t), 255_c_int16_t) + iand(int(d(i), c_int16_t), 255_c_int16_t), 1), c_int8_t)
  end do
end subroutine
