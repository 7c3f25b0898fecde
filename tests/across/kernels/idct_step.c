/* Idea: one butterfly of an inverse DCT by a pair of cosines of 14 bits, rounded: libvpx's idct4. */
#include "kernel.h"
void kernel(int16_t *restrict out, const int16_t *restrict in)
{
#if defined SSE
    const __m128i c = _mm_set1_epi32((int)(6270u | (uint32_t)(uint16_t)-15137 << 16));
    const __m128i round = _mm_set1_epi32(1 << 13);
    __m128i a = _mm_loadu_si128((const __m128i *)in), b = _mm_loadu_si128((const __m128i *)(in + 8));
    __m128i lo = _mm_madd_epi16(_mm_unpacklo_epi16(a, b), c);
    __m128i hi = _mm_madd_epi16(_mm_unpackhi_epi16(a, b), c);
    lo = _mm_srai_epi32(_mm_add_epi32(lo, round), 14);
    hi = _mm_srai_epi32(_mm_add_epi32(hi, round), 14);
    _mm_storeu_si128((__m128i *)out, _mm_packs_epi32(lo, hi));
#elif defined NEON
    int16x8_t a = vld1q_s16(in), b = vld1q_s16(in + 8);
    int32x4_t lo = vmull_n_s16(vget_low_s16(a), 6270), hi = vmull_high_n_s16(a, 6270);
    lo = vmlsl_n_s16(lo, vget_low_s16(b), 15137);
    hi = vmlsl_high_n_s16(hi, b, 15137);
    vst1q_s16(out, vcombine_s16(vqrshrn_n_s32(lo, 14), vqrshrn_n_s32(hi, 14)));
#elif defined WRONG /* added, not subtracted */
    int16x8_t a = vld1q_s16(in), b = vld1q_s16(in + 8);
    int32x4_t lo = vmull_n_s16(vget_low_s16(a), 6270), hi = vmull_high_n_s16(a, 6270);
    lo = vmlal_n_s16(lo, vget_low_s16(b), 15137);
    hi = vmlal_high_n_s16(hi, b, 15137);
    vst1q_s16(out, vcombine_s16(vqrshrn_n_s32(lo, 14), vqrshrn_n_s32(hi, 14)));
#else
    for (int i = 0; i < 8; i++)
        out[i] = (int16_t)clamp16((in[i] * 6270 - in[i + 8] * 15137 + (1 << 13)) >> 14);
#endif
}
