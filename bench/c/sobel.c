/* Sobel edges: the sum of the absolute gradients, saturated; the input has one more row and column on each side. */
#include <stdint.h>
#include <stdlib.h>

enum { WIDTH = 256, PITCH = 320 };

void sobel(const uint8_t *restrict image, uint8_t *restrict out, int n) {
  for (int y = 0; y < n / WIDTH; y++) {
    const uint8_t *up = image + y * PITCH, *mid = up + PITCH, *down = mid + PITCH;
    for (int x = 0; x < WIDTH; x++) {
      int across = up[x + 2] - up[x] + 2 * (mid[x + 2] - mid[x]) + down[x + 2] - down[x];
      int along = down[x] - up[x] + 2 * (down[x + 1] - up[x + 1]) + down[x + 2] - up[x + 2];
      int sum = abs(across) + abs(along);
      out[y * WIDTH + x] = (uint8_t)(sum > 255 ? 255 : sum);
    }
  }
}
