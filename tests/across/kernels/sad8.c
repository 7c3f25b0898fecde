/* Idea: sum of absolute differences of 16 bytes, x264's pixel_sad and libvpx's vpx_sad. */
#include "kernel.h"
uint32_t kernel(const uint8_t *restrict a, const uint8_t *restrict b)
{
#if defined SSE
    __m128i x = _mm_loadu_si128((const __m128i *)a);
    __m128i y = _mm_loadu_si128((const __m128i *)b);
    __m128i sad = _mm_sad_epu8(x, y);
    sad = _mm_add_epi32(sad, _mm_shuffle_epi32(sad, 2));
    return (uint32_t)_mm_cvtsi128_si32(sad);
#elif defined NEON
    uint8x16_t x = vld1q_u8(a);
    uint8x16_t y = vld1q_u8(b);
    return vaddlvq_u8(vabdq_u8(x, y));
#elif defined WRONG /* the sum wraps at eight bits */
    uint8x16_t x = vld1q_u8(a);
    uint8x16_t y = vld1q_u8(b);
    return vaddvq_u8(vabdq_u8(x, y));
#else
    uint32_t sum = 0;
    for (int i = 0; i < 16; i++)
        sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    return sum;
#endif
}
