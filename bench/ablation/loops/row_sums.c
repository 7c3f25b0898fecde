// The sums of rows of bytes, each stored where more is read.
#include <stdint.h>

void row_sums(const uint8_t *a, int stride, uint32_t *sums, int rows) {
    for (int y = 0; y < rows; ++y, a += stride) {
        uint32_t sum = 0;
        for (int x = 0; x < 64; ++x)
            sum += a[x];
        sums[y] = sum;
    }
}
