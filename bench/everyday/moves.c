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

/* The same of eight rows, then of eight columns. */
#define EIGHT(x, y, at)                                                                           \
  do {                                                                                            \
    int16_t a0 = x[0] + x[7], a1 = x[1] + x[6], a2 = x[2] + x[5], a3 = x[3] + x[4];               \
    int16_t b0 = x[0] - x[7], b1 = x[1] - x[6], b2 = x[2] - x[5], b3 = x[3] - x[4];               \
    int16_t c0 = a0 + a3, c1 = a1 + a2, c2 = a0 - a3, c3 = a1 - a2;                               \
    int16_t e0 = b0 + b1, e1 = b2 + b3, e2 = b0 - b1, e3 = b2 - b3;                               \
    y[0] = c0 + c1, y[at] = e0 + e1, y[2 * at] = c2 + (c3 >> 1), y[3 * at] = e2 + e3;             \
    y[4 * at] = c0 - c1, y[5 * at] = e0 - e1, y[6 * at] = (c2 >> 1) - c3, y[7 * at] = e2 - e3;    \
  } while (0)

void transform8(int16_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b, int n) {
#pragma clang loop vectorize(disable)
  for (int i = 0; i + 8 <= n; i += 8, a += 64, b += 64, d += 64) {
    int16_t t[64];
    for (int r = 0; r < 8; r++) {
      int16_t x[8], *y = t + 8 * r;
      for (int k = 0; k < 8; k++) x[k] = a[8 * r + k] - b[8 * r + k];
      EIGHT(x, y, 1);
    }
    for (int c = 0; c < 8; c++) {
      int16_t x[8], *y = d + c;
      for (int k = 0; k < 8; k++) x[k] = t[8 * k + c];
      EIGHT(x, y, 8);
    }
  }
}

/* The same of differences that are there. */
void transform8_i16(int16_t *restrict d, const int16_t *restrict s, int n) {
#pragma clang loop vectorize(disable)
  for (int i = 0; i + 8 <= n; i += 8, s += 64, d += 64) {
    int16_t t[64];
    for (int r = 0; r < 8; r++) {
      const int16_t *x = s + 8 * r;
      int16_t *y = t + r;
      EIGHT(x, y, 8);
    }
    for (int r = 0; r < 8; r++) {
      int16_t *x = t + 8 * r, *y = d + r;
      EIGHT(x, y, 8);
    }
  }
}
