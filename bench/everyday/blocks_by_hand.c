/* The sums with intrinsics of AVX2: a word of 16 bits a value. */
#include <immintrin.h>
#include <stdint.h>

typedef __m256i V;
#define WORDS(p) _mm256_cvtepu8_epi16(p)

static inline V two_rows(const uint8_t *p, long apart) {
  return WORDS(_mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)p), _mm_loadl_epi64((const __m128i *)(p + apart))));
}

static inline V wide(V a, V b) { return _mm256_max_epi16(_mm256_abs_epi16(a), _mm256_abs_epi16(b)); }

/* Half the sum of the coefficients of four blocks in rows: |a + b| + |a - b| is twice the greater. */
static inline V sixteenths(V a, V b, V c, V d) {
  V ab = _mm256_add_epi16(a, b), a_b = _mm256_sub_epi16(a, b), cd = _mm256_add_epi16(c, d), c_d = _mm256_sub_epi16(c, d);
  a = _mm256_add_epi16(ab, cd), b = _mm256_sub_epi16(ab, cd);
  c = _mm256_add_epi16(a_b, c_d), d = _mm256_sub_epi16(a_b, c_d);
  V e = _mm256_unpacklo_epi16(a, b), f = _mm256_unpackhi_epi16(a, b);
  V g = _mm256_unpacklo_epi16(c, d), h = _mm256_unpackhi_epi16(c, d);
  a = _mm256_unpacklo_epi32(e, g), b = _mm256_unpackhi_epi32(e, g);
  c = _mm256_unpacklo_epi32(f, h), d = _mm256_unpackhi_epi32(f, h);
  e = _mm256_unpacklo_epi64(a, c), f = _mm256_unpackhi_epi64(a, c);
  g = _mm256_unpacklo_epi64(b, d), h = _mm256_unpackhi_epi64(b, d);
  ab = _mm256_add_epi16(e, f), a_b = _mm256_sub_epi16(e, f), cd = _mm256_add_epi16(g, h), c_d = _mm256_sub_epi16(g, h);
  V one = _mm256_set1_epi16(1);
  return _mm256_add_epi32(_mm256_madd_epi16(wide(ab, cd), one), _mm256_madd_epi16(wide(a_b, c_d), one));
}

static inline uint32_t total(V v) {
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
  return _mm_cvtsi128_si32(s) + _mm_extract_epi32(s, 1);
}

void satd8x8(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t *restrict d, int stride) {
  V r[4];
  long s = stride;
  for (int y = 0; y < 4; y++) r[y] = _mm256_sub_epi16(two_rows(a + y * s, 4 * s), two_rows(b + y * s, 4 * s));
  *d = total(sixteenths(r[0], r[1], r[2], r[3]));
}

void satd16x16(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t *restrict d, int stride) {
  V sum = _mm256_setzero_si256();
  long s = stride;
  for (int y = 0; y < 16; y += 4, a += 4 * s, b += 4 * s) {
    V r[4];
    for (int k = 0; k < 4; k++)
      r[k] = _mm256_sub_epi16(WORDS(_mm_loadu_si128((const __m128i *)(a + k * s))),
                              WORDS(_mm_loadu_si128((const __m128i *)(b + k * s))));
    sum = _mm256_add_epi32(sum, sixteenths(r[0], r[1], r[2], r[3]));
  }
  *d = total(sum);
}
