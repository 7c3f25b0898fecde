/* The absolute difference of two bytes. */
#include <stdint.h>

void absd(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (uint8_t)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
}
