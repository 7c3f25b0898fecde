/* Idea: the inner product of 128 bytes: four products a word, then halves onto each other. */
#include "kernel.h"
void kernel(uint32_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b)
{
#if defined HAND || defined WRONG
    HVX_Vector sum = Q6_Vuw_vrmpy_VubVub(at(a, 0), at(b, 0));
#if defined HAND
    for (int n = 64; n >= 4; n /= 2)
#else /* the last step is missing: every other word */
    for (int n = 64; n >= 8; n /= 2)
#endif
        sum = Q6_Vw_vadd_VwVw(sum, Q6_V_vror_VR(sum, n));
    *out = Q6_R_vextract_VR(sum, 0);
#else
    uint32_t sum = 0;
    for (int i = 0; i < 128; i++)
        sum += a[i] * b[i];
    *out = sum;
#endif
}
