/* Idea: squares of 8 values of 16 bits as 32-bit sums, libvpx's and libaom's sum of squares. */
#include "kernel.h"
uint32_t kernel(const int16_t *restrict p)
{
#if defined SSE
    __m128i x = _mm_loadu_si128((const __m128i *)p);
    __m128i s = _mm_madd_epi16(x, x);
    s = _mm_add_epi32(s, _mm_srli_si128(s, 8));
    s = _mm_add_epi32(s, _mm_srli_si128(s, 4));
    return (uint32_t)_mm_cvtsi128_si32(s);
#elif defined NEON
    int16x8_t x = vld1q_s16(p);
    int32x4_t s = vmull_s16(vget_low_s16(x), vget_low_s16(x));
    s = vmlal_high_s16(s, x, x);
    return (uint32_t)vaddvq_s32(s);
#elif defined WRONG /* half of it */
    int16x8_t x = vld1q_s16(p);
    int32x4_t s = vmull_s16(vget_low_s16(x), vget_low_s16(x));
    return (uint32_t)vaddvq_s32(s);
#else
    uint32_t sum = 0;
    for (int i = 0; i < 8; i++)
        sum += (uint32_t)(p[i] * p[i]);
    return sum;
#endif
}
