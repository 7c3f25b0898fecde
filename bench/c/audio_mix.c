/* Mix two tracks by gains with 15 fractional bits; each product is rounded, the sum saturates. */
#include <stdint.h>

enum { GAIN_A = 26214, GAIN_B = 19661, HALF = 1 << 14 };

void audio_mix(const int16_t *restrict a, const int16_t *restrict b, int16_t *restrict out, int n) {
  for (int i = 0; i < n; i++) {
    int32_t sum = ((a[i] * GAIN_A + HALF) >> 15) + ((b[i] * GAIN_B + HALF) >> 15);
    out[i] = (int16_t)(sum < INT16_MIN ? INT16_MIN : sum > INT16_MAX ? INT16_MAX : sum);
  }
}
