/* The operators with intrinsics of AVX2. */
#include <immintrin.h>
#include <stdint.h>

typedef __m256i V;
#define LOAD(p) _mm256_loadu_si256((const V *)(p))
#define STORE(p, v) _mm256_storeu_si256((V *)(p), v)

static inline V alpha(V x) {
  const __m128i at = _mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
  return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(at));
}

static inline V rest(V x) { return _mm256_xor_si256(x, _mm256_set1_epi8(-1)); }

static inline V words(V a, V b) {
  V t = _mm256_add_epi16(_mm256_mullo_epi16(a, b), _mm256_set1_epi16(128));
  return _mm256_mulhi_epu16(t, _mm256_set1_epi16(257));
}

static inline V part(V a, V b) {
  V z = _mm256_setzero_si256();
  return _mm256_packus_epi16(words(_mm256_unpacklo_epi8(a, z), _mm256_unpacklo_epi8(b, z)),
                             words(_mm256_unpackhi_epi8(a, z), _mm256_unpackhi_epi8(b, z)));
}

static inline unsigned part1(unsigned a, unsigned b) {
  unsigned t = a * b + 128;
  return (t + (t >> 8)) >> 8;
}

static inline uint8_t sum(unsigned a, unsigned b) { return a + b > 255 ? 255 : a + b; }

#define TWO(NAME, MANY, ONE)                                                                        \
  void NAME(const uint8_t *restrict s, uint8_t *restrict d, int n) {                                \
    int i = 0;                                                                                      \
    for (; i + 8 <= n; i += 8) {                                                                    \
      V x = LOAD(s + 4 * i), y = LOAD(d + 4 * i);                                                   \
      STORE(d + 4 * i, MANY);                                                                       \
    }                                                                                               \
    for (; i < n; i++)                                                                              \
      for (int c = 0; c < 4; c++) d[4 * i + c] = ONE;                                               \
  }

#define THREE(NAME, MANY, ONE)                                                                      \
  void NAME(const uint8_t *restrict s, const uint8_t *restrict b, uint8_t *restrict d, int n) {     \
    int i = 0;                                                                                      \
    for (; i + 8 <= n; i += 8) {                                                                    \
      V x = LOAD(s + 4 * i), y = LOAD(b + 4 * i);                                                   \
      STORE(d + 4 * i, MANY);                                                                       \
    }                                                                                               \
    for (; i < n; i++)                                                                              \
      for (int c = 0; c < 4; c++) d[4 * i + c] = ONE;                                               \
  }

TWO(over, _mm256_adds_epu8(x, part(y, rest(alpha(x)))), sum(s[4 * i + c], part1(d[4 * i + c], 255 - s[4 * i + 3])))
THREE(in, part(x, alpha(y)), part1(s[4 * i + c], b[4 * i + 3]))
THREE(out, part(x, rest(alpha(y))), part1(s[4 * i + c], 255 - b[4 * i + 3]))
THREE(atop, _mm256_adds_epu8(part(x, alpha(y)), part(y, rest(alpha(x)))),
      sum(part1(s[4 * i + c], b[4 * i + 3]), part1(b[4 * i + c], 255 - s[4 * i + 3])))
THREE(xor, _mm256_adds_epu8(part(x, rest(alpha(y))), part(y, rest(alpha(x)))),
      sum(part1(s[4 * i + c], 255 - b[4 * i + 3]), part1(b[4 * i + c], 255 - s[4 * i + 3])))
TWO(add, _mm256_adds_epu8(x, y), sum(s[4 * i + c], d[4 * i + c]))
