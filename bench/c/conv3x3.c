/* A 3 by 3 window under signed weights, summed in 32 bits, divided by 64 rounding to nearest, clamped to a byte. */
#include <stdint.h>

enum { WIDTH = 256, PITCH = 320 };

void conv3x3(const uint8_t *restrict image, const int8_t *restrict weights, uint8_t *restrict out, int n) {
  for (int y = 0; y < n / WIDTH; y++)
    for (int x = 0; x < WIDTH; x++) {
      int32_t sum = 32;
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
          sum += image[(y + r) * PITCH + x + c] * weights[3 * r + c];
      sum >>= 6;
      out[y * WIDTH + x] = (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
}
