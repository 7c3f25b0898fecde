/* What SSE code computes, and wrong ports of it to Neon, named for what is wrong. */
#include <stdint.h>
#ifdef RIGHT
#include <immintrin.h>
#define FIRST(p) _mm_loadu_si128((const __m128i *)(p))
#define PUT(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define PORT(right, ...) { right; }
#else
#include <arm_neon.h>
#define PORT(right, ...) { __VA_ARGS__; }
#endif
#define BYTES(name) void name(uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b)
#define HALVES(name) void name(int16_t *restrict out, const int16_t *restrict a, const int16_t *restrict b)
#define WORDS(name) void name(int32_t *restrict out, const int32_t *restrict a, const int32_t *restrict b)

BYTES(average_rounds_down)
PORT(PUT(out, _mm_avg_epu8(FIRST(a), FIRST(b))), vst1q_u8(out, vhaddq_u8(vld1q_u8(a), vld1q_u8(b))))
HALVES(shift_rounds)
PORT(PUT(out, _mm_srai_epi16(FIRST(a), 3)), vst1q_s16(out, vrshrq_n_s16(vld1q_s16(a), 3)))
void minimum_is_signed(int8_t *restrict out, const int8_t *restrict a, const int8_t *restrict b)
PORT(PUT(out, _mm_min_epu8(FIRST(a), FIRST(b))), vst1q_s8(out, vminq_s8(vld1q_s8(a), vld1q_s8(b))))
HALVES(sum_wraps)
PORT(PUT(out, _mm_adds_epi16(FIRST(a), FIRST(b))), vst1q_s16(out, vaddq_s16(vld1q_s16(a), vld1q_s16(b))))
void negative_is_large(uint8_t *restrict out, const uint16_t *restrict a, const uint16_t *restrict b)
PORT(PUT(out, _mm_packus_epi16(FIRST(a), FIRST(b))),
     vst1q_u8(out, vcombine_u8(vqmovn_u16(vld1q_u16(a)), vqmovn_u16(vld1q_u16(b)))))
void halves_are_swapped(int16_t *restrict out, const int32_t *restrict a, const int32_t *restrict b)
PORT(PUT(out, _mm_packs_epi32(FIRST(a), FIRST(b))),
     vst1q_s16(out, vcombine_s16(vqmovn_s32(vld1q_s32(b)), vqmovn_s32(vld1q_s32(a)))))
BYTES(upper_half_is_woven)
PORT(PUT(out, _mm_unpacklo_epi8(FIRST(a), FIRST(b))), vst1q_u8(out, vzip2q_u8(vld1q_u8(a), vld1q_u8(b))))
HALVES(product_is_doubled)
PORT(PUT(out, _mm_mulhi_epi16(FIRST(a), FIRST(b))), vst1q_s16(out, vqdmulhq_s16(vld1q_s16(a), vld1q_s16(b))))
void every_other_pair(int32_t *restrict out, const int16_t *restrict a, const int16_t *restrict b)
PORT(PUT(out, _mm_madd_epi16(FIRST(a), FIRST(b))),
     int32x4_t low = vmull_s16(vget_low_s16(vld1q_s16(a)), vget_low_s16(vld1q_s16(b)));
     vst1q_s32(out, vaddq_s32(low, vmull_high_s16(vld1q_s16(a), vld1q_s16(b)))))
BYTES(constant_is_off_by_one)
PORT(PUT(out, _mm_subs_epu8(FIRST(a), _mm_set1_epi8(16))), vst1q_u8(out, vqsubq_u8(vld1q_u8(a), vdupq_n_u8(15))))
void compares_equal_too(int8_t *restrict out, const int8_t *restrict a, const int8_t *restrict b)
PORT(PUT(out, _mm_cmpgt_epi8(FIRST(a), FIRST(b))),
     vst1q_s8(out, vreinterpretq_s8_u8(vcgeq_s8(vld1q_s8(a), vld1q_s8(b)))))
void lowest_saturates(int8_t *restrict out, const int8_t *restrict a)
PORT(PUT(out, _mm_abs_epi8(FIRST(a))), vst1q_s8(out, vqabsq_s8(vld1q_s8(a))))
BYTES(reads_a_byte_beyond)
PORT(_mm_storel_epi64((__m128i *)out, _mm_loadl_epi64((const __m128i *)a)),
     uint8x8_t last = vld1_u8(a + 1);
     vst1_u8(out, vext_u8(vdup_n_u8(a[0]), last, 7)))
BYTES(writes_a_byte_beyond)
PORT(_mm_storel_epi64((__m128i *)out, _mm_loadl_epi64((const __m128i *)a)),
     vst1_u8(out, vld1_u8(a)); out[8] = 0)
