/* Idea: bytes between two bounds in registers. */
#include "kernel.h"
void kernel(uint8_t *restrict out, const uint8_t *restrict a, uint8_t low, uint8_t high)
{
#if defined HAND
    HVX_Vector least = Q6_Vub_vmax_VubVub(at(a, 0), bytes(low));
    put(out, 0, Q6_Vub_vmin_VubVub(least, bytes(high)));
#elif defined WRONG /* the other bound last: it wins where low is above high */
    HVX_Vector most = Q6_Vub_vmin_VubVub(at(a, 0), bytes(high));
    put(out, 0, Q6_Vub_vmax_VubVub(most, bytes(low)));
#else
    for (int i = 0; i < 128; i++) {
        uint8_t least = a[i] > low ? a[i] : low;
        out[i] = least < high ? least : high;
    }
#endif
}
