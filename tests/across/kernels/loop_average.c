/* Idea: rows averaged in steps of 16 bytes, the loops of libyuv's and FFmpeg's row functions. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b, long n)
{
#if defined SSE
    for (long i = 0; i < n; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(a + i));
        __m128i y = _mm_loadu_si128((const __m128i *)(b + i));
        _mm_storeu_si128((__m128i *)(dst + i), _mm_avg_epu8(x, y));
    }
#elif defined NEON
    for (long i = 0; i < n; i += 16) {
        uint8x16_t x = vld1q_u8(a + i), y = vld1q_u8(b + i);
        vst1q_u8(dst + i, vrhaddq_u8(x, y));
    }
#elif defined WRONG /* without rounding */
    for (long i = 0; i < n; i += 16) {
        uint8x16_t x = vld1q_u8(a + i), y = vld1q_u8(b + i);
        vst1q_u8(dst + i, vhaddq_u8(x, y));
    }
#else
    for (long i = 0; i < n; i += 16)
#pragma clang loop vectorize(disable)
        for (int k = 0; k < 16; k++)
            dst[i + k] = (a[i + k] + b[i + k] + 1) >> 1;
#endif
}
