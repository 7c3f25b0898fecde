/* Idea: maximum over three neighbours, OpenCV's and Leptonica's morphology. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict src)
{
#if defined SSE
    __m128i left = _mm_loadu_si128((const __m128i *)src);
    __m128i mid = _mm_loadu_si128((const __m128i *)(src + 1));
    __m128i right = _mm_loadu_si128((const __m128i *)(src + 2));
    __m128i most = _mm_max_epu8(_mm_max_epu8(left, mid), right);
    _mm_storeu_si128((__m128i *)dst, most);
#elif defined NEON
    uint8x16_t left = vld1q_u8(src);
    uint8x16_t mid = vld1q_u8(src + 1);
    uint8x16_t right = vld1q_u8(src + 2);
    vst1q_u8(dst, vmaxq_u8(left, vmaxq_u8(mid, right)));
#elif defined WRONG /* bytes compared as signed */
    int8x16_t left = vld1q_s8((const int8_t *)src);
    int8x16_t mid = vld1q_s8((const int8_t *)src + 1);
    int8x16_t right = vld1q_s8((const int8_t *)src + 2);
    vst1q_s8((int8_t *)dst, vmaxq_s8(left, vmaxq_s8(mid, right)));
#else
    for (int i = 0; i < 16; i++) {
        uint8_t most = src[i] > src[i + 1] ? src[i] : src[i + 1];
        dst[i] = most > src[i + 2] ? most : src[i + 2];
    }
#endif
}
