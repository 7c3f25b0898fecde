/* Idea: a 4-point butterfly on rows of 16 bits, x264's and libvpx's Hadamard transforms. */
#include "kernel.h"
void kernel(int16_t *restrict out, const int16_t *restrict in)
{
#if defined SSE
    __m128i a = _mm_loadu_si128((const __m128i *)in), b = _mm_loadu_si128((const __m128i *)(in + 8));
    __m128i c = _mm_loadu_si128((const __m128i *)(in + 16)), d = _mm_loadu_si128((const __m128i *)(in + 24));
    __m128i p = _mm_add_epi16(a, b), q = _mm_sub_epi16(a, b);
    __m128i r = _mm_add_epi16(c, d), s = _mm_sub_epi16(c, d);
    _mm_storeu_si128((__m128i *)out, _mm_add_epi16(p, r));
    _mm_storeu_si128((__m128i *)(out + 8), _mm_add_epi16(q, s));
    _mm_storeu_si128((__m128i *)(out + 16), _mm_sub_epi16(p, r));
    _mm_storeu_si128((__m128i *)(out + 24), _mm_sub_epi16(q, s));
#elif defined NEON
    int16x8_t a = vld1q_s16(in), b = vld1q_s16(in + 8);
    int16x8_t c = vld1q_s16(in + 16), d = vld1q_s16(in + 24);
    int16x8_t p = vaddq_s16(a, b), q = vsubq_s16(a, b), r = vaddq_s16(c, d), s = vsubq_s16(c, d);
    vst1q_s16(out, vaddq_s16(p, r));
    vst1q_s16(out + 8, vaddq_s16(q, s));
    vst1q_s16(out + 16, vsubq_s16(p, r));
    vst1q_s16(out + 24, vsubq_s16(q, s));
#elif defined WRONG /* two outputs exchanged */
    int16x8_t a = vld1q_s16(in), b = vld1q_s16(in + 8);
    int16x8_t c = vld1q_s16(in + 16), d = vld1q_s16(in + 24);
    int16x8_t p = vaddq_s16(a, b), q = vsubq_s16(a, b), r = vaddq_s16(c, d), s = vsubq_s16(c, d);
    vst1q_s16(out, vaddq_s16(p, r));
    vst1q_s16(out + 8, vsubq_s16(p, r));
    vst1q_s16(out + 16, vaddq_s16(q, s));
    vst1q_s16(out + 24, vsubq_s16(q, s));
#else
    for (int i = 0; i < 8; i++) {
        int p = in[i] + in[i + 8], q = in[i] - in[i + 8];
        int r = in[i + 16] + in[i + 24], s = in[i + 16] - in[i + 24];
        out[i] = p + r;
        out[i + 8] = q + s;
        out[i + 16] = p - r;
        out[i + 24] = q - s;
    }
#endif
}
