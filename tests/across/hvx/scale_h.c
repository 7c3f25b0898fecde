/* Idea: halfwords by a factor in a register, as words. */
#include "kernel.h"
void kernel(int32_t *restrict out, const int16_t *restrict a, int16_t factor)
{
#if defined HAND
    int both = (uint16_t)factor * 0x10001u;
    put2(out, in_order(Q6_Ww_vmpy_VhRh(at(a, 0), both), 4));
#elif defined WRONG /* odd halfwords have no factor */
    put2(out, in_order(Q6_Ww_vmpy_VhRh(at(a, 0), (uint16_t)factor), 4));
#else
    for (int i = 0; i < 64; i++)
        out[i] = a[i] * factor;
#endif
}
