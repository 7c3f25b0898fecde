/* Luma of three planes of bytes by weights of 256ths, rounded to nearest. */
#include <stdint.h>

void rgb_to_gray(const uint8_t *restrict red, const uint8_t *restrict green, const uint8_t *restrict blue, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (uint8_t)((77 * red[i] + 150 * green[i] + 29 * blue[i] + 128) >> 8);
}
