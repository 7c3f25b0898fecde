/* Idea: positions less the window's size, not below 0: zlib-ng's slide_hash. */
#include "kernel.h"
void kernel(uint16_t *table, uint16_t wsize)
{
#if defined SSE
    const __m128i by = _mm_set1_epi16((short)wsize);
    for (int i = 0; i < 16; i += 8) {
        __m128i *at = (__m128i *)(table + i);
        __m128i value = _mm_loadu_si128(at);
        value = _mm_subs_epu16(value, by);
        _mm_storeu_si128(at, value);
    }
#elif defined NEON
    const uint16x8_t by = vdupq_n_u16(wsize);
    for (int i = 0; i < 16; i += 8) {
        uint16x8_t value = vld1q_u16(table + i);
        vst1q_u16(table + i, vqsubq_u16(value, by));
    }
#elif defined WRONG /* as signed numbers */
    const int16x8_t by = vdupq_n_s16((int16_t)wsize);
    for (int i = 0; i < 16; i += 8) {
        int16x8_t value = vld1q_s16((int16_t *)table + i);
        vst1q_s16((int16_t *)table + i, vqsubq_s16(value, by));
    }
#else
    for (int i = 0; i < 16; i++)
        table[i] = table[i] >= wsize ? table[i] - wsize : 0;
#endif
}
