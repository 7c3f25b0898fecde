/* Idea: colour times alpha, divided by 255 and rounded, Skia's SkMulDiv255Round. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict src, const uint8_t *restrict alpha)
{
#if defined SSE
    const __m128i zero = _mm_setzero_si128(), half = _mm_set1_epi16(128);
    __m128i s = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)src), zero);
    __m128i a = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)alpha), zero);
    __m128i prod = _mm_add_epi16(_mm_mullo_epi16(s, a), half);
    prod = _mm_add_epi16(prod, _mm_srli_epi16(prod, 8));
    prod = _mm_srli_epi16(prod, 8);
    _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(prod, prod));
#elif defined NEON
    uint16x8_t prod = vmull_u8(vld1_u8(src), vld1_u8(alpha));
    vst1_u8(dst, vraddhn_u16(prod, vrshrq_n_u16(prod, 8)));
#elif defined WRONG /* divided by 256 */
    uint16x8_t prod = vmull_u8(vld1_u8(src), vld1_u8(alpha));
    vst1_u8(dst, vrshrn_n_u16(prod, 8));
#else
    for (int i = 0; i < 8; i++) {
        unsigned prod = src[i] * alpha[i] + 128;
        dst[i] = (prod + (prod >> 8)) >> 8;
    }
#endif
}
