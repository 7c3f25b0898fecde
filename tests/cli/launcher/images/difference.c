#include "hot.h"

void difference(const byte *a, const byte *b, byte *c, int n) {
  for (int i = 0; i < n; i++) {
    int d = a[i] - b[i];
    c[i] = (byte)(d < 0 ? 0 : d > 200 ? 200 : d);
  }
}
