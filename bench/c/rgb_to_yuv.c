/* Three planes of bytes to the limited range of BT.601: the planes of luma and of both chromas behind one another. */
#include <stdint.h>

void rgb_to_yuv(const uint8_t *restrict red, const uint8_t *restrict green, const uint8_t *restrict blue, uint8_t *restrict out, int n) {
  int plane = n / 3;
  for (int i = 0; i < plane; i++) {
    int r = red[i], g = green[i], b = blue[i];
    out[i] = (uint8_t)(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
    out[plane + i] = (uint8_t)(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
    out[2 * plane + i] = (uint8_t)(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
  }
}
