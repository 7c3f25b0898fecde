/* The same with intrinsics of AVX2, or of AVX-512 where the CPU has them. */
#include <immintrin.h>
#include <stdint.h>

typedef __m256i V;
#define LOAD(p) _mm256_loadu_si256((const V *)(p))
#define STORE(p, v) _mm256_storeu_si256((V *)(p), v)
#define MASK(v) (uint32_t)_mm256_movemask_epi8(v)

static inline V between(V x) {
  V y = _mm256_sub_epi8(x, _mm256_set1_epi8('0'));
  return _mm256_cmpeq_epi8(_mm256_min_epu8(y, _mm256_set1_epi8(9)), y);
}

void commas(uint32_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n / 32; i++)
    d[i] = MASK(_mm256_cmpeq_epi8(LOAD(s + 32 * i), _mm256_set1_epi8(',')));
}

void digits(uint64_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n / 64; i++) {
    uint64_t low = MASK(between(LOAD(s + 64 * i)));
    d[i] = low | (uint64_t)MASK(between(LOAD(s + 64 * i + 32))) << 32;
  }
}

void black_and_white(uint32_t *restrict d, const uint8_t *restrict s, uint8_t t, int n) {
  const V order = _mm256_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8,
                                   7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
  for (int i = 0; i < n / 32; i++) {
    V x = _mm256_shuffle_epi8(LOAD(s + 32 * i), order), k = _mm256_set1_epi8((char)t);
    d[i] = ~MASK(_mm256_cmpeq_epi8(_mm256_max_epu8(x, k), k));
  }
}

void signs(uint32_t *restrict d, const int16_t *restrict s, int n) {
  for (int i = 0; i < n / 32; i++) {
    V x = _mm256_packs_epi16(LOAD(s + 32 * i), LOAD(s + 32 * i + 16));
    d[i] = MASK(_mm256_permute4x64_epi64(x, 0xd8));
  }
}

int equal_bytes(const uint8_t *restrict a, const uint8_t *restrict b, int n) {
  int sum = 0;
  for (int i = 0; i < n / 32; i++)
    sum += __builtin_popcount(MASK(_mm256_cmpeq_epi8(LOAD(a + 32 * i), LOAD(b + 32 * i))));
  return sum;
}

static inline V bytes(uint32_t m) {
#ifdef __AVX512BW__
  return _mm256_movm_epi8(m);
#else
  const V at = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
                                2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
  const V bit = _mm256_set1_epi64x((long long)0x8040201008040201u);
  V x = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32((int)m), at), bit);
  return _mm256_cmpeq_epi8(x, bit);
#endif
}

void grey(uint8_t *restrict d, const uint32_t *restrict s, int n) {
  for (int i = 0; i < n / 32; i++) STORE(d + 32 * i, bytes(s[i]));
}

void chosen(uint8_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b,
            const uint32_t *restrict s, int n) {
  for (int i = 0; i < n / 32; i++)
    STORE(d + 32 * i, _mm256_blendv_epi8(LOAD(b + 32 * i), LOAD(a + 32 * i), bytes(s[i])));
}

int before_zero(const uint8_t *restrict s, int n) {
  int i = 0;
  for (; i + 32 <= n; i += 32)
    if (MASK(_mm256_cmpeq_epi8(LOAD(s + i), _mm256_setzero_si256())) == ~0u) break;
  return i;
}
