/* Idea: half the width by pairs of two rows, rounded: libyuv's ScaleRowDown2Box. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b)
{
#if defined SSE
    const __m128i ones = _mm_set1_epi8(1);
    __m128i x = _mm_maddubs_epi16(_mm_loadu_si128((const __m128i *)a), ones);
    __m128i y = _mm_maddubs_epi16(_mm_loadu_si128((const __m128i *)b), ones);
    __m128i sum = _mm_add_epi16(_mm_add_epi16(x, y), _mm_set1_epi16(2));
    sum = _mm_srli_epi16(sum, 2);
    _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(sum, sum));
#elif defined NEON
    uint16x8_t sum = vpaddlq_u8(vld1q_u8(a));
    sum = vpadalq_u8(sum, vld1q_u8(b));
    vst1_u8(dst, vrshrn_n_u16(sum, 2));
#elif defined WRONG /* without rounding */
    uint16x8_t sum = vpaddlq_u8(vld1q_u8(a));
    sum = vpadalq_u8(sum, vld1q_u8(b));
    vst1_u8(dst, vshrn_n_u16(sum, 2));
#else
    for (int i = 0; i < 8; i++)
        dst[i] = (a[2 * i] + a[2 * i + 1] + b[2 * i] + b[2 * i + 1] + 2) >> 2;
#endif
}
