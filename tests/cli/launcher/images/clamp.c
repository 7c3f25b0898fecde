#include "hot.h"

void clamp(short *a, int n, int low, int high) {
  for (int i = 0; i < n; i++)
    a[i] = (short)(a[i] < low ? low : a[i] > high ? high : a[i]);
}
