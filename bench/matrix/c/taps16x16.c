/* 16 by 16 taps over an image of bytes, sums of 32 bits. */
#include <stdint.h>

enum { SIDE = 16, WIDTH = 256, PITCH = WIDTH + SIDE - 1 };

void taps16x16(const uint8_t *restrict in, const int8_t *restrict taps,
               int32_t *restrict out, int n) {
  for (int y = 0; y < n / WIDTH; y++)
    for (int x = 0; x < WIDTH; x++) {
      int32_t sum = 0;
      for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
          sum += in[(y + i) * PITCH + x + j] * taps[i * SIDE + j];
      out[y * WIDTH + x] = sum;
    }
}
