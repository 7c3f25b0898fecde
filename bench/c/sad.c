/* The sum of absolute differences of blocks of 64 bytes. */
#include <stdint.h>
#include <stdlib.h>

enum { BLOCK = 64 };

void sad(const uint8_t *restrict a, const uint8_t *restrict b, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) {
    int32_t sum = 0;
    for (int k = 0; k < BLOCK; k++)
      sum += abs(a[i * BLOCK + k] - b[i * BLOCK + k]);
    out[i] = sum;
  }
}
