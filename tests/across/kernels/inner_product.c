/* Idea: inner product of 8 coefficients of 16 bits, Speex's and Opus's inner_prod. */
#include "kernel.h"
int32_t kernel(const int16_t *restrict a, const int16_t *restrict b)
{
#if defined SSE
    __m128i x = _mm_loadu_si128((const __m128i *)a);
    __m128i y = _mm_loadu_si128((const __m128i *)b);
    __m128i sum = _mm_madd_epi16(x, y);
    sum = _mm_add_epi32(sum, _mm_unpackhi_epi64(sum, sum));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 1));
    return _mm_cvtsi128_si32(sum);
#elif defined NEON
    int16x8_t x = vld1q_s16(a);
    int16x8_t y = vld1q_s16(b);
    int32x4_t sum = vmull_s16(vget_low_s16(x), vget_low_s16(y));
    sum = vmlal_s16(sum, vget_high_s16(x), vget_high_s16(y));
    return vaddvq_s32(sum);
#elif defined WRONG /* products doubled and saturated */
    int16x8_t x = vld1q_s16(a);
    int16x8_t y = vld1q_s16(b);
    int32x4_t sum = vqdmull_s16(vget_low_s16(x), vget_low_s16(y));
    sum = vqdmlal_s16(sum, vget_high_s16(x), vget_high_s16(y));
    return vaddvq_s32(sum) >> 1;
#else
    int32_t sum = 0;
    for (int i = 0; i < 8; i++)
        sum = (int32_t)((uint32_t)sum + (uint32_t)(a[i] * b[i]));
    return sum;
#endif
}
