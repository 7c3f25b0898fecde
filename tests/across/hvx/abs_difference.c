/* Idea: absolute differences of bytes, what motion search sums. */
#include "kernel.h"
void kernel(uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b)
{
#if defined HAND
    put(out, 0, Q6_Vub_vabsdiff_VubVub(at(a, 0), at(b, 0)));
#elif defined WRONG /* negative differences are 0 */
    put(out, 0, Q6_Vub_vsub_VubVub_sat(at(a, 0), at(b, 0)));
#else
    for (int i = 0; i < 128; i++)
        out[i] = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
#endif
}
