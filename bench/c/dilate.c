/* The greatest value of a 3 by 3 window. */
#include <stdint.h>

enum { WIDTH = 256, PITCH = 320 };

static uint8_t greater(uint8_t a, uint8_t b) { return a > b ? a : b; }

void dilate(const uint8_t *restrict image, uint8_t *restrict out, int n) {
  for (int y = 0; y < n / WIDTH; y++)
    for (int x = 0; x < WIDTH; x++) {
      uint8_t most = 0;
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
          most = greater(most, image[(y + r) * PITCH + x + c]);
      out[y * WIDTH + x] = most;
    }
}
