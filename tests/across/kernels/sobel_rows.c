/* Idea: |a0 - a2 + 2(b0 - b2) + c0 - c2|, not above 255: libyuv's SobelX. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b,
            const uint8_t *restrict c)
{
#if defined SSE
    const __m128i zero = _mm_setzero_si128();
#define ROW(p) _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(p)), zero)
    __m128i left = _mm_sub_epi16(ROW(a), ROW(a + 2));
    __m128i mid = _mm_sub_epi16(ROW(b), ROW(b + 2));
    __m128i right = _mm_sub_epi16(ROW(c), ROW(c + 2));
    __m128i sum = _mm_add_epi16(_mm_add_epi16(left, right), _mm_add_epi16(mid, mid));
    sum = _mm_max_epi16(sum, _mm_sub_epi16(zero, sum));
    _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(sum, sum));
#elif defined NEON
    int16x8_t left = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(a), vld1_u8(a + 2)));
    int16x8_t mid = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(b), vld1_u8(b + 2)));
    int16x8_t right = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(c), vld1_u8(c + 2)));
    int16x8_t sum = vaddq_s16(vaddq_s16(left, right), vshlq_n_s16(mid, 1));
    vst1_u8(dst, vqmovun_s16(vabsq_s16(sum)));
#elif defined WRONG /* the middle row counts once */
    int16x8_t left = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(a), vld1_u8(a + 2)));
    int16x8_t mid = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(b), vld1_u8(b + 2)));
    int16x8_t right = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(c), vld1_u8(c + 2)));
    int16x8_t sum = vaddq_s16(vaddq_s16(left, right), mid);
    vst1_u8(dst, vqmovun_s16(vabsq_s16(sum)));
#else
    for (int i = 0; i < 8; i++) {
        int v = a[i] - a[i + 2] + 2 * (b[i] - b[i + 2]) + c[i] - c[i + 2];
        dst[i] = clamp255(v < 0 ? -v : v);
    }
#endif
}
