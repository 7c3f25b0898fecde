/* Idea: two predictions mixed by weights of 64, rounded: AV1's blend_a64_mask, dav1d. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b,
            const uint8_t *restrict m)
{
#if defined SSE
    const __m128i zero = _mm_setzero_si128(), full = _mm_set1_epi16(64);
    __m128i x = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)a), zero);
    __m128i y = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)b), zero);
    __m128i w = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)m), zero);
    w = _mm_and_si128(w, _mm_set1_epi16(63));
    __m128i s = _mm_mullo_epi16(x, w);
    s = _mm_add_epi16(s, _mm_mullo_epi16(y, _mm_sub_epi16(full, w)));
    s = _mm_srli_epi16(_mm_add_epi16(s, _mm_set1_epi16(32)), 6);
    _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(s, s));
#elif defined NEON
    uint8x8_t w = vand_u8(vld1_u8(m), vdup_n_u8(63));
    uint16x8_t s = vmull_u8(vld1_u8(a), w);
    s = vmlal_u8(s, vld1_u8(b), vsub_u8(vdup_n_u8(64), w));
    vst1_u8(dst, vrshrn_n_u16(s, 6));
#elif defined WRONG /* weights exchanged */
    uint8x8_t w = vand_u8(vld1_u8(m), vdup_n_u8(63));
    uint16x8_t s = vmull_u8(vld1_u8(b), w);
    s = vmlal_u8(s, vld1_u8(a), vsub_u8(vdup_n_u8(64), w));
    vst1_u8(dst, vrshrn_n_u16(s, 6));
#else
    for (int i = 0; i < 8; i++) {
        int w = m[i] & 63;
        dst[i] = (a[i] * w + b[i] * (64 - w) + 32) >> 6;
    }
#endif
}
