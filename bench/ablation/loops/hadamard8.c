// A Hadamard transform whose rows clang puts together within a pass: eight passes, any stride.
#include <stddef.h>
#include <stdint.h>

void hadamard8(const int16_t *from, ptrdiff_t stride, int16_t *to) {
    for (int k = 0; k < 8; ++k, ++from, to += 8) {
        int16_t a0 = from[0] + from[stride], a1 = from[0] - from[stride];
        int16_t a2 = from[2 * stride] + from[3 * stride], a3 = from[2 * stride] - from[3 * stride];
        int16_t a4 = from[4 * stride] + from[5 * stride], a5 = from[4 * stride] - from[5 * stride];
        int16_t a6 = from[6 * stride] + from[7 * stride], a7 = from[6 * stride] - from[7 * stride];
        int16_t b0 = a0 + a2, b1 = a1 + a3, b2 = a0 - a2, b3 = a1 - a3;
        int16_t b4 = a4 + a6, b5 = a5 + a7, b6 = a4 - a6, b7 = a5 - a7;
        to[0] = b0 + b4;
        to[7] = b1 + b5;
        to[3] = b2 + b6;
        to[4] = b3 + b7;
        to[2] = b0 - b4;
        to[6] = b1 - b5;
        to[1] = b2 - b6;
        to[5] = b3 - b7;
    }
}
