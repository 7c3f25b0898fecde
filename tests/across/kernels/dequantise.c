/* Idea: coefficients times steps, low 16 bits: libwebp's and FFmpeg's dequantisation. */
#include "kernel.h"
void kernel(int16_t *restrict out, const int16_t *restrict in, const int16_t *restrict step)
{
#if defined SSE
    for (int i = 0; i < 16; i += 8) {
        __m128i x = _mm_loadu_si128((const __m128i *)(in + i));
        __m128i q = _mm_loadu_si128((const __m128i *)(step + i));
        _mm_storeu_si128((__m128i *)(out + i), _mm_mullo_epi16(x, q));
    }
#elif defined NEON
    for (int i = 0; i < 16; i += 8) {
        int16x8_t x = vld1q_s16(in + i);
        int16x8_t q = vld1q_s16(step + i);
        vst1q_s16(out + i, vmulq_s16(x, q));
    }
#elif defined WRONG /* the high halves */
    for (int i = 0; i < 16; i += 8) {
        int16x8_t x = vld1q_s16(in + i);
        int16x8_t q = vld1q_s16(step + i);
        vst1q_s16(out + i, vqdmulhq_s16(x, q));
    }
#else
    for (int i = 0; i < 16; i++)
        out[i] = (int16_t)(in[i] * step[i]);
#endif
}
