/* Idea: a row mirrored, libyuv's MirrorRow. */
#include "kernel.h"
void kernel(uint8_t *restrict dst, const uint8_t *restrict src)
{
#if defined SSE
    const __m128i order = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m128i first = _mm_loadu_si128((const __m128i *)src);
    __m128i second = _mm_loadu_si128((const __m128i *)(src + 16));
    _mm_storeu_si128((__m128i *)dst, _mm_shuffle_epi8(second, order));
    _mm_storeu_si128((__m128i *)(dst + 16), _mm_shuffle_epi8(first, order));
#elif defined NEON
    uint8x16_t first = vrev64q_u8(vld1q_u8(src));
    uint8x16_t second = vrev64q_u8(vld1q_u8(src + 16));
    vst1q_u8(dst, vextq_u8(second, second, 8));
    vst1q_u8(dst + 16, vextq_u8(first, first, 8));
#elif defined WRONG /* halves stay where they are */
    vst1q_u8(dst, vrev64q_u8(vld1q_u8(src + 16)));
    vst1q_u8(dst + 16, vrev64q_u8(vld1q_u8(src)));
#else
    for (int i = 0; i < 32; i++)
        dst[i] = src[31 - i];
#endif
}
