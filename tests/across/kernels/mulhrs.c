/* Idea: rounded high products of two signals: the tempting port is wrong at one pair of inputs. */
#include "kernel.h"
void kernel(int16_t *restrict out, const int16_t *restrict a, const int16_t *restrict b)
{
#if defined SSE
    __m128i x = _mm_loadu_si128((const __m128i *)a);
    __m128i y = _mm_loadu_si128((const __m128i *)b);
    __m128i product = _mm_mulhrs_epi16(x, y);
    _mm_storeu_si128((__m128i *)out, product);
#elif defined NEON
    int16x8_t x = vld1q_s16(a);
    int16x8_t y = vld1q_s16(b);
    int32x4_t lo = vmull_s16(vget_low_s16(x), vget_low_s16(y));
    int32x4_t hi = vmull_high_s16(x, y);
    vst1q_s16(out, vcombine_s16(vrshrn_n_s32(lo, 15), vrshrn_n_s32(hi, 15)));
#elif defined WRONG /* saturates at (-32768, -32768) */
    int16x8_t x = vld1q_s16(a);
    int16x8_t y = vld1q_s16(b);
    vst1q_s16(out, vqrdmulhq_s16(x, y));
#else
    for (int i = 0; i < 8; i++)
        out[i] = (int16_t)((a[i] * b[i] + (1 << 14)) >> 15);
#endif
}
