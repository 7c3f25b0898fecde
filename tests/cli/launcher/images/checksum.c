#include "hot.h"

unsigned checksum(const void *data, int n) {
  const byte *p = data;
  unsigned h = 2166136261u;
  for (int i = 0; i < n; i++)
    h = (h ^ p[i]) * 16777619u;
  return h;
}
