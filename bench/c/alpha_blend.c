/* Blend two images by a mask: divided by 255 and rounded to nearest. */
#include <stdint.h>

void alpha_blend(const uint8_t *restrict front, const uint8_t *restrict back, const uint8_t *restrict mask, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (uint8_t)((front[i] * mask[i] + back[i] * (255 - mask[i]) + 127) / 255);
}
