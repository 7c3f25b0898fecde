/* 32 taps along a row of bytes, sums of 32 bits. */
#include <stdint.h>

void conv32(const uint8_t *restrict in, const int8_t *restrict taps, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) {
    int32_t sum = 0;
    for (int k = 0; k < 32; k++)
      sum += in[i + k] * taps[k];
    out[i] = sum;
  }
}
