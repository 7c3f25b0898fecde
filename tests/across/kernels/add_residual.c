/* Idea: a residual of 16 bits added to a prediction, clamped: FFmpeg's add_pixels_clamped. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const int16_t *restrict residual)
{
#if defined SSE
    const __m128i zero = _mm_setzero_si128();
    __m128i pixels = _mm_loadl_epi64((const __m128i *)dst);
    __m128i wide = _mm_unpacklo_epi8(pixels, zero);
    __m128i more = _mm_loadu_si128((const __m128i *)residual);
    wide = _mm_adds_epi16(wide, more);
    _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(wide, wide));
#elif defined NEON
    uint8x8_t pixels = vld1_u8(dst);
    int16x8_t more = vld1q_s16(residual);
    int16x8_t wide = vreinterpretq_s16_u16(vmovl_u8(pixels));
    vst1_u8(dst, vqmovun_s16(vqaddq_s16(wide, more)));
#elif defined WRONG /* the sum wraps */
    uint8x8_t pixels = vld1_u8(dst);
    uint16x8_t more = vld1q_u16((const uint16_t *)residual);
    vst1_u8(dst, vqmovun_s16(vreinterpretq_s16_u16(vaddw_u8(more, pixels))));
#else
    for (int i = 0; i < 8; i++)
        dst[i] = clamp255(dst[i] + residual[i]);
#endif
}
