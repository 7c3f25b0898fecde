#include "hot.h"

void mix(const byte *a, const byte *b, byte *c, int n) {
  for (int i = 0; i < n; i++)
    c[i] = (byte)((3 * a[i] + b[i] + 2) >> 2);
}
