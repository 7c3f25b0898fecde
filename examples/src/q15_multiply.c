// Q15 fixed-point product of two arrays, rounded: the inner loop of many audio filters.
#include <stddef.h>
#include <stdint.h>

void q15_multiply(int16_t *restrict out, const int16_t *restrict a, const int16_t *restrict b, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)((a[i] * b[i] + (1 << 14)) >> 15);
}
