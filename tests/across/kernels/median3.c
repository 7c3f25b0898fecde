/* Idea: the median of three rows, OpenCV's medianBlur and H.264's motion vector prediction. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b,
            const uint8_t *restrict c)
{
#if defined SSE
    __m128i x = _mm_loadu_si128((const __m128i *)a);
    __m128i y = _mm_loadu_si128((const __m128i *)b);
    __m128i z = _mm_loadu_si128((const __m128i *)c);
    __m128i low = _mm_min_epu8(x, y), high = _mm_max_epu8(x, y);
    _mm_storeu_si128((__m128i *)dst, _mm_max_epu8(low, _mm_min_epu8(high, z)));
#elif defined NEON
    uint8x16_t x = vld1q_u8(a), y = vld1q_u8(b), z = vld1q_u8(c);
    uint8x16_t low = vminq_u8(y, z), high = vmaxq_u8(y, z);
    vst1q_u8(dst, vminq_u8(high, vmaxq_u8(low, x)));
#elif defined WRONG /* the lower of two maxima only */
    uint8x16_t x = vld1q_u8(a), y = vld1q_u8(b), z = vld1q_u8(c);
    vst1q_u8(dst, vminq_u8(vmaxq_u8(x, y), vmaxq_u8(y, z)));
#else
    for (int i = 0; i < 16; i++) {
        uint8_t low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];
        uint8_t m = high < c[i] ? high : c[i];
        dst[i] = low > m ? low : m;
    }
#endif
}
