// A transform of eight columns whose first pass reads the input and whose second reads its result.
#include <stddef.h>
#include <stdint.h>

void two_passes(const int16_t *input, int16_t *output, int stride) {
    int16_t middle[64];
    int16_t *out = middle;
    const int16_t *in = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < 8; ++k) {
            int s0, s1, s2, s3;
            if (pass == 0) {
                s0 = (input[0 * stride] + input[7 * stride]) * 4;
                s1 = (input[1 * stride] + input[6 * stride]) * 4;
                s2 = (input[2 * stride] + input[5 * stride]) * 4;
                s3 = (input[3 * stride] + input[4 * stride]) * 4;
                ++input;
            } else {
                s0 = in[0 * 8] + in[7 * 8];
                s1 = in[1 * 8] + in[6 * 8];
                s2 = in[2 * 8] + in[5 * 8];
                s3 = in[3 * 8] + in[4 * 8];
                ++in;
            }
            int even = s0 + s3, odd = s1 + s2, left = s0 - s3, right = s1 - s2;
            out[0] = (int16_t)(((even + odd) * 11585 + 8192) >> 14);
            out[1] = (int16_t)((left * 15137 + right * 6270 + 8192) >> 14);
            out[2] = (int16_t)(((even - odd) * 11585 + 8192) >> 14);
            out[3] = (int16_t)((left * 6270 - right * 15137 + 8192) >> 14);
            out[4] = (int16_t)((even - left) >> 1);
            out[5] = (int16_t)((odd - right) >> 1);
            out[6] = (int16_t)((even + left) >> 1);
            out[7] = (int16_t)((odd + right) >> 1);
            out += 8;
        }
        in = middle;
        out = output;
    }
}
