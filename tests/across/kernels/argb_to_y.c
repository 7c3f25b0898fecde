/* Idea: luma of eight pixels from planes: (66 r + 129 g + 25 b + 128 >> 8) + 16; libyuv, BT.601. */
#include "kernel.h"
void kernel(uint8_t *restrict y, const uint8_t *restrict r, const uint8_t *restrict g,
            const uint8_t *restrict b)
{
#if defined SSE
    const __m128i zero = _mm_setzero_si128();
#define WIDE(p) _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(p)), zero)
    __m128i sum = _mm_mullo_epi16(WIDE(r), _mm_set1_epi16(66));
    sum = _mm_add_epi16(sum, _mm_mullo_epi16(WIDE(g), _mm_set1_epi16(129)));
    sum = _mm_add_epi16(sum, _mm_mullo_epi16(WIDE(b), _mm_set1_epi16(25)));
    sum = _mm_srli_epi16(_mm_add_epi16(sum, _mm_set1_epi16(128)), 8);
    sum = _mm_add_epi16(sum, _mm_set1_epi16(16));
    _mm_storel_epi64((__m128i *)y, _mm_packus_epi16(sum, sum));
#elif defined NEON
    uint16x8_t sum = vmull_u8(vld1_u8(r), vdup_n_u8(66));
    sum = vmlal_u8(sum, vld1_u8(g), vdup_n_u8(129));
    sum = vmlal_u8(sum, vld1_u8(b), vdup_n_u8(25));
    vst1_u8(y, vadd_u8(vrshrn_n_u16(sum, 8), vdup_n_u8(16)));
#elif defined WRONG /* red and blue exchanged */
    uint16x8_t sum = vmull_u8(vld1_u8(b), vdup_n_u8(66));
    sum = vmlal_u8(sum, vld1_u8(g), vdup_n_u8(129));
    sum = vmlal_u8(sum, vld1_u8(r), vdup_n_u8(25));
    vst1_u8(y, vadd_u8(vrshrn_n_u16(sum, 8), vdup_n_u8(16)));
#else
    for (int i = 0; i < 8; i++)
        y[i] = ((66 * r[i] + 129 * g[i] + 25 * b[i] + 128) >> 8) + 16;
#endif
}
