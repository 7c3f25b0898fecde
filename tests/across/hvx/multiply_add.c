/* Idea: a tap of a filter: bytes by a signed weight in a register, added to halfwords. */
#include "kernel.h"
void kernel(int16_t *restrict sum, const uint8_t *restrict a, int8_t weight)
{
#if defined HAND
    int four = (uint8_t)weight * 0x01010101u;
    put2(sum, in_order(Q6_Wh_vmpyacc_WhVubRb(halves(at2(sum), 2), at(a, 0), four), 2));
#elif defined WRONG /* sums are in another order than products */
    int four = (uint8_t)weight * 0x01010101u;
    put2(sum, Q6_Wh_vmpyacc_WhVubRb(at2(sum), at(a, 0), four));
#else
    for (int i = 0; i < 128; i++)
        sum[i] += a[i] * weight;
#endif
}
