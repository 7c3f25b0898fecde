/* Idea: halfwords shifted right by 4 with rounding, as bytes with saturation. */
#include "kernel.h"
void kernel(uint8_t *restrict out, const int16_t *restrict a)
{
#if defined HAND
    HVX_VectorPair in = halves(at2(a), 2);
    put(out, 0, Q6_Vub_vasr_VhVhR_rnd_sat(Q6_V_hi_W(in), Q6_V_lo_W(in), 4));
#elif defined WRONG /* rounded down */
    HVX_VectorPair in = halves(at2(a), 2);
    put(out, 0, Q6_Vub_vasr_VhVhR_sat(Q6_V_hi_W(in), Q6_V_lo_W(in), 4));
#else
    for (int i = 0; i < 128; i++) {
        int x = (a[i] + 8) >> 4;
        out[i] = x < 0 ? 0 : x > 255 ? 255 : x;
    }
#endif
}
