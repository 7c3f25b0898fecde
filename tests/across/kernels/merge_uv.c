/* Idea: two planes of chroma interleaved, libyuv's MergeUVRow; 256-bit registers on x86. */
#include "kernel.h"
void kernel(uint8_t *restrict uv, const uint8_t *restrict u, const uint8_t *restrict v)
{
#if defined SSE
    __m256i a = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)u));
    __m256i b = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)v));
    __m256i both = _mm256_or_si256(a, _mm256_slli_epi16(b, 8));
    _mm256_storeu_si256((__m256i *)uv, both);
#elif defined NEON
    uint8x16_t a = vld1q_u8(u), b = vld1q_u8(v);
    vst1q_u8(uv, vzip1q_u8(a, b));
    vst1q_u8(uv + 16, vzip2q_u8(a, b));
#elif defined WRONG /* the halves exchanged */
    uint8x16_t a = vld1q_u8(u), b = vld1q_u8(v);
    vst1q_u8(uv + 16, vzip1q_u8(a, b));
    vst1q_u8(uv, vzip2q_u8(a, b));
#else
    for (int i = 0; i < 16; i++) {
        uv[2 * i] = u[i];
        uv[2 * i + 1] = v[i];
    }
#endif
}
