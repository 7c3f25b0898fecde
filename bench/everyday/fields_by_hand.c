/* The same with intrinsics of AVX2, or of AVX-512 VBMI where the CPU has it. */
#include <immintrin.h>
#include <stdint.h>

#ifdef __AVX512VBMI__
typedef __m512i V;
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define AND(x, m) _mm512_and_si512(x, _mm512_set1_epi32(m))
#define SPLAT64(x) _mm512_set1_epi64(x)
enum { WIDE = 64 };
/* Bytes of an index that begins again, `step` further, every `n` bytes. */
static inline V index_of(const uint8_t *first, int n, int step) {
  uint8_t every[64];
  for (int i = 0; i < 64; i++) every[i] = first[i % n] + i / n * step;
  return LOAD(every);
}
/* Takes bytes by an index, then eight bits each from bits of their quadword on. */
static inline V bits(V x, V index, long long from) {
  return _mm512_multishift_epi64_epi8(SPLAT64(from), _mm512_permutexvar_epi8(index, x));
}
#else
typedef __m256i V;
#define LOAD(p) _mm256_loadu_si256((const V *)(p))
#define STORE(p, v) _mm256_storeu_si256((V *)(p), v)
#define AND(x, m) _mm256_and_si256(x, _mm256_set1_epi32(m))
#define SPLAT64(x) _mm256_set1_epi64x(x)
enum { WIDE = 32 };
static inline V index_of(const uint8_t *first, int n, int step) {
  uint8_t every[32];
  for (int i = 0; i < 32; i++) every[i] = first[i % 16 % n] + i % 16 / n * step;
  return LOAD(every);
}
/* Two halves, `step` bytes apart. */
static inline V halves(const uint8_t *p, int step) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)),
                                 _mm_loadu_si128((const __m128i *)(p + step)), 1);
}
#endif

static inline void ten(uint16_t *d, const uint8_t *s) {
  d[0] = s[0] | (s[1] & 3) << 8;
  d[1] = s[1] >> 2 | (s[2] & 15) << 6;
  d[2] = s[2] >> 4 | (s[3] & 63) << 4;
  d[3] = s[3] >> 6 | s[4] << 2;
}

void unpack10(uint16_t *restrict d, const uint8_t *restrict s, int n) {
  V index = index_of((const uint8_t[]){0, 1, 1, 2, 2, 3, 3, 4}, 8, 5);
  int i = 0;
  for (; i + 16 <= n; i += WIDE / 8) {
#ifdef __AVX512VBMI__
    V x = AND(_mm512_srlv_epi16(_mm512_permutexvar_epi8(index, LOAD(s + 5 * i)), SPLAT64(0x0006000400020000)), 0x03ff03ff);
#else
    V x = _mm256_shuffle_epi8(halves(s + 5 * i, 10), index);
    x = _mm256_srli_epi16(_mm256_mullo_epi16(x, SPLAT64(0x0001000400100040)), 6);
#endif
    STORE(d + 4 * i, x);
  }
  for (; i < n; i++) ten(d + 4 * i, s + 5 * i);
}

void unpack12(uint16_t *restrict d, const uint8_t *restrict s, int n) {
  V index = index_of((const uint8_t[]){0, 1, 1, 2}, 4, 3);
  int i = 0;
  for (; i + 22 <= n; i += WIDE / 4) {
#ifdef __AVX512VBMI__
    V x = AND(_mm512_srlv_epi16(_mm512_permutexvar_epi8(index, LOAD(s + 3 * i)), _mm512_set1_epi32(4 << 16)), 0x0fff0fff);
#else
    V x = _mm256_shuffle_epi8(halves(s + 3 * i, 12), index);
    x = _mm256_srli_epi16(_mm256_mullo_epi16(x, _mm256_set1_epi32(0x00010010)), 4);
#endif
    STORE(d + 2 * i, x);
  }
  for (; i < n; i++) {
    d[2 * i] = s[3 * i] | (s[3 * i + 1] & 15) << 8;
    d[2 * i + 1] = s[3 * i + 1] >> 4 | s[3 * i + 2] << 4;
  }
}

static inline void twelve(uint8_t *d, const uint16_t *s) {
  d[0] = s[0];
  d[1] = (s[0] >> 8 & 15) | s[1] << 4;
  d[2] = s[1] >> 4;
}

void pack12(uint8_t *restrict d, const uint16_t *restrict s, int n) {
  V index = index_of((const uint8_t[]){0, 1, 2}, 3, 4);
  int i = 0;
  for (; i + 22 <= n; i += WIDE / 4) {
    V x = LOAD(s + 2 * i);
#ifdef __AVX512VBMI__
    x = _mm512_or_si512(AND(x, 0xfff), AND(_mm512_srli_epi32(x, 4), 0xfff000));
    STORE(d + 3 * i, _mm512_permutexvar_epi8(index, x));
#else
    x = _mm256_shuffle_epi8(_mm256_or_si256(AND(x, 0xfff), AND(_mm256_srli_epi32(x, 4), 0xfff000)), index);
    _mm_storeu_si128((__m128i *)(d + 3 * i), _mm256_castsi256_si128(x));
    _mm_storeu_si128((__m128i *)(d + 3 * i + 12), _mm256_extracti128_si256(x, 1));
#endif
  }
  for (; i < n; i++) twelve(d + 3 * i, s + 2 * i);
}

