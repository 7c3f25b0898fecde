/* Idea: pixels times a weight, rounded and moved: H.264's explicit weighted prediction, x264. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict src, int8_t weight, int8_t offset)
{
#if defined SSE
    const __m128i w = _mm_set1_epi16(weight), o = _mm_set1_epi16(offset);
    __m128i x = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)src), _mm_setzero_si128());
    x = _mm_add_epi16(_mm_mullo_epi16(x, w), _mm_set1_epi16(16));
    x = _mm_add_epi16(_mm_srai_epi16(x, 5), o);
    _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(x, x));
#elif defined NEON
    int16x8_t x = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(src)));
    x = vrshrq_n_s16(vmulq_n_s16(x, weight), 5);
    vst1_u8(dst, vqmovun_s16(vaddq_s16(x, vdupq_n_s16(offset))));
#elif defined WRONG /* narrowed before the offset */
    int16x8_t x = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(src)));
    x = vmulq_n_s16(x, weight);
    vst1_u8(dst, vadd_u8(vqrshrun_n_s16(x, 5), vdup_n_u8((uint8_t)offset)));
#else
    for (int i = 0; i < 8; i++)
        dst[i] = clamp255(((src[i] * weight + 16) >> 5) + offset);
#endif
}
