/* Idea: red and blue less green of four ARGB pixels, libwebp's SubtractGreenFromBlueAndRed. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict argb)
{
#if defined SSE
    const __m128i in = _mm_loadu_si128((const __m128i *)argb);
    const __m128i ag = _mm_srli_epi16(in, 8);
    const __m128i lo = _mm_shufflelo_epi16(ag, _MM_SHUFFLE(2, 2, 0, 0));
    const __m128i green = _mm_shufflehi_epi16(lo, _MM_SHUFFLE(2, 2, 0, 0));
    _mm_storeu_si128((__m128i *)dst, _mm_sub_epi8(in, green));
#elif defined NEON
    static const uint8_t order[16] = {1, 255, 1, 255, 5, 255, 5, 255, 9, 255, 9, 255, 13, 255, 13, 255};
    const uint8x16_t in = vld1q_u8(argb);
    const uint8x16_t green = vqtbl1q_u8(in, vld1q_u8(order));
    vst1q_u8(dst, vsubq_u8(in, green));
#elif defined WRONG /* alpha changes as well */
    static const uint8_t order[16] = {1, 255, 1, 1, 5, 255, 5, 5, 9, 255, 9, 9, 13, 255, 13, 13};
    const uint8x16_t in = vld1q_u8(argb);
    const uint8x16_t green = vqtbl1q_u8(in, vld1q_u8(order));
    vst1q_u8(dst, vsubq_u8(in, green));
#else
    for (int i = 0; i < 16; i += 4) {
        const uint8_t green = argb[i + 1];
        dst[i] = argb[i] - green;
        dst[i + 1] = green;
        dst[i + 2] = argb[i + 2] - green;
        dst[i + 3] = argb[i + 3];
    }
#endif
}
