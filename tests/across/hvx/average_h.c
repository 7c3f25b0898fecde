/* Idea: half of the sum of two signed halfwords, rounded down: a box filter of two taps. */
#include "kernel.h"
void kernel(int16_t *restrict out, const int16_t *restrict a, const int16_t *restrict b)
{
#if defined HAND
    put(out, 0, Q6_Vh_vavg_VhVh(at(a, 0), at(b, 0)));
#elif defined WRONG /* rounded up */
    put(out, 0, Q6_Vh_vavg_VhVh_rnd(at(a, 0), at(b, 0)));
#else
    for (int i = 0; i < 64; i++)
        out[i] = (a[i] + b[i]) >> 1;
#endif
}
