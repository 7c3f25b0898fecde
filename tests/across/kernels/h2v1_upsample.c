/* Idea: three parts of the nearer pixel and one of the farther, libjpeg-turbo's fancy upsampling. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict src)
{
#if defined SSE
    const __m128i zero = _mm_setzero_si128(), three = _mm_set1_epi16(3);
    __m128i prev = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)src), zero);
    __m128i mid = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(src + 1)), zero);
    __m128i next = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(src + 2)), zero);
    mid = _mm_mullo_epi16(mid, three);
    __m128i even = _mm_srli_epi16(_mm_add_epi16(_mm_add_epi16(mid, prev), _mm_set1_epi16(1)), 2);
    __m128i odd = _mm_srli_epi16(_mm_add_epi16(_mm_add_epi16(mid, next), _mm_set1_epi16(2)), 2);
    _mm_storeu_si128((__m128i *)dst, _mm_or_si128(even, _mm_slli_epi16(odd, 8)));
#elif defined NEON
    uint8x8_t three = vdup_n_u8(3), mid = vld1_u8(src + 1);
    uint16x8_t even = vmlal_u8(vmovl_u8(vld1_u8(src)), mid, three);
    uint16x8_t odd = vmlal_u8(vmovl_u8(vld1_u8(src + 2)), mid, three);
    uint8x8x2_t both;
    both.val[0] = vshrn_n_u16(vaddq_u16(even, vdupq_n_u16(1)), 2);
    both.val[1] = vrshrn_n_u16(odd, 2);
    vst1q_u8(dst, vcombine_u8(vzip1_u8(both.val[0], both.val[1]), vzip2_u8(both.val[0], both.val[1])));
#elif defined WRONG /* both rounded alike */
    uint8x8_t three = vdup_n_u8(3), mid = vld1_u8(src + 1);
    uint8x8_t even = vrshrn_n_u16(vmlal_u8(vmovl_u8(vld1_u8(src)), mid, three), 2);
    uint8x8_t odd = vrshrn_n_u16(vmlal_u8(vmovl_u8(vld1_u8(src + 2)), mid, three), 2);
    vst1q_u8(dst, vcombine_u8(vzip1_u8(even, odd), vzip2_u8(even, odd)));
#else
    for (int i = 0; i < 8; i++) {
        dst[2 * i] = (3 * src[i + 1] + src[i] + 1) >> 2;
        dst[2 * i + 1] = (3 * src[i + 1] + src[i + 2] + 2) >> 2;
    }
#endif
}
