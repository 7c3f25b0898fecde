/* The sum of 16-bit values, saturated. */
#include <stdint.h>

void saturating_add(const int16_t *restrict a, const int16_t *restrict b, int16_t *restrict out, int n) {
  for (int i = 0; i < n; i++) {
    int32_t sum = a[i] + b[i];
    out[i] = (int16_t)(sum < INT16_MIN ? INT16_MIN : sum > INT16_MAX ? INT16_MAX : sum);
  }
}
