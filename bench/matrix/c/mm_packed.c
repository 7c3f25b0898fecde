/* The product of bytes and signed bytes, the second factor packed by four along the depth. */
#include <stdint.h>

enum { ROWS = 64, COLUMNS = 64, DEPTH = 256 };

void mm_packed(const uint8_t *restrict a, const int8_t *restrict b, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = 0;
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < DEPTH; k += 4) {
      const uint8_t *p = a + i * DEPTH + k;
      const int8_t *q = b + k * COLUMNS;
      for (int j = 0; j < COLUMNS; j++)
        out[i * COLUMNS + j] += p[0] * q[4 * j] + p[1] * q[4 * j + 1] + p[2] * q[4 * j + 2] +
                                p[3] * q[4 * j + 3];
    }
}
