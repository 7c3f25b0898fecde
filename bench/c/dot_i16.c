/* The product of each row of 16-bit values with one vector. */
#include <stdint.h>

enum { LENGTH = 256 };

void dot_i16(const int16_t *restrict rows, const int16_t *restrict vector, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) {
    int32_t sum = 0;
    for (int k = 0; k < LENGTH; k++)
      sum += rows[i * LENGTH + k] * vector[k];
    out[i] = sum;
  }
}
