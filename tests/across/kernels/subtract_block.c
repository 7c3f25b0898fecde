/* Idea: source less prediction as 16 bits, libvpx's and x264's residuals. */
#include "kernel.h"
void kernel(int16_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b)
{
#if defined SSE
    const __m128i zero = _mm_setzero_si128();
    __m128i x = _mm_loadu_si128((const __m128i *)a);
    __m128i y = _mm_loadu_si128((const __m128i *)b);
    __m128i lo = _mm_sub_epi16(_mm_unpacklo_epi8(x, zero), _mm_unpacklo_epi8(y, zero));
    __m128i hi = _mm_sub_epi16(_mm_unpackhi_epi8(x, zero), _mm_unpackhi_epi8(y, zero));
    _mm_storeu_si128((__m128i *)out, lo);
    _mm_storeu_si128((__m128i *)(out + 8), hi);
#elif defined NEON
    uint8x16_t x = vld1q_u8(a), y = vld1q_u8(b);
    vst1q_s16(out, vreinterpretq_s16_u16(vsubl_u8(vget_low_u8(x), vget_low_u8(y))));
    vst1q_s16(out + 8, vreinterpretq_s16_u16(vsubl_high_u8(x, y)));
#elif defined WRONG /* extended as signed bytes */
    int8x16_t x = vreinterpretq_s8_u8(vld1q_u8(a)), y = vreinterpretq_s8_u8(vld1q_u8(b));
    vst1q_s16(out, vsubl_s8(vget_low_s8(x), vget_low_s8(y)));
    vst1q_s16(out + 8, vsubl_high_s8(x, y));
#else
    for (int i = 0; i < 16; i++)
        out[i] = a[i] - b[i];
#endif
}
