/* Idea: floor((average of a and b) and c), libwebp's lossless predictors Average2 and Average3. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b,
            const uint8_t *restrict c)
{
#if defined SSE
    const __m128i one = _mm_set1_epi8(1);
    const __m128i x = _mm_loadu_si128((const __m128i *)a);
    const __m128i y = _mm_loadu_si128((const __m128i *)b);
    const __m128i z = _mm_loadu_si128((const __m128i *)c);
    const __m128i odd = _mm_and_si128(_mm_xor_si128(x, z), one);
    const __m128i ac = _mm_sub_epi8(_mm_avg_epu8(x, z), odd);
    const __m128i odd2 = _mm_and_si128(_mm_xor_si128(ac, y), one);
    _mm_storeu_si128((__m128i *)dst, _mm_sub_epi8(_mm_avg_epu8(ac, y), odd2));
#elif defined NEON
    const uint8x16_t x = vld1q_u8(a), y = vld1q_u8(b), z = vld1q_u8(c);
    vst1q_u8(dst, vhaddq_u8(vhaddq_u8(x, z), y));
#elif defined WRONG /* the three in another order */
    const uint8x16_t x = vld1q_u8(a), y = vld1q_u8(b), z = vld1q_u8(c);
    vst1q_u8(dst, vhaddq_u8(vhaddq_u8(x, y), z));
#else
    for (int i = 0; i < 16; i++)
        dst[i] = (((a[i] + c[i]) >> 1) + b[i]) >> 1;
#endif
}
