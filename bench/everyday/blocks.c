/* Sums of absolute Hadamard coefficients of differences of blocks: two sums of 16 bits in each word of 32. */
#include <stdint.h>

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS void hadamard(uint32_t r[4], uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  uint32_t ab = a + b, cd = c + d, a_b = a - b, c_d = c - d;
  r[0] = ab + cd, r[1] = ab - cd, r[2] = a_b + c_d, r[3] = a_b - c_d;
}

ALWAYS uint32_t sizes(uint32_t x) {
  uint32_t minus = (x >> 15 & 0x10001) * 0xffff;
  return (x + minus) ^ minus;
}

ALWAYS uint32_t satd8x4(const uint8_t *a, const uint8_t *b, int stride) {
  uint32_t t[4][4], r[4], sum = 0;
  for (int y = 0; y < 4; y++, a += stride, b += stride) {
    for (int x = 0; x < 4; x++) r[x] = (a[x] - b[x]) + ((uint32_t)(a[x + 4] - b[x + 4]) << 16);
    hadamard(t[y], r[0], r[1], r[2], r[3]);
  }
  for (int x = 0; x < 4; x++) {
    hadamard(r, t[0][x], t[1][x], t[2][x], t[3][x]);
    sum += sizes(r[0]) + sizes(r[1]) + sizes(r[2]) + sizes(r[3]);
  }
  return ((sum & 0xffff) + (sum >> 16)) >> 1;
}

void satd8x8(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t *restrict d, int stride) {
  *d = satd8x4(a, b, stride) + satd8x4(a + 4 * stride, b + 4 * stride, stride);
}

void satd16x16(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t *restrict d, int stride) {
  uint32_t sum = 0;
  for (int y = 0; y < 16; y += 4)
    for (int x = 0; x < 16; x += 8) sum += satd8x4(a + y * stride + x, b + y * stride + x, stride);
  *d = sum;
}
