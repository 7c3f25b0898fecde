/* The product of each row of bytes with one vector of signed bytes. */
#include <stdint.h>

enum { LENGTH = 256 };

void dot_u8i8(const uint8_t *restrict rows, const int8_t *restrict vector, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) {
    int32_t sum = 0;
    for (int k = 0; k < LENGTH; k++)
      sum += rows[i * LENGTH + k] * vector[k];
    out[i] = sum;
  }
}
