/* 64 channels from 64 at each of a row of pixels: a bias, 8 bits dropped, clamped to a byte. */
#include <stdint.h>

enum { CHANNELS = 64 };

void layer64(const uint8_t *restrict in, const int8_t *restrict weights,
             const int32_t *restrict bias, uint8_t *restrict out, int n) {
  for (int p = 0; p < n / CHANNELS; p++)
    for (int c = 0; c < CHANNELS; c++) {
      int32_t sum = bias[c];
      for (int k = 0; k < CHANNELS; k++)
        sum += in[p * CHANNELS + k] * weights[c * CHANNELS + k];
      sum >>= 8;
      out[p * CHANNELS + c] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
    }
}
