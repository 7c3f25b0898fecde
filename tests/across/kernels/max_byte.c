/* Idea: the largest of 16 bytes, as in searches for the end of a string or the peak of a row. */
#include "kernel.h"
uint8_t kernel(const uint8_t *restrict p)
{
#if defined SSE
    __m128i x = _mm_loadu_si128((const __m128i *)p);
    x = _mm_max_epu8(x, _mm_srli_si128(x, 8));
    x = _mm_max_epu8(x, _mm_srli_si128(x, 4));
    x = _mm_max_epu8(x, _mm_srli_si128(x, 2));
    x = _mm_max_epu8(x, _mm_srli_si128(x, 1));
    return (uint8_t)_mm_extract_epi8(x, 0);
#elif defined NEON
    uint8x16_t x = vld1q_u8(p);
    uint8x8_t y = vpmax_u8(vget_low_u8(x), vget_high_u8(x));
    y = vpmax_u8(y, y);
    y = vpmax_u8(y, y);
    y = vpmax_u8(y, y);
    return vget_lane_u8(y, 0);
#elif defined WRONG /* one step too few */
    uint8x16_t x = vld1q_u8(p);
    uint8x8_t y = vpmax_u8(vget_low_u8(x), vget_high_u8(x));
    y = vpmax_u8(y, y);
    y = vpmax_u8(y, y);
    return vget_lane_u8(y, 0);
#else
    uint8_t most = 0;
    for (int i = 0; i < 16; i++)
        most = p[i] > most ? p[i] : most;
    return most;
#endif
}
