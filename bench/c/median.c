/* The median of a 3 by 3 window, by sorting its columns. */
#include <stdint.h>

enum { WIDTH = 256, PITCH = 320 };

static uint8_t least(uint8_t a, uint8_t b) { return a < b ? a : b; }
static uint8_t most(uint8_t a, uint8_t b) { return a > b ? a : b; }
static uint8_t middle(uint8_t a, uint8_t b, uint8_t c) { return most(least(a, b), least(most(a, b), c)); }

void median(const uint8_t *restrict image, uint8_t *restrict out, int n) {
  for (int y = 0; y < n / WIDTH; y++) {
    const uint8_t *up = image + y * PITCH, *mid = up + PITCH, *down = mid + PITCH;
    for (int x = 0; x < WIDTH; x++) {
      uint8_t low = 0, high = 255, centre[3];
      for (int c = 0; c < 3; c++) {
        uint8_t i = up[x + c], j = mid[x + c], k = down[x + c];
        low = most(low, least(least(i, j), k));
        high = least(high, most(most(i, j), k));
        centre[c] = middle(i, j, k);
      }
      out[y * WIDTH + x] = middle(low, middle(centre[0], centre[1], centre[2]), high);
    }
  }
}
