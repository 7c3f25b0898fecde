/* Masks as integers: 8192 elements. */
#include <stdint.h>

/* Where a byte is, as bits. */
void commas(uint32_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n / 32; i++) {
    uint32_t m = 0;
    for (int j = 0; j < 32; j++) m |= (uint32_t)(s[32 * i + j] == ',') << j;
    d[i] = m;
  }
}

void digits(uint64_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n / 64; i++) {
    uint64_t m = 0;
    for (int j = 0; j < 64; j++)
      if (s[64 * i + j] >= '0' && s[64 * i + j] <= '9') m |= 1ull << j;
    d[i] = m;
  }
}

/* An image of one bit a pixel, the first pixel of eight highest. */
void black_and_white(uint32_t *restrict d, const uint8_t *restrict s, uint8_t t, int n) {
  for (int i = 0; i < n / 32; i++) {
    uint32_t m = 0;
    for (int j = 0; j < 32; j++) m |= (uint32_t)(s[32 * i + j] > t) << (j ^ 7);
    d[i] = m;
  }
}

void signs(uint32_t *restrict d, const int16_t *restrict s, int n) {
  for (int i = 0; i < n / 32; i++) {
    uint32_t m = 0;
    for (int j = 0; j < 32; j++) m |= (uint32_t)(s[32 * i + j] < 0) << j;
    d[i] = m;
  }
}

int equal_bytes(const uint8_t *restrict a, const uint8_t *restrict b, int n) {
  int sum = 0;
  for (int i = 0; i < n / 32; i++) {
    uint32_t m = 0;
    for (int j = 0; j < 32; j++) m |= (uint32_t)(a[32 * i + j] == b[32 * i + j]) << j;
    sum += __builtin_popcount(m);
  }
  return sum;
}

/* Bits as bytes. */
void grey(uint8_t *restrict d, const uint32_t *restrict s, int n) {
  for (int i = 0; i < n / 32; i++) {
    uint32_t m = s[i];
    for (int j = 0; j < 32; j++) d[32 * i + j] = m >> j & 1 ? 255 : 0;
  }
}

void chosen(uint8_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b,
            const uint32_t *restrict s, int n) {
  for (int i = 0; i < n / 32; i++) {
    uint32_t m = s[i];
    for (int j = 0; j < 32; j++) {
      uint8_t x = a[32 * i + j], y = b[32 * i + j];
      d[32 * i + j] = m >> j & 1 ? x : y;
    }
  }
}

/* How many bytes there are before a block that is zero. */
int before_zero(const uint8_t *restrict s, int n) {
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    uint32_t m = 0;
    for (int j = 0; j < 32; j++) m |= (uint32_t)(s[i + j] == 0) << j;
    if (m == ~0u) break;
  }
  return i;
}
