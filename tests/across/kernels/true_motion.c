/* Idea: the TrueMotion predictor of VP8, a row: clamp(left + top - corner); libwebp, libvpx. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict top, const uint8_t *restrict side)
{
#if defined SSE
    const __m128i zero = _mm_setzero_si128();
    const __m128i above = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)top), zero);
    const __m128i step = _mm_set1_epi16((short)(side[0] - side[1]));
    const __m128i sum = _mm_add_epi16(above, step);
    _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(sum, zero));
#elif defined NEON
    const uint8x8_t above = vld1_u8(top);
    const int16x8_t step = vdupq_n_s16((int16_t)(side[0] - side[1]));
    const int16x8_t wide = vreinterpretq_s16_u16(vmovl_u8(above));
    vst1_u8(dst, vqmovun_s16(vaddq_s16(wide, step)));
#elif defined WRONG /* the sum saturates as bytes before the subtraction */
    const uint8x8_t above = vld1_u8(top);
    vst1_u8(dst, vqsub_u8(vqadd_u8(above, vdup_n_u8(side[0])), vdup_n_u8(side[1])));
#else
    for (int i = 0; i < 8; i++)
        dst[i] = clamp255(top[i] + side[0] - side[1]);
#endif
}
