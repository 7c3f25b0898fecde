/* What Neon code computes, and wrong ports of it to x86, named for what is wrong. */
#include <stdint.h>
#ifdef RIGHT
#include <arm_neon.h>
#define PORT(right, ...) { right; }
#define ATTRIBUTE(what)
#else
#include <immintrin.h>
#define FIRST(p) _mm_loadu_si128((const __m128i *)(p))
#define PUT(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define PORT(right, ...) { __VA_ARGS__; }
#define ATTRIBUTE(what) __attribute__((what))
#endif
#define BYTES(name) void name(uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b)
#define HALVES(name) void name(int16_t *restrict out, const int16_t *restrict a, const int16_t *restrict b)

void average_is_unsigned(int8_t *restrict out, const int8_t *restrict a, const int8_t *restrict b)
PORT(vst1q_s8(out, vrhaddq_s8(vld1q_s8(a), vld1q_s8(b))), PUT(out, _mm_avg_epu8(FIRST(a), FIRST(b))))
HALVES(product_does_not_saturate)
PORT(vst1q_s16(out, vqrdmulhq_s16(vld1q_s16(a), vld1q_s16(b))), PUT(out, _mm_mulhrs_epi16(FIRST(a), FIRST(b))))
void bytes_are_signed(uint8_t *restrict out, const int16_t *restrict a)
PORT(vst1_u8(out, vqmovun_s16(vld1q_s16(a))),
     _mm_storel_epi64((__m128i *)out, _mm_packs_epi16(FIRST(a), FIRST(a))))
BYTES(negative_difference_is_zero)
PORT(vst1q_u8(out, vabdq_u8(vld1q_u8(a), vld1q_u8(b))), PUT(out, _mm_subs_epu8(FIRST(a), FIRST(b))))
uint32_t sum_of_half_the_bytes(const uint8_t *a)
PORT(return vaddlvq_u8(vld1q_u8(a)),
     return (uint32_t)_mm_cvtsi128_si32(_mm_sad_epu8(FIRST(a), _mm_setzero_si128())))
BYTES(one_byte_further)
PORT(vst1q_u8(out, vextq_u8(vld1q_u8(a), vld1q_u8(b), 3)), PUT(out, _mm_alignr_epi8(FIRST(b), FIRST(a), 4)))
BYTES(index_wraps)
PORT(vst1q_u8(out, vqtbl1q_u8(vld1q_u8(a), vld1q_u8(b))), PUT(out, _mm_shuffle_epi8(FIRST(a), FIRST(b))))
HALVES(shift_is_logical)
PORT(vst1q_s16(out, vshrq_n_s16(vld1q_s16(a), 5)), PUT(out, _mm_srli_epi16(FIRST(a), 5)))
void product_of_sixteen_bits(int32_t *restrict out, const int16_t *restrict a, const int16_t *restrict b)
PORT(vst1q_s32(out, vmull_s16(vld1_s16(a), vld1_s16(b))),
     __m128i x = _mm_loadl_epi64((const __m128i *)a), y = _mm_loadl_epi64((const __m128i *)b);
     PUT(out, _mm_cvtepi16_epi32(_mm_mullo_epi16(x, y))))
BYTES(sign_bits_choose)
PORT(vst1q_u8(out, vbslq_u8(vld1q_u8(a), vld1q_u8(b), vld1q_u8(out))),
     PUT(out, _mm_blendv_epi8(FIRST(out), FIRST(b), FIRST(a))))
BYTES(bytes_of_halves_are_reversed)
PORT(vst1q_u8(out, vrev32q_u8(vld1q_u8(a))),
     PUT(out, _mm_shuffle_epi8(FIRST(a), _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14))))
#ifdef RIGHT
void arguments_may_not_overlap(uint8_t *out, const uint8_t *a)
#else
void arguments_may_not_overlap(uint8_t *restrict out, const uint8_t *restrict a)
#endif
PORT(uint8x16_t x = vld1q_u8(a); vst1q_u8(out, x); vst1q_u8(out + 16, vld1q_u8(a + 16)),
     __m128i x = FIRST(a); PUT(out, x); PUT(out + 16, FIRST(a + 16)))
ATTRIBUTE(nonnull)
void arguments_are_not_null(uint8_t *restrict out, const uint8_t *restrict a, long n)
PORT(if (n) vst1q_u8(out, vld1q_u8(a)), if (n) PUT(out, FIRST(a)))
