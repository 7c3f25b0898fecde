/* Eight taps along a row of bytes, of every second place. */
#include <stdint.h>

void down2(const uint8_t *restrict in, const int8_t *restrict taps, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) {
    int32_t sum = 0;
    for (int k = 0; k < 8; k++)
      sum += in[2 * i + k] * taps[k];
    out[i] = sum;
  }
}
