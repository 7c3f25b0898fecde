// A filter across an edge between two blocks, eight columns of it, in place.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int8_t clamp(int x) { return x < -128 ? -128 : x > 127 ? 127 : x; }

void edge(uint8_t *at, ptrdiff_t stride, const uint8_t *limit) {
    for (int k = 0; k < 8; ++k, ++at) {
        uint8_t p1 = at[-2 * stride], p0 = at[-stride], q0 = at[0], q1 = at[stride];
        int flat = abs(p0 - q0) * 2 + abs(p1 - q1) / 2 <= *limit;
        int8_t step = clamp((3 * (q0 - p0) + (p1 - q1) + 4) >> 3) & -flat;
        at[0] = (uint8_t)(clamp((int8_t)(q0 ^ 0x80) - step) ^ 0x80);
        at[-stride] = (uint8_t)(clamp((int8_t)(p0 ^ 0x80) + step) ^ 0x80);
    }
}
