/* Idea: an 8-tap filter of signed taps at one pixel, libvpx's and libaom's convolve. */
#include "kernel.h"
uint8_t kernel(const uint8_t *restrict p, const int16_t *restrict taps)
{
#if defined SSE
    __m128i x = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)p));
    __m128i t = _mm_loadu_si128((const __m128i *)taps);
    __m128i s = _mm_madd_epi16(x, t);
    s = _mm_add_epi32(s, _mm_srli_si128(s, 8));
    s = _mm_add_epi32(s, _mm_srli_si128(s, 4));
    int sum = (int)((unsigned)_mm_cvtsi128_si32(s) + 64u) >> 7;
    return (uint8_t)clamp255(sum);
#elif defined NEON
    int16x8_t x = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(p)));
    int16x8_t t = vld1q_s16(taps);
    int32x4_t s = vmull_s16(vget_low_s16(x), vget_low_s16(t));
    s = vmlal_high_s16(s, x, t);
    int sum = (int)((unsigned)vaddvq_s32(s) + 64u) >> 7;
    return (uint8_t)clamp255(sum);
#elif defined WRONG /* a sum of 16 bits */
    int16x8_t x = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(p)));
    int16x8_t t = vld1q_s16(taps);
    int sum = (int)((unsigned)vaddvq_s16(vmulq_s16(x, t)) + 64u) >> 7;
    return (uint8_t)clamp255(sum);
#else
    int sum = 64;
    for (int i = 0; i < 8; i++)
        sum += p[i] * taps[i];
    return (uint8_t)clamp255(sum >> 7);
#endif
}
