/* Small filters of rows, with and without neighbours. */
#include <stdint.h>

static inline uint8_t clip(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

void predicted(const uint8_t *restrict above, const uint8_t *restrict left, uint8_t *restrict out, int n) {
  for (int r = 0; r < n / 32; r++)
    for (int c = 0; c < 32; c++) out[r * 32 + c] = clip(left[r] + above[c + 1] - above[0]);
}

void mean_of_two(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = (a[i] + b[i] + 1) >> 1;
}

void mean_of_four(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = (a[i] + a[i + 1] + b[i] + b[i + 1] + 2) >> 2;
}

void one_two_one(const uint8_t *restrict a, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = (a[i] + 2 * a[i + 1] + a[i + 2] + 2) >> 2;
}

void three_rows(const uint8_t *restrict a, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = (a[i] + 2 * a[i + 1003] + a[i + 2006] + 2) >> 2;
}

void sums_clipped(const uint8_t *restrict a, const int8_t *restrict b, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = clip(a[i] + b[i]);
}

void blended(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = (a[i] * 77 + b[i] * 179 + 128) >> 8;
}

void gradient(const uint8_t *restrict a, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) {
    int d = a[i + 2] - a[i];
    out[i] = d < 0 ? -d : d;
  }
}

void grey(const uint8_t *restrict rgb, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = (rgb[3 * i] * 77 + rgb[3 * i + 1] * 150 + rgb[3 * i + 2] * 29 + 128) >> 8;
}

void words_clipped(const int16_t *restrict a, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = clip(a[i]);
}

void words_shifted(const int16_t *restrict a, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = clip((a[i] + 8) >> 4);
}

void dithered(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = a[i] > b[i] ? 255 : a[i] >> 1;
}