void base64_split(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  V index = index_of((const uint8_t[]){1, 0, 2, 1}, 4, 3);
  int i = 0;
  for (; i + 22 <= n; i += WIDE / 4) {
#ifdef __AVX512VBMI__
    V x = AND(bits(LOAD(s + 3 * i), index, 0x3036242a1016040a), 0x3f3f3f3f);
#else
    V x = _mm256_shuffle_epi8(halves(s + 3 * i, 12), index);
    x = _mm256_or_si256(_mm256_mulhi_epu16(AND(x, 0x0fc0fc00), _mm256_set1_epi32(0x04000040)),
                        _mm256_mullo_epi16(AND(x, 0x003f03f0), _mm256_set1_epi32(0x01000010)));
#endif
    STORE(d + 4 * i, x);
  }
  for (; i < n; i++) {
    d[4 * i] = s[3 * i] >> 2;
    d[4 * i + 1] = (s[3 * i] & 3) << 4 | s[3 * i + 1] >> 4;
    d[4 * i + 2] = (s[3 * i + 1] & 15) << 2 | s[3 * i + 2] >> 6;
    d[4 * i + 3] = s[3 * i + 2] & 63;
  }
}

void base64_join(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  V index = index_of((const uint8_t[]){2, 1, 0}, 3, 4);
  int i = 0;
  for (; i + 22 <= n; i += WIDE / 4) {
    V x = AND(LOAD(s + 4 * i), 0x3f3f3f3f);
#ifdef __AVX512VBMI__
    x = _mm512_maddubs_epi16(x, _mm512_set1_epi16(0x0140));
    STORE(d + 3 * i, _mm512_permutexvar_epi8(index, _mm512_madd_epi16(x, _mm512_set1_epi32(0x00011000))));
#else
    x = _mm256_maddubs_epi16(x, _mm256_set1_epi16(0x0140));
    x = _mm256_shuffle_epi8(_mm256_madd_epi16(x, _mm256_set1_epi32(0x00011000)), index);
    _mm_storeu_si128((__m128i *)(d + 3 * i), _mm256_castsi256_si128(x));
    _mm_storeu_si128((__m128i *)(d + 3 * i + 12), _mm256_extracti128_si256(x, 1));
#endif
  }
  for (; i < n; i++) {
    d[3 * i] = s[4 * i] << 2 | (s[4 * i + 1] & 63) >> 4;
    d[3 * i + 1] = s[4 * i + 1] << 4 | (s[4 * i + 2] & 63) >> 2;
    d[3 * i + 2] = s[4 * i + 2] << 6 | (s[4 * i + 3] & 63);
  }
}

static inline void pixel(uint8_t *d, unsigned s) {
  unsigned r = s >> 11, g = s >> 5 & 63, b = s & 31;
  d[0] = r << 3 | r >> 2;
  d[1] = g << 2 | g >> 4;
  d[2] = b << 3 | b >> 2;
}

void rgb565(uint8_t *restrict d, const uint16_t *restrict s, int n) {
  int i = 0;
#ifdef __AVX512VBMI__
  V index = index_of((const uint8_t[]){0, 1, 2}, 3, 4);
  for (; i + 32 <= n; i += 16) {
    V x = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(s + i)));
    x = _mm512_or_si512(x, _mm512_slli_epi32(x, 16));
    V high = AND(_mm512_multishift_epi64_epi8(SPLAT64(0x002d2328000d0308), x), 0x00f8fcf8);
    V low = AND(_mm512_multishift_epi64_epi8(SPLAT64(0x0022292d0002090d), x), 0x00070307);
    STORE(d + 3 * i, _mm512_permutexvar_epi8(index, _mm512_or_si512(high, low)));
  }
#else
  V index = index_of((const uint8_t[]){0, 1, 2}, 3, 4);
  for (; i + 16 <= n; i += 8) {
    V x = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(s + i)));
    V r = _mm256_srli_epi32(x, 8), g = _mm256_slli_epi32(x, 5), b = _mm256_slli_epi32(x, 19);
    V y = _mm256_or_si256(_mm256_or_si256(AND(r, 0xf8), AND(g, 0xfc00)), AND(b, 0xf80000));
    V low = _mm256_or_si256(AND(_mm256_srli_epi32(y, 5), 0x070007), AND(_mm256_srli_epi32(y, 6), 0x0300));
    y = _mm256_shuffle_epi8(_mm256_or_si256(y, low), index);
    _mm_storeu_si128((__m128i *)(d + 3 * i), _mm256_castsi256_si128(y));
    _mm_storeu_si128((__m128i *)(d + 3 * i + 12), _mm256_extracti128_si256(y, 1));
  }
#endif
  for (; i < n; i++) pixel(d + 3 * i, s[i]);
}

void nibbles(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  int i = 0;
  for (; i + WIDE / 2 <= n; i += WIDE / 2) {
#ifdef __AVX512VBMI__
    V x = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(s + i)));
    x = _mm512_or_si512(x, _mm512_slli_epi16(x, 4));
#else
    V x = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(s + i)));
    x = _mm256_or_si256(x, _mm256_slli_epi16(x, 4));
#endif
    STORE(d + 2 * i, AND(x, 0x0f0f0f0f));
  }
  for (; i < n; i++) {
    d[2 * i] = s[i] & 15;
    d[2 * i + 1] = s[i] >> 4;
  }
}
