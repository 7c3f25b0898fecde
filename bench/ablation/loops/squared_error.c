// The squared error of a block, added where the caller says: it may be one of the bytes.
#include <stdint.h>

void squared_error(const uint8_t *a, int stride, const uint8_t *b, uint32_t *sum) {
    *sum = 0;
    for (int y = 0; y < 16; ++y, a += stride, b += 16)
        for (int x = 0; x < 16; ++x) {
            int d = a[x] - b[x];
            *sum += (uint32_t)(d * d);
        }
}
