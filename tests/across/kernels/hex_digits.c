/* Idea: nibbles to hexadecimal digits by a table of 16, as in many codecs of hex and base64. */
#include "kernel.h"
void kernel(uint8_t *restrict out, const uint8_t *restrict in)
{
#if defined SSE
    const __m128i digits = _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b',
                                         'c', 'd', 'e', 'f');
    const __m128i mask = _mm_set1_epi8(15);
    __m128i x = _mm_loadl_epi64((const __m128i *)in);
    __m128i high = _mm_and_si128(_mm_srli_epi16(x, 4), mask);
    __m128i low = _mm_and_si128(x, mask);
    __m128i both = _mm_unpacklo_epi8(high, low);
    _mm_storeu_si128((__m128i *)out, _mm_shuffle_epi8(digits, both));
#elif defined NEON
    static const uint8_t digits[16] = "0123456789abcdef";
    uint8x8_t x = vld1_u8(in);
    uint8x8_t high = vshr_n_u8(x, 4), low = vand_u8(x, vdup_n_u8(15));
    uint8x16_t both = vcombine_u8(vzip1_u8(high, low), vzip2_u8(high, low));
    vst1q_u8(out, vqtbl1q_u8(vld1q_u8(digits), both));
#elif defined WRONG /* digits in the wrong order */
    static const uint8_t digits[16] = "0123456789abcdef";
    uint8x8_t x = vld1_u8(in);
    uint8x8_t high = vshr_n_u8(x, 4), low = vand_u8(x, vdup_n_u8(15));
    uint8x16_t both = vcombine_u8(vzip1_u8(low, high), vzip2_u8(low, high));
    vst1q_u8(out, vqtbl1q_u8(vld1q_u8(digits), both));
#else
    for (int i = 0; i < 16; i++) {
        uint8_t n = i & 1 ? in[i / 2] & 15 : in[i / 2] >> 4;
        out[i] = n < 10 ? '0' + n : 'a' + n - 10;
    }
#endif
}
