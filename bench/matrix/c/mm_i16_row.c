/* The product of 16-bit values, the second factor in rows; rows of the output take up the sums. */
#include <stdint.h>

enum { ROWS = 64, COLUMNS = 64, DEPTH = 256 };

void mm_i16_row(const int16_t *restrict a, const int16_t *restrict b,
                int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = 0;
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < DEPTH; k++) {
      int32_t x = a[i * DEPTH + k];
      for (int j = 0; j < COLUMNS; j++)
        out[i * COLUMNS + j] += x * b[k * COLUMNS + j];
    }
}
