/* Loops whose rest counts: short rows, several rows, lengths that are no multiple of a vector. */
#include <stdint.h>
#include <stdlib.h>

static inline uint8_t clip(int v) { return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)v; }
static inline int16_t sat(int v) { return v < -32768 ? -32768 : v > 32767 ? 32767 : (int16_t)v; }
#define ROW(name, n, type, ...) \
  void name##_##n(type *restrict d, const type *restrict a, const type *restrict b) { for (int i = 0; i < n; i++) d[i] = __VA_ARGS__; }

ROW(mean, 13, uint8_t, (uint8_t)((a[i] + b[i] + 1) >> 1))
ROW(mean, 24, uint8_t, (uint8_t)((a[i] + b[i] + 1) >> 1))
ROW(mean, 45, uint8_t, (uint8_t)((a[i] + b[i] + 1) >> 1))
ROW(mean, 100, uint8_t, (uint8_t)((a[i] + b[i] + 1) >> 1))
ROW(sum_clipped, 12, uint8_t, clip(a[i] + b[i]))
ROW(sum_clipped, 40, uint8_t, clip(a[i] + b[i]))
ROW(sum_clipped, 77, uint8_t, clip(a[i] + b[i]))
ROW(difference, 20, uint8_t, (uint8_t)abs(a[i] - b[i]))
ROW(difference, 56, uint8_t, (uint8_t)abs(a[i] - b[i]))
ROW(product, 9, int16_t, sat((a[i] * b[i] + 16384) >> 15))
ROW(product, 21, int16_t, sat((a[i] * b[i] + 16384) >> 15))
ROW(product, 50, int16_t, sat((a[i] * b[i] + 16384) >> 15))
ROW(high, 22, uint16_t, (uint16_t)((a[i] * (uint32_t)b[i]) >> 16))
ROW(blend, 18, uint8_t, (uint8_t)((a[i] * 77 + b[i] * 179 + 128) >> 8))
ROW(blend, 35, uint8_t, (uint8_t)((a[i] * 77 + b[i] * 179 + 128) >> 8))
ROW(sum_words, 14, int16_t, sat(a[i] + b[i]))
ROW(sum_words, 37, int16_t, sat(a[i] + b[i]))

void rows_of_means(uint8_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w - 5; x++) d[y * w + x] = (uint8_t)((a[y * w + x] + b[y * w + x] + 1) >> 1);
}

void rows_of_sums(uint8_t *restrict d, const uint8_t *restrict a, const int8_t *restrict b, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w - 9; x++) d[y * w + x] = clip(a[y * w + x] + b[y * w + x]);
}

void rows_of_products(int16_t *restrict d, const int16_t *restrict a, const int16_t *restrict b, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w - 3; x++) d[y * w + x] = sat((a[y * w + x] * b[y * w + x] + 16384) >> 15);
}

void rows_of_three(uint8_t *restrict d, const uint8_t *restrict a, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      const uint8_t *p = a + y * w + x;
      d[y * w + x] = (uint8_t)((p[-w - 1] + 2 * p[-w] + p[-w + 1] + 2 * p[-1] + 4 * p[0] + 2 * p[1] + p[w - 1] + 2 * p[w] + p[w + 1] + 8) >> 4);
    }
}

int sums_of_differences(const uint8_t *a, const uint8_t *b, int n) {
  int sum = 0;
  for (int i = 0; i < (n & 31) + 17; i++) sum += abs(a[i] - b[i]);
  return sum;
}

int sums_of_products(const int16_t *a, const int16_t *b, int n) {
  int sum = 0;
  for (int i = 0; i < (n & 15) + 9; i++) sum += a[i] * b[i];
  return sum;
}

int sums_of_bytes(const uint8_t *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}

int squares_of_differences(const uint8_t *a, const uint8_t *b, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) { int d = a[i] - b[i]; sum += d * d; }
  return sum;
}

void narrowed(const int32_t *restrict a, int16_t *restrict d, int n) {
  for (int i = 0; i < n; i++) d[i] = sat((a[i] + 2048) >> 12);
}

void narrowed_to_bytes(const int32_t *restrict a, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++) d[i] = clip((a[i] + 2048) >> 12);
}

void brightened(uint8_t *restrict d, int n, uint8_t by) {
  for (int i = 0; i < n; i++) d[i] = clip(d[i] + by * 16);
}

void contrasted(uint8_t *restrict d, const uint8_t *restrict a, int n, uint8_t k) {
  for (int i = 0; i < n; i++) d[i] = clip((((a[i] - 128) * (k * 25)) >> 6) + 128);
}

void multiplied(uint8_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b, int n) {
  for (int i = 0; i < n; i++) d[i] = (uint8_t)((a[i] * b[i] + 128) >> 8);
}

void screened(uint8_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b, int n) {
  for (int i = 0; i < n; i++) d[i] = (uint8_t)(255 - (((255 - a[i]) * (255 - b[i]) + 128) >> 8));
}

void interleaved(uint8_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b, int n) {
  for (int i = 0; i < n; i++) d[2 * i] = (uint8_t)((a[i] + b[i] + 1) >> 1), d[2 * i + 1] = (uint8_t)abs(a[i] - b[i]);
}

void halved(uint8_t *restrict d, const uint8_t *restrict a, int n) {
  for (int i = 0; i < n; i++) d[i] = (uint8_t)((a[2 * i] + a[2 * i + 1] + 1) >> 1);
}

void luma_of_words(uint16_t *restrict d, const uint16_t *restrict rgb, int n) {
  for (int i = 0; i < n; i++) d[i] = (uint16_t)((rgb[3 * i] * 19595u + rgb[3 * i + 1] * 38470u + rgb[3 * i + 2] * 7471u + 32768u) >> 16);
}

void mixed_down(int16_t *restrict d, const int16_t *restrict a, int n) {
  for (int i = 0; i < n; i++) d[i] = (int16_t)((a[2 * i] + a[2 * i + 1]) >> 1);
}

void gained(int16_t *restrict d, const int16_t *restrict a, int n, uint8_t gain) {
  for (int i = 0; i < n; i++) d[i] = sat((a[i] * (gain * 700)) >> 11);
}

void counted(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t *restrict d, int n) {
  uint32_t count = 0;
  for (int i = 0; i < n; i++) count += a[i] == b[i];
  d[0] = count;
}
