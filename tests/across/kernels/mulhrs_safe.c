/* Idea: fixed-point gain by a constant below one, rounded: Opus's and FFmpeg's audio scaling. */
#include "kernel.h"
void kernel(int16_t *restrict out, const int16_t *restrict in)
{
#if defined SSE
    const __m128i gain = _mm_set1_epi16(23170);
    for (int i = 0; i < 16; i += 8) {
        __m128i x = _mm_loadu_si128((const __m128i *)(in + i));
        _mm_storeu_si128((__m128i *)(out + i), _mm_mulhrs_epi16(x, gain));
    }
#elif defined NEON
    for (int i = 0; i < 16; i += 8)
        vst1q_s16(out + i, vqrdmulhq_n_s16(vld1q_s16(in + i), 23170));
#elif defined WRONG /* without rounding */
    for (int i = 0; i < 16; i += 8)
        vst1q_s16(out + i, vqdmulhq_n_s16(vld1q_s16(in + i), 23170));
#else
    for (int i = 0; i < 16; i++)
        out[i] = (in[i] * 23170 + (1 << 14)) >> 15;
#endif
}
