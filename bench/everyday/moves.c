/* Elements that are moved, and squares of them: 1024 elements. */
#include <stdint.h>

void planes_to_yuyv(uint8_t *restrict d, const uint8_t *restrict y, const uint8_t *restrict u,
                    const uint8_t *restrict v, int n) {
  for (int i = 0; i < n; i++) {
    d[4 * i] = y[2 * i];
    d[4 * i + 1] = u[i];
    d[4 * i + 2] = y[2 * i + 1];
    d[4 * i + 3] = v[i];
  }
}

void yuyv_to_planes(uint8_t *restrict y, uint8_t *restrict u, uint8_t *restrict v,
                    const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    y[2 * i] = s[4 * i];
    u[i] = s[4 * i + 1];
    y[2 * i + 1] = s[4 * i + 2];
    v[i] = s[4 * i + 3];
  }
}

void rgb_to_planes(uint8_t *restrict r, uint8_t *restrict g, uint8_t *restrict b,
                   const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    r[i] = s[3 * i];
    g[i] = s[3 * i + 1];
    b[i] = s[3 * i + 2];
  }
}

void interleave4(int32_t *restrict d, const int32_t *restrict a, const int32_t *restrict b,
                 const int32_t *restrict c, const int32_t *restrict e, int n) {
  for (int i = 0; i < n; i++) {
    d[4 * i] = a[i];
    d[4 * i + 1] = b[i];
    d[4 * i + 2] = c[i];
    d[4 * i + 3] = e[i];
  }
}

void transpose4(int16_t *restrict d, const int16_t *restrict s, int n) {
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 4; c++) d[16 * i + 4 * c + r] = s[16 * i + 4 * r + c];
}

/* Sums and differences of differences, of rows and then of columns. */
#define STEP(x, at)                                                                              \
  do {                                                                                           \
    int e = x[0] + x[3 * at], f = x[0] - x[3 * at], g = x[at] + x[2 * at], h = x[at] - x[2 * at]; \
    x[0] = e + g, x[2 * at] = e - g, x[at] = 2 * f + h, x[3 * at] = f - 2 * h;                   \
  } while (0)

void transform4(int16_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b, int n) {
  for (int i = 0; i < n; i++) {
    int16_t t[16];
    for (int k = 0; k < 16; k++) t[k] = a[16 * i + k] - b[16 * i + k];
    for (int r = 0; r < 4; r++) {
      int16_t *x = t + 4 * r;
      STEP(x, 1);
    }
    for (int c = 0; c < 4; c++) {
      int16_t *x = t + c;
      STEP(x, 4);
    }
    for (int k = 0; k < 16; k++) d[16 * i + k] = t[k];
  }
}
