/* Idea: magnitudes times a reciprocal, high halves, sign put back: x264's and libvpx's quantisers. */
#include "kernel.h"
void kernel(int16_t *restrict out, const int16_t *restrict in, const uint16_t *restrict mf)
{
#if defined SSE
    __m128i x = _mm_loadu_si128((const __m128i *)in);
    __m128i q = _mm_loadu_si128((const __m128i *)mf);
    __m128i size = _mm_mulhi_epu16(_mm_abs_epi16(x), q);
    _mm_storeu_si128((__m128i *)out, _mm_sign_epi16(size, x));
#elif defined NEON
    int16x8_t x = vld1q_s16(in);
    uint16x8_t q = vld1q_u16(mf), a = vreinterpretq_u16_s16(vabsq_s16(x));
    uint32x4_t lo = vmull_u16(vget_low_u16(a), vget_low_u16(q)), hi = vmull_high_u16(a, q);
    int16x8_t size = vreinterpretq_s16_u16(vcombine_u16(vshrn_n_u32(lo, 16), vshrn_n_u32(hi, 16)));
    int16x8_t sign = vshrq_n_s16(x, 15);
    vst1q_s16(out, vsubq_s16(veorq_s16(size, sign), sign));
#elif defined WRONG /* a reciprocal above 32767 becomes negative */
    int16x8_t x = vld1q_s16(in), q = vld1q_s16((const int16_t *)mf);
    int32x4_t lo = vmull_s16(vget_low_s16(x), vget_low_s16(q)), hi = vmull_high_s16(x, q);
    vst1q_s16(out, vcombine_s16(vshrn_n_s32(lo, 16), vshrn_n_s32(hi, 16)));
#else
    for (int i = 0; i < 8; i++) {
        int a = in[i] < 0 ? -in[i] : in[i];
        int16_t size = (int16_t)((unsigned)(a * (unsigned)mf[i]) >> 16);
        out[i] = in[i] < 0 ? -size : in[i] == 0 ? 0 : size;
    }
#endif
}
