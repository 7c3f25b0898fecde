/* Idea: neighbouring pixels averaged with an alternating bias, libjpeg-turbo's h2v1 downsampling. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict src)
{
#if defined SSE
    const __m128i low = _mm_set1_epi16(255);
    const __m128i bias = _mm_setr_epi16(0, 1, 0, 1, 0, 1, 0, 1);
    __m128i in = _mm_loadu_si128((const __m128i *)src);
    __m128i even = _mm_and_si128(in, low);
    __m128i odd = _mm_srli_epi16(in, 8);
    __m128i sum = _mm_add_epi16(_mm_add_epi16(even, odd), bias);
    sum = _mm_srli_epi16(sum, 1);
    _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(sum, sum));
#elif defined NEON
    static const uint16_t bias[8] = {0, 1, 0, 1, 0, 1, 0, 1};
    uint16x8_t sum = vpadalq_u8(vld1q_u16(bias), vld1q_u8(src));
    vst1_u8(dst, vshrn_n_u16(sum, 1));
#elif defined WRONG /* always rounded up */
    uint16x8_t sum = vpaddlq_u8(vld1q_u8(src));
    vst1_u8(dst, vrshrn_n_u16(sum, 1));
#else
    for (int i = 0; i < 8; i++)
        dst[i] = (src[2 * i] + src[2 * i + 1] + (i & 1)) >> 1;
#endif
}
