// Averages of two rows of pairs, of which the loop carries the sums of the row before.
#include <stdint.h>

void pairs_down(const uint8_t *restrict a, int stride, uint8_t *restrict out, int rows) {
    unsigned before[32];
    for (int x = 0; x < 32; ++x)
        before[x] = a[2 * x] + a[2 * x + 1];
    for (int y = 1; y < rows; ++y) {
        a += stride;
        for (int x = 0; x < 32; ++x) {
            unsigned now = a[2 * x] + a[2 * x + 1];
            out[x] = (uint8_t)((before[x] + now + 2) >> 2);
            before[x] = now;
        }
        out += 32;
    }
}
