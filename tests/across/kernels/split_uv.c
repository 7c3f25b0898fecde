/* Idea: interleaved chroma taken apart, libyuv's SplitUVRow. */
#include "kernel.h"
void kernel(uint8_t *restrict u, uint8_t *restrict v, const uint8_t *restrict uv)
{
#if defined SSE
    const __m128i low = _mm_set1_epi16(255);
    __m128i a = _mm_loadu_si128((const __m128i *)uv);
    __m128i b = _mm_loadu_si128((const __m128i *)(uv + 16));
    __m128i even = _mm_packus_epi16(_mm_and_si128(a, low), _mm_and_si128(b, low));
    __m128i odd = _mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8));
    _mm_storeu_si128((__m128i *)u, even);
    _mm_storeu_si128((__m128i *)v, odd);
#elif defined NEON
    uint8x16_t a = vld1q_u8(uv), b = vld1q_u8(uv + 16);
    vst1q_u8(u, vuzp1q_u8(a, b));
    vst1q_u8(v, vuzp2q_u8(a, b));
#elif defined WRONG /* u and v exchanged */
    uint8x16_t a = vld1q_u8(uv), b = vld1q_u8(uv + 16);
    vst1q_u8(v, vuzp1q_u8(a, b));
    vst1q_u8(u, vuzp2q_u8(a, b));
#else
    for (int i = 0; i < 16; i++) {
        u[i] = uv[2 * i];
        v[i] = uv[2 * i + 1];
    }
#endif
}
