/* Idea: half-pixel averages of two predictions, as in libvpx's comp_avg_pred and x264's pixel_avg. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b)
{
#if defined SSE
    for (int row = 0; row < 2; row++) {
        __m128i x = _mm_loadu_si128((const __m128i *)(a + 16 * row));
        __m128i y = _mm_loadu_si128((const __m128i *)(b + 16 * row));
        _mm_storeu_si128((__m128i *)(dst + 16 * row), _mm_avg_epu8(x, y));
    }
#elif defined NEON
    uint8x16_t x0 = vld1q_u8(a), x1 = vld1q_u8(a + 16);
    uint8x16_t y0 = vld1q_u8(b), y1 = vld1q_u8(b + 16);
    vst1q_u8(dst, vrhaddq_u8(x0, y0));
    vst1q_u8(dst + 16, vrhaddq_u8(x1, y1));
#elif defined WRONG /* halving without rounding */
    uint8x16_t x0 = vld1q_u8(a), x1 = vld1q_u8(a + 16);
    uint8x16_t y0 = vld1q_u8(b), y1 = vld1q_u8(b + 16);
    vst1q_u8(dst, vhaddq_u8(x0, y0));
    vst1q_u8(dst + 16, vhaddq_u8(x1, y1));
#else
    for (int i = 0; i < 32; i++)
        dst[i] = (a[i] + b[i] + 1) >> 1;
#endif
}
