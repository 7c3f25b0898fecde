/* Idea: of two signals the value whose score is greater, by a predicate. */
#include "kernel.h"
void kernel(int16_t *restrict out, const int16_t *restrict a, const int16_t *restrict b,
            const int16_t *restrict score, const int16_t *restrict other)
{
#if defined HAND
    HVX_VectorPred first = Q6_Q_vcmp_gt_VhVh(at(score, 0), at(other, 0));
    put(out, 0, Q6_V_vmux_QVV(first, at(a, 0), at(b, 0)));
#elif defined WRONG /* equal scores choose the first */
    HVX_VectorPred second = Q6_Q_vcmp_gt_VhVh(at(other, 0), at(score, 0));
    put(out, 0, Q6_V_vmux_QVV(second, at(b, 0), at(a, 0)));
#else
    for (int i = 0; i < 64; i++) { /* both are read, as whole vectors are */
        int16_t x = a[i], y = b[i];
        out[i] = score[i] > other[i] ? x : y;
    }
#endif
}
