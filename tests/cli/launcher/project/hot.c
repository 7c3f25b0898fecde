#include "hot.h"

void subtract(uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        int difference = a[i] - b[i];
        out[i] = (uint8_t)(difference < 0 ? 0 : difference);
    }
}
