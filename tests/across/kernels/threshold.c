/* Idea: 255 where a pixel is above a limit, else 0: OpenCV's threshold. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict src, uint8_t limit)
{
#if defined SSE
    const __m128i flip = _mm_set1_epi8(-128);
    const __m128i high = _mm_set1_epi8((char)(limit ^ 128));
    __m128i x = _mm_loadu_si128((const __m128i *)src);
    __m128i above = _mm_cmpgt_epi8(_mm_xor_si128(x, flip), high);
    _mm_storeu_si128((__m128i *)dst, above);
#elif defined NEON
    uint8x16_t x = vld1q_u8(src);
    uint8x16_t above = vcgtq_u8(x, vdupq_n_u8(limit));
    vst1q_u8(dst, above);
#elif defined WRONG /* at the limit as well */
    uint8x16_t x = vld1q_u8(src);
    vst1q_u8(dst, vcgeq_u8(x, vdupq_n_u8(limit)));
#else
    for (int i = 0; i < 16; i++)
        dst[i] = src[i] > limit ? 255 : 0;
#endif
}
