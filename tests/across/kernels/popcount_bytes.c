/* Idea: set bits of every byte by a table of nibbles, W. Mula's population count. */
#include "kernel.h"
void kernel(uint8_t *restrict out, const uint8_t *restrict in)
{
#if defined SSE
    const __m128i table = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m128i mask = _mm_set1_epi8(15);
    __m128i x = _mm_loadu_si128((const __m128i *)in);
    __m128i low = _mm_shuffle_epi8(table, _mm_and_si128(x, mask));
    __m128i high = _mm_shuffle_epi8(table, _mm_and_si128(_mm_srli_epi16(x, 4), mask));
    _mm_storeu_si128((__m128i *)out, _mm_add_epi8(low, high));
#elif defined NEON
    uint8x16_t x = vld1q_u8(in);
    vst1q_u8(out, vcntq_u8(x));
#elif defined WRONG /* leading zeros */
    uint8x16_t x = vld1q_u8(in);
    vst1q_u8(out, vclzq_u8(x));
#else
    for (int i = 0; i < 16; i++)
        out[i] = (uint8_t)__builtin_popcount(in[i]);
#endif
}
