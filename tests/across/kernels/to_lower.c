/* Idea: ASCII letters to lower case, as in simdjson's and Envoy's header parsing. */
#include "kernel.h"
void kernel(uint8_t *restrict text)
{
#if defined SSE
    const __m128i shift = _mm_set1_epi8((char)(128 - 'A'));
    const __m128i last = _mm_set1_epi8(-128 + 26);
    const __m128i bit = _mm_set1_epi8(32);
    __m128i x = _mm_loadu_si128((const __m128i *)text);
    __m128i moved = _mm_add_epi8(x, shift);
    __m128i upper = _mm_cmplt_epi8(moved, last);
    _mm_storeu_si128((__m128i *)text, _mm_or_si128(x, _mm_and_si128(upper, bit)));
#elif defined NEON
    uint8x16_t x = vld1q_u8(text);
    uint8x16_t upper = vcltq_u8(vsubq_u8(x, vdupq_n_u8('A')), vdupq_n_u8(26));
    vst1q_u8(text, vorrq_u8(x, vandq_u8(upper, vdupq_n_u8(32))));
#elif defined WRONG /* '[' becomes '{' */
    uint8x16_t x = vld1q_u8(text);
    uint8x16_t upper = vcleq_u8(vsubq_u8(x, vdupq_n_u8('A')), vdupq_n_u8(26));
    vst1q_u8(text, vorrq_u8(x, vandq_u8(upper, vdupq_n_u8(32))));
#else
    for (int i = 0; i < 16; i++)
        if (text[i] >= 'A' && text[i] <= 'Z')
            text[i] |= 32;
#endif
}
