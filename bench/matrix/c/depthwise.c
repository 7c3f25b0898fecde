/* Each of 64 channels, which are innermost, under its own 3 by 3 taps. */
#include <stdint.h>

enum { CHANNELS = 64, WIDTH = 16, PITCH = WIDTH + 2 };

void depthwise(const uint8_t *restrict in, const int8_t *restrict taps,
               int32_t *restrict out, int n) {
  for (int y = 0; y < n / CHANNELS / WIDTH; y++)
    for (int x = 0; x < WIDTH; x++)
      for (int c = 0; c < CHANNELS; c++) {
        int32_t sum = 0;
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            sum += in[((y + i) * PITCH + x + j) * CHANNELS + c] * taps[(i * 3 + j) * CHANNELS + c];
        out[(y * WIDTH + x) * CHANNELS + c] = sum;
      }
}
