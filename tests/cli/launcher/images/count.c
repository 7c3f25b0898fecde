#include "hot.h"

int count(const byte *a, int n, byte limit) {
  int found = 0;
  for (int i = 0; i < n; i++)
    found += a[i] > limit;
  return found;
}
