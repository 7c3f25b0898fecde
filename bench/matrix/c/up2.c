/* Two values between bytes of a row, each with four of eight taps. */
#include <stdint.h>

void up2(const uint8_t *restrict in, const int8_t *restrict taps, int32_t *restrict out, int n) {
  for (int i = 0; i < n / 2; i++)
    for (int phase = 0; phase < 2; phase++) {
      int32_t sum = 0;
      for (int k = 0; k < 4; k++)
        sum += in[i + k] * taps[2 * k + phase];
      out[2 * i + phase] = sum;
    }
}
