/* Luma of pixels of four bytes, by 256ths. */
#include <stdint.h>

void grey(const uint8_t *restrict rgba, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (77 * rgba[4 * i] + 150 * rgba[4 * i + 1] + 29 * rgba[4 * i + 2] + 128) >> 8;
}
