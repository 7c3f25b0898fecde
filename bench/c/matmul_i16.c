/* The product of two matrices of 16-bit values, in tiles of 4 by 32 sums of 32 bits. */
#include <stdint.h>

enum { COLUMNS = 64, DEPTH = 64, TILE_ROWS = 4, TILE_COLUMNS = 32 };

static void tile(const int16_t *restrict a, const int16_t *restrict b, int32_t *restrict out) {
  int32_t sums[TILE_ROWS][TILE_COLUMNS] = {0};
  for (int k = 0; k < DEPTH; k++)
    for (int y = 0; y < TILE_ROWS; y++)
      for (int x = 0; x < TILE_COLUMNS; x++)
        sums[y][x] += a[y * DEPTH + k] * b[k * COLUMNS + x];
  for (int y = 0; y < TILE_ROWS; y++)
    for (int x = 0; x < TILE_COLUMNS; x++)
      out[y * COLUMNS + x] = sums[y][x];
}

void matmul_i16(const int16_t *restrict a, const int16_t *restrict b, int32_t *restrict out, int n) {
  for (int y = 0; y < n / COLUMNS; y += TILE_ROWS)
    for (int x = 0; x < COLUMNS; x += TILE_COLUMNS)
      tile(a + y * DEPTH, b + x, out + y * COLUMNS + x);
}
