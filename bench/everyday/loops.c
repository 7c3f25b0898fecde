/* Ten plain loops. */
#include <stdint.h>

void brighten(const uint8_t *restrict a, uint8_t *restrict d, int k, int n) {
  for (int i = 0; i < n; i++) {
    int v = a[i] + k;
    d[i] = v < 0 ? 0 : v > 255 ? 255 : v;
  }
}

void yuv(const uint8_t *restrict r, const uint8_t *restrict g, const uint8_t *restrict b, uint8_t *restrict y,
         uint8_t *restrict u, uint8_t *restrict v, int n) {
  for (int i = 0; i < n; i++) {
    y[i] = ((66 * r[i] + 129 * g[i] + 25 * b[i] + 128) >> 8) + 16;
    u[i] = ((-38 * r[i] - 74 * g[i] + 112 * b[i] + 128) >> 8) + 128;
    v[i] = ((112 * r[i] - 94 * g[i] - 18 * b[i] + 128) >> 8) + 128;
  }
}

void q15(const int16_t *restrict a, const int16_t *restrict b, int16_t *restrict d, int n) {
  for (int i = 0; i < n; i++) {
    int v = (a[i] * b[i] + (1 << 14)) >> 15;
    d[i] = v > 32767 ? 32767 : v < -32768 ? -32768 : v;
  }
}

void ssd(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t *restrict d, int n) {
  uint32_t sum = 0;
  for (int i = 0; i < n; i++) {
    int t = a[i] - b[i];
    sum += t * t;
  }
  *d = sum;
}

void sad(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t *restrict d, int n) {
  uint32_t sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
  *d = sum;
}

void average_of_four(const uint8_t *restrict a, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++) d[i] = (a[i] + a[i + 1] + a[i + 2048] + a[i + 2049] + 2) >> 2;
}

void dot(const int16_t *restrict a, const int16_t *restrict b, int64_t *restrict d, int n) {
  int64_t sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  *d = sum;
}

void count(const uint8_t *restrict a, uint32_t *restrict d, int k, int n) {
  uint32_t sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] == (uint8_t)k;
  *d = sum;
}

void popcount(const uint8_t *restrict a, uint64_t *restrict d, int n) {
  uint64_t sum = 0;
  for (int i = 0; i < n; i++) sum += __builtin_popcount(a[i]);
  *d = sum;
}

void sobel(const uint8_t *restrict a, uint8_t *restrict d, int n) {
  const uint8_t *b = a + 2048, *c = a + 4096;
  for (int i = 0; i < n; i++) {
    int x = a[i + 2] - a[i] + 2 * (b[i + 2] - b[i]) + c[i + 2] - c[i];
    int y = c[i] + 2 * c[i + 1] + c[i + 2] - a[i] - 2 * a[i + 1] - a[i + 2];
    int v = (x < 0 ? -x : x) + (y < 0 ? -y : y);
    d[i] = v > 255 ? 255 : v;
  }
}
