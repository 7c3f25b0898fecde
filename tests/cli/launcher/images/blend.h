#pragma once
template <class T, int Shift> void blend(const T *a, const T *b, T *c, int n) {
  for (int i = 0; i < n; i++)
    c[i] = (T)((a[i] * 5 + b[i] * 3 + (1 << (Shift - 1))) >> Shift);
}
void blend_bytes(const unsigned char *a, const unsigned char *b, unsigned char *c, int n);
