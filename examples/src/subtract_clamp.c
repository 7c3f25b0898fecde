// Background subtraction that stops at black, spelled with wider integers and a comparison.
#include <stddef.h>
#include <stdint.h>

void subtract_clamp(uint8_t *restrict out, const uint8_t *restrict image, const uint8_t *restrict background, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int d = image[i] - 2 * background[i];
        out[i] = (uint8_t)(d < 0 ? 0 : d);
    }
}
