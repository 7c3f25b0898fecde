/* Idea: bytes above a threshold in a register, 0 elsewhere. */
#include "kernel.h"
void kernel(uint8_t *restrict out, const uint8_t *restrict a, uint8_t least)
{
#if defined HAND
    HVX_VectorPred above = Q6_Q_vcmp_gt_VubVub(at(a, 0), bytes(least));
    put(out, 0, Q6_V_vmux_QVV(above, at(a, 0), Q6_V_vzero()));
#elif defined WRONG /* bytes are compared as signed ones */
    HVX_VectorPred above = Q6_Q_vcmp_gt_VbVb(at(a, 0), bytes(least));
    put(out, 0, Q6_V_vmux_QVV(above, at(a, 0), Q6_V_vzero()));
#else
    for (int i = 0; i < 128; i++)
        out[i] = a[i] > least ? a[i] : 0;
#endif
}
