/* Idea: sums of absolute differences over rows of 16 bytes, x264's and libvpx's SAD of blocks. */
#include "kernel.h"
uint32_t kernel(const uint8_t *restrict a, const uint8_t *restrict b, long n)
{
#if defined SSE
    __m128i sum = _mm_setzero_si128();
    for (long i = 0; i < n; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(a + i));
        __m128i y = _mm_loadu_si128((const __m128i *)(b + i));
        sum = _mm_add_epi32(sum, _mm_sad_epu8(x, y));
    }
    sum = _mm_add_epi32(sum, _mm_srli_si128(sum, 8));
    return (uint32_t)_mm_cvtsi128_si32(sum);
#elif defined NEON
    uint32x4_t sum = vdupq_n_u32(0);
    for (long i = 0; i < n; i += 16) {
        uint8x16_t d = vabdq_u8(vld1q_u8(a + i), vld1q_u8(b + i));
        sum = vpadalq_u16(sum, vpaddlq_u8(d));
    }
    return vaddvq_u32(sum);
#elif defined WRONG /* sums of 16 bits wrap */
    uint16x8_t sum = vdupq_n_u16(0);
    for (long i = 0; i < n; i += 16)
        sum = vpadalq_u8(sum, vabdq_u8(vld1q_u8(a + i), vld1q_u8(b + i)));
    return vaddlvq_u16(sum);
#else
    uint32_t sum = 0;
    for (long i = 0; i < n; i += 16)
#pragma clang loop vectorize(disable)
        for (int k = 0; k < 16; k++)
            sum += a[i + k] > b[i + k] ? a[i + k] - b[i + k] : b[i + k] - a[i + k];
    return sum;
#endif
}
