#include "hot.h"

void round_products(const short *a, const short *b, short *c, int n) {
  for (int i = 0; i < n; i++)
    c[i] = (short)((a[i] * b[i] + 16384) >> 15);
}
