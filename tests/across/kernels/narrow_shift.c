/* Idea: 32-bit sums rounded, shifted by 7 and saturated to 16 bits: libvpx's convolutions and DCTs. */
#include "kernel.h"
void kernel(int16_t *restrict out, const int32_t *restrict in)
{
#if defined SSE
    const __m128i round = _mm_set1_epi32(64);
    __m128i lo = _mm_loadu_si128((const __m128i *)in);
    __m128i hi = _mm_loadu_si128((const __m128i *)(in + 4));
    lo = _mm_srai_epi32(_mm_srai_epi32(lo, 1), 6);
    hi = _mm_srai_epi32(_mm_srai_epi32(hi, 1), 6);
    (void)round;
    _mm_storeu_si128((__m128i *)out, _mm_packs_epi32(lo, hi));
#elif defined NEON
    int32x4_t lo = vld1q_s32(in);
    int32x4_t hi = vld1q_s32(in + 4);
    vst1q_s16(out, vcombine_s16(vqshrn_n_s32(lo, 7), vqshrn_n_s32(hi, 7)));
#elif defined WRONG /* without saturation */
    int32x4_t lo = vld1q_s32(in);
    int32x4_t hi = vld1q_s32(in + 4);
    vst1q_s16(out, vcombine_s16(vshrn_n_s32(lo, 7), vshrn_n_s32(hi, 7)));
#else
    for (int i = 0; i < 8; i++)
        out[i] = clamp16(in[i] >> 7);
#endif
}
