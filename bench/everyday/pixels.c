/* Six operators on pixels of four bytes, the last alpha, that are premultiplied by it. */
#include <stdint.h>

static inline unsigned part(unsigned a, unsigned b) {
  unsigned t = a * b + 128;
  return (t + (t >> 8)) >> 8;
}

static inline uint8_t sum(unsigned a, unsigned b) { return a + b > 255 ? 255 : a + b; }

void over(const uint8_t *restrict s, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 4; c++) d[4 * i + c] = sum(s[4 * i + c], part(d[4 * i + c], 255 - s[4 * i + 3]));
}

void in(const uint8_t *restrict s, const uint8_t *restrict b, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 4; c++) d[4 * i + c] = part(s[4 * i + c], b[4 * i + 3]);
}

void out(const uint8_t *restrict s, const uint8_t *restrict b, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 4; c++) d[4 * i + c] = part(s[4 * i + c], 255 - b[4 * i + 3]);
}

void atop(const uint8_t *restrict s, const uint8_t *restrict b, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 4; c++)
      d[4 * i + c] = sum(part(s[4 * i + c], b[4 * i + 3]), part(b[4 * i + c], 255 - s[4 * i + 3]));
}

void xor(const uint8_t *restrict s, const uint8_t *restrict b, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 4; c++)
      d[4 * i + c] = sum(part(s[4 * i + c], 255 - b[4 * i + 3]), part(b[4 * i + c], 255 - s[4 * i + 3]));
}

void add(const uint8_t *restrict s, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 4; c++) d[4 * i + c] = sum(s[4 * i + c], d[4 * i + c]);
}
