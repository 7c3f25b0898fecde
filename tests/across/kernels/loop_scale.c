/* Idea: samples of audio scaled by a gain in place, FFmpeg's and PulseAudio's volume. */
#include "kernel.h"
void kernel(int16_t *restrict samples, long n)
{
#if defined SSE
    const __m128i gain = _mm_set1_epi16(19661);
    for (long i = 0; i < n; i += 8) {
        __m128i *at = (__m128i *)(samples + i);
        _mm_storeu_si128(at, _mm_mulhrs_epi16(_mm_loadu_si128(at), gain));
    }
#elif defined NEON
    for (long i = 0; i < n; i += 8) {
        int16x8_t x = vld1q_s16(samples + i);
        vst1q_s16(samples + i, vqrdmulhq_n_s16(x, 19661));
    }
#elif defined WRONG /* another gain */
    for (long i = 0; i < n; i += 8) {
        int16x8_t x = vld1q_s16(samples + i);
        vst1q_s16(samples + i, vqrdmulhq_n_s16(x, 19660));
    }
#else
    for (long i = 0; i < n; i += 8)
#pragma clang loop vectorize(disable)
        for (int k = 0; k < 8; k++)
            samples[i + k] = (samples[i + k] * 19661 + (1 << 14)) >> 15;
#endif
}
