#include <stdint.h>

void product(const int16_t *restrict a, const int16_t *restrict b, int16_t *restrict out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (int16_t)((a[i] * b[i] + 16384) >> 15);
}
