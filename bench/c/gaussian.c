/* A 3 by 3 window under the weights 1 2 1, rounded to nearest. */
#include <stdint.h>

enum { WIDTH = 256, PITCH = 320 };

void gaussian(const uint8_t *restrict image, uint8_t *restrict out, int n) {
  for (int y = 0; y < n / WIDTH; y++) {
    const uint8_t *up = image + y * PITCH, *mid = up + PITCH, *down = mid + PITCH;
    for (int x = 0; x < WIDTH; x++) {
      int sum = up[x] + 2 * up[x + 1] + up[x + 2];
      sum += 2 * mid[x] + 4 * mid[x + 1] + 2 * mid[x + 2];
      sum += down[x] + 2 * down[x + 1] + down[x + 2];
      out[y * WIDTH + x] = (uint8_t)((sum + 8) >> 4);
    }
  }
}
