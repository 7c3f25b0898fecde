/* Idea: absolute differences of two rows, as in OpenCV's absdiff and libvpx's SAD kernels. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b)
{
#if defined SSE
    __m128i x = _mm_loadu_si128((const __m128i *)a);
    __m128i y = _mm_loadu_si128((const __m128i *)b);
    __m128i up = _mm_subs_epu8(x, y);
    __m128i down = _mm_subs_epu8(y, x);
    _mm_storeu_si128((__m128i *)dst, _mm_or_si128(up, down));
#elif defined NEON
    uint8x16_t x = vld1q_u8(a);
    uint8x16_t y = vld1q_u8(b);
    vst1q_u8(dst, vabdq_u8(x, y));
#elif defined WRONG /* a difference of signed bytes */
    int8x16_t x = vreinterpretq_s8_u8(vld1q_u8(a));
    int8x16_t y = vreinterpretq_s8_u8(vld1q_u8(b));
    vst1q_u8(dst, vreinterpretq_u8_s8(vabdq_s8(x, y)));
#else
    for (int i = 0; i < 16; i++)
        dst[i] = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
#endif
}
