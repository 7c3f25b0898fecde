// A sum of squares of 16 bits in 64.
#include <stdint.h>

uint64_t energy(const int16_t *a, int count) {
    uint64_t sum = 0;
    for (int k = 0; k < count; ++k)
        sum += (uint64_t)(a[k] * a[k]);
    return sum;
}
