/* Idea: undo PNG's "up" filter on 16 bytes, libpng's and stb_image's row filters. */
#include "kernel.h"
void kernel(uint8_t *restrict row, const uint8_t *restrict above)
{
#if defined SSE
    for (int i = 0; i < 32; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(row + i));
        __m128i y = _mm_loadu_si128((const __m128i *)(above + i));
        _mm_storeu_si128((__m128i *)(row + i), _mm_add_epi8(x, y));
    }
#elif defined NEON
    for (int i = 0; i < 32; i += 16)
        vst1q_u8(row + i, vaddq_u8(vld1q_u8(row + i), vld1q_u8(above + i)));
#elif defined WRONG /* saturates */
    for (int i = 0; i < 32; i += 16)
        vst1q_u8(row + i, vqaddq_u8(vld1q_u8(row + i), vld1q_u8(above + i)));
#else
    for (int i = 0; i < 32; i++)
        row[i] += above[i];
#endif
}
