/* Idea: two rows mixed by a fraction of 256, rounded: libyuv's InterpolateRow. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b, uint8_t f)
{
#if defined SSE
    const __m128i zero = _mm_setzero_si128();
    const __m128i x = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)a), zero);
    const __m128i y = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)b), zero);
    __m128i sum = _mm_mullo_epi16(x, _mm_set1_epi16((short)(256 - f)));
    sum = _mm_add_epi16(sum, _mm_mullo_epi16(y, _mm_set1_epi16(f)));
    sum = _mm_srli_epi16(_mm_add_epi16(sum, _mm_set1_epi16(128)), 8);
    _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(sum, sum));
#elif defined NEON
    uint16x8_t sum = vmulq_n_u16(vmovl_u8(vld1_u8(a)), (uint16_t)(256 - f));
    sum = vmlal_u8(sum, vld1_u8(b), vdup_n_u8(f));
    vst1_u8(dst, vrshrn_n_u16(sum, 8));
#elif defined WRONG /* 256 - f does not fit a byte */
    uint16x8_t sum = vmull_u8(vld1_u8(a), vdup_n_u8((uint8_t)(256 - f)));
    sum = vmlal_u8(sum, vld1_u8(b), vdup_n_u8(f));
    vst1_u8(dst, vrshrn_n_u16(sum, 8));
#else
    for (int i = 0; i < 8; i++)
        dst[i] = (a[i] * (256 - f) + b[i] * f + 128) >> 8;
#endif
}
