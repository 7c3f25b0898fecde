/* Blocks of 8 by 8 values transformed by a matrix of 12 fractional bits, columns first. */
#include <stdint.h>

void dct8x8(const int16_t *restrict in, const int16_t *restrict matrix,
            int32_t *restrict out, int n) {
  for (int block = 0; block < n; block += 64) {
    int16_t columns[64];
    for (int u = 0; u < 8; u++)
      for (int x = 0; x < 8; x++) {
        int32_t sum = 0;
        for (int y = 0; y < 8; y++)
          sum += matrix[u * 8 + y] * in[block + y * 8 + x];
        columns[u * 8 + x] = (sum + 2048) >> 12;
      }
    for (int u = 0; u < 8; u++)
      for (int v = 0; v < 8; v++) {
        int32_t sum = 0;
        for (int x = 0; x < 8; x++)
          sum += columns[u * 8 + x] * matrix[v * 8 + x];
        out[block + u * 8 + v] = sum;
      }
  }
}
