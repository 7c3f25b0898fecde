/* The same with intrinsics of AVX2, or of AVX-512 VBMI where the CPU has it. */
#include <immintrin.h>
#include <stdint.h>

typedef __m256i V;
#define LOAD(p) _mm256_loadu_si256((const V *)(p))
#define STORE(p, v) _mm256_storeu_si256((V *)(p), v)
#define LOW(p) _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(p)))
#define TWO(p, q) _mm256_inserti128_si256(LOW(p), _mm_loadu_si128((const __m128i *)(q)), 1)
#define AT(x, ...) _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__)))
#define LOWS(a, b) _mm256_permute2x128_si256(a, b, 0x20)
#define HIGHS(a, b) _mm256_permute2x128_si256(a, b, 0x31)

#ifdef __AVX512VBMI__
typedef __m512i W;
#define WIDE(p) _mm512_loadu_si512(p)
#define PUT(p, v) _mm512_storeu_si512(p, v)

/* 64 bytes by a formula of their number. */
#define INDEX(NAME, OF)                               \
  static inline W NAME(void) {                        \
    uint8_t of[64];                                   \
    for (int k = 0; k < 64; k++) of[k] = (uint8_t)(OF); \
    return WIDE(of);                                  \
  }

INDEX(pairs, 64 * (k % 2) + k / 2 % 32)
INDEX(low_halves, k % 2 ? 64 + k / 2 : k / 2)
INDEX(high_halves, k % 2 ? 96 + k / 2 : 32 + k / 2)
INDEX(evens, 2 * k)
INDEX(odds, 2 * k + 1)
INDEX(fourths, k < 32 ? 4 * k + 1 : 4 * (k - 32) + 3)
INDEX(thirds0, 3 * k < 128 ? 3 * k : 0)
INDEX(thirds1, 3 * k + 1 < 128 ? 3 * k + 1 : 0)
INDEX(thirds2, 3 * k + 2 < 128 ? 3 * k + 2 : 0)
INDEX(rest0, 3 * k < 128 ? k : 3 * k - 64)
INDEX(rest1, 3 * k + 1 < 128 ? k : 3 * k + 1 - 64)
INDEX(rest2, 3 * k + 2 < 128 ? k : 3 * k + 2 - 64)
#define TAKE(a, index, b) _mm512_permutex2var_epi8(a, index, b)
#endif

void planes_to_yuyv(uint8_t *restrict d, const uint8_t *restrict y, const uint8_t *restrict u,
                    const uint8_t *restrict v, int n) {
  int i = 0;
#ifdef __AVX512VBMI__
  W low = low_halves(), high = high_halves(), pair = pairs();
  for (; i + 32 <= n; i += 32) {
    W uv = TAKE(_mm512_castsi256_si512(LOAD(u + i)), pair, _mm512_castsi256_si512(LOAD(v + i)));
    W both = WIDE(y + 2 * i);
    PUT(d + 4 * i, TAKE(both, low, uv));
    PUT(d + 4 * i + 64, TAKE(both, high, uv));
  }
#else
  for (; i + 32 <= n; i += 32) {
    V a = LOAD(u + i), b = LOAD(v + i);
    V lo = _mm256_unpacklo_epi8(a, b), hi = _mm256_unpackhi_epi8(a, b);
    V uv[2] = {LOWS(lo, hi), HIGHS(lo, hi)};
    for (int k = 0; k < 2; k++) {
      V both = LOAD(y + 2 * i + 32 * k);
      lo = _mm256_unpacklo_epi8(both, uv[k]), hi = _mm256_unpackhi_epi8(both, uv[k]);
      STORE(d + 4 * i + 64 * k, LOWS(lo, hi));
      STORE(d + 4 * i + 64 * k + 32, HIGHS(lo, hi));
    }
  }
#endif
  for (; i < n; i++) {
    d[4 * i] = y[2 * i];
    d[4 * i + 1] = u[i];
    d[4 * i + 2] = y[2 * i + 1];
    d[4 * i + 3] = v[i];
  }
}

void yuyv_to_planes(uint8_t *restrict y, uint8_t *restrict u, uint8_t *restrict v,
                    const uint8_t *restrict s, int n) {
  int i = 0;
#ifdef __AVX512VBMI__
  W even = evens(), fourth = fourths();
  for (; i + 32 <= n; i += 32) {
    W a = WIDE(s + 4 * i), b = WIDE(s + 4 * i + 64), uv = TAKE(a, fourth, b);
    PUT(y + 2 * i, TAKE(a, even, b));
    STORE(u + i, _mm512_castsi512_si256(uv));
    STORE(v + i, _mm512_extracti64x4_epi64(uv, 1));
  }
#else
  V byte = _mm256_set1_epi16(255);
  for (; i + 32 <= n; i += 32) {
    V uv[2];
    for (int k = 0; k < 2; k++) {
      V a = LOAD(s + 4 * i + 64 * k), b = LOAD(s + 4 * i + 64 * k + 32);
      V lows = _mm256_packus_epi16(_mm256_and_si256(a, byte), _mm256_and_si256(b, byte));
      V highs = _mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8));
      STORE(y + 2 * i + 32 * k, _mm256_permute4x64_epi64(lows, 0xd8));
      uv[k] = _mm256_permute4x64_epi64(highs, 0xd8);
    }
    V us = _mm256_packus_epi16(_mm256_and_si256(uv[0], byte), _mm256_and_si256(uv[1], byte));
    V vs = _mm256_packus_epi16(_mm256_srli_epi16(uv[0], 8), _mm256_srli_epi16(uv[1], 8));
    STORE(u + i, _mm256_permute4x64_epi64(us, 0xd8));
    STORE(v + i, _mm256_permute4x64_epi64(vs, 0xd8));
  }
#endif
  for (; i < n; i++) {
    y[2 * i] = s[4 * i];
    u[i] = s[4 * i + 1];
    y[2 * i + 1] = s[4 * i + 2];
    v[i] = s[4 * i + 3];
  }
}

void rgb_to_planes(uint8_t *restrict r, uint8_t *restrict g, uint8_t *restrict b,
                   const uint8_t *restrict s, int n) {
  int i = 0;
#ifdef __AVX512VBMI__
  W t0 = thirds0(), t1 = thirds1(), t2 = thirds2(), r0 = rest0(), r1 = rest1(), r2 = rest2();
  for (; i + 64 <= n; i += 64) {
    W a = WIDE(s + 3 * i), c = WIDE(s + 3 * i + 64), e = WIDE(s + 3 * i + 128);
    PUT(r + i, TAKE(TAKE(a, t0, c), r0, e));
    PUT(g + i, TAKE(TAKE(a, t1, c), r1, e));
    PUT(b + i, TAKE(TAKE(a, t2, c), r2, e));
  }
#else
  V m1 = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0));
  V m2 = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0));
  for (; i + 32 <= n; i += 32) {
    const uint8_t *p = s + 3 * i;
    V a = TWO(p, p + 48), c = TWO(p + 16, p + 64), e = TWO(p + 32, p + 80);
    V x = _mm256_blendv_epi8(_mm256_blendv_epi8(a, c, m1), e, m2);
    V y = _mm256_blendv_epi8(_mm256_blendv_epi8(c, e, m1), a, m2);
    V z = _mm256_blendv_epi8(_mm256_blendv_epi8(e, a, m1), c, m2);
    STORE(r + i, AT(x, 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13));
    STORE(g + i, AT(y, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14));
    STORE(b + i, AT(z, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15));
  }
#endif
  for (; i < n; i++) {
    r[i] = s[3 * i];
    g[i] = s[3 * i + 1];
    b[i] = s[3 * i + 2];
  }
}

void interleave4(int32_t *restrict d, const int32_t *restrict a, const int32_t *restrict b,
                 const int32_t *restrict c, const int32_t *restrict e, int n) {
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    V x = LOAD(a + i), y = LOAD(b + i), z = LOAD(c + i), w = LOAD(e + i);
    V p = _mm256_unpacklo_epi32(x, y), q = _mm256_unpackhi_epi32(x, y);
    V r = _mm256_unpacklo_epi32(z, w), s = _mm256_unpackhi_epi32(z, w);
    V k = _mm256_unpacklo_epi64(p, r), l = _mm256_unpackhi_epi64(p, r);
    V m = _mm256_unpacklo_epi64(q, s), n_ = _mm256_unpackhi_epi64(q, s);
    STORE(d + 4 * i, LOWS(k, l));
    STORE(d + 4 * i + 8, LOWS(m, n_));
    STORE(d + 4 * i + 16, HIGHS(k, l));
    STORE(d + 4 * i + 24, HIGHS(m, n_));
  }
  for (; i < n; i++) {
    d[4 * i] = a[i];
    d[4 * i + 1] = b[i];
    d[4 * i + 2] = c[i];
    d[4 * i + 3] = e[i];
  }
}

/* The two halves of a register of rows hold two rows each. */
static inline V columns(V x) {
  V rows = AT(x, 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
  V quarters = _mm256_permute4x64_epi64(rows, 0xd8);
  return _mm256_shuffle_epi32(quarters, 0xd8);
}

void transpose4(int16_t *restrict d, const int16_t *restrict s, int n) {
  for (int i = 0; i < n; i++) STORE(d + 16 * i, columns(LOAD(s + 16 * i)));
}

/* Sums and differences of four registers of rows. */
#define STEP(x)                                                                       \
  do {                                                                                \
    V e = _mm256_add_epi16(x[0], x[3]), f = _mm256_sub_epi16(x[0], x[3]);             \
    V g = _mm256_add_epi16(x[1], x[2]), h = _mm256_sub_epi16(x[1], x[2]);             \
    x[0] = _mm256_add_epi16(e, g), x[2] = _mm256_sub_epi16(e, g);                     \
    x[1] = _mm256_add_epi16(_mm256_add_epi16(f, f), h);                               \
    x[3] = _mm256_sub_epi16(f, _mm256_add_epi16(h, h));                               \
  } while (0)

/* Four registers of a square each become four of a row each of all. */
static inline void across(V x[4]) {
  V p = _mm256_unpacklo_epi64(x[0], x[1]), q = _mm256_unpackhi_epi64(x[0], x[1]);
  V r = _mm256_unpacklo_epi64(x[2], x[3]), s = _mm256_unpackhi_epi64(x[2], x[3]);
  x[0] = LOWS(p, r), x[1] = LOWS(q, s), x[2] = HIGHS(p, r), x[3] = HIGHS(q, s);
}

/* Four registers of four squares each: rows for columns. */
static inline void turned(V x[4]) {
  V a = _mm256_unpacklo_epi16(x[0], x[1]), b = _mm256_unpackhi_epi16(x[0], x[1]);
  V c = _mm256_unpacklo_epi16(x[2], x[3]), e = _mm256_unpackhi_epi16(x[2], x[3]);
  V p = _mm256_unpacklo_epi32(a, c), q = _mm256_unpackhi_epi32(a, c);
  V r = _mm256_unpacklo_epi32(b, e), s = _mm256_unpackhi_epi32(b, e);
  x[0] = _mm256_unpacklo_epi64(p, r), x[1] = _mm256_unpackhi_epi64(p, r);
  x[2] = _mm256_unpacklo_epi64(q, s), x[3] = _mm256_unpackhi_epi64(q, s);
}

static inline V difference(const uint8_t *a, const uint8_t *b) {
  return _mm256_sub_epi16(_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)a)),
                          _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)b)));
}

void transform4(int16_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b, int n) {
  for (int i = 0; i + 4 <= n; i += 4) {
    V x[4];
    for (int k = 0; k < 4; k++) x[k] = difference(a + 16 * (i + k), b + 16 * (i + k));
    across(x);
    turned(x);
    STEP(x);
    turned(x);
    STEP(x);
    V p = LOWS(x[0], x[2]), q = LOWS(x[1], x[3]), r = HIGHS(x[0], x[2]), s = HIGHS(x[1], x[3]);
    STORE(d + 16 * i, _mm256_unpacklo_epi64(p, q));
    STORE(d + 16 * i + 16, _mm256_unpackhi_epi64(p, q));
    STORE(d + 16 * i + 32, _mm256_unpacklo_epi64(r, s));
    STORE(d + 16 * i + 48, _mm256_unpackhi_epi64(r, s));
  }
}

typedef __m128i Q;
#define LOADQ(p) _mm_loadu_si128((const Q *)(p))
#define ADD(a, b) _mm_add_epi16(a, b)
#define SUB(a, b) _mm_sub_epi16(a, b)
#define HALF(a) _mm_srai_epi16(a, 1)

static inline void transposed(Q x[8]) {
  Q a[8], b[8];
  for (int k = 0; k < 4; k++) {
    a[2 * k] = _mm_unpacklo_epi16(x[k], x[k + 4]);
    a[2 * k + 1] = _mm_unpackhi_epi16(x[k], x[k + 4]);
  }
  for (int k = 0; k < 4; k++) {
    b[2 * k] = _mm_unpacklo_epi16(a[k], a[k + 4]);
    b[2 * k + 1] = _mm_unpackhi_epi16(a[k], a[k + 4]);
  }
  for (int k = 0; k < 4; k++) {
    x[2 * k] = _mm_unpacklo_epi16(b[k], b[k + 4]);
    x[2 * k + 1] = _mm_unpackhi_epi16(b[k], b[k + 4]);
  }
}

static inline void eight(Q x[8]) {
  Q a0 = ADD(x[0], x[7]), a1 = ADD(x[1], x[6]), a2 = ADD(x[2], x[5]), a3 = ADD(x[3], x[4]);
  Q b0 = SUB(x[0], x[7]), b1 = SUB(x[1], x[6]), b2 = SUB(x[2], x[5]), b3 = SUB(x[3], x[4]);
  Q c0 = ADD(a0, a3), c1 = ADD(a1, a2), c2 = SUB(a0, a3), c3 = SUB(a1, a2);
  Q e0 = ADD(b0, b1), e1 = ADD(b2, b3), e2 = SUB(b0, b1), e3 = SUB(b2, b3);
  x[0] = ADD(c0, c1), x[1] = ADD(e0, e1), x[2] = ADD(c2, HALF(c3)), x[3] = ADD(e2, e3);
  x[4] = SUB(c0, c1), x[5] = SUB(e0, e1), x[6] = SUB(HALF(c2), c3), x[7] = SUB(e2, e3);
}

static inline void both(int16_t *d, Q x[8]) {
  transposed(x), eight(x), transposed(x), eight(x);
  for (int k = 0; k < 8; k++) _mm_storeu_si128((Q *)(d + 8 * k), x[k]);
}

void transform8(int16_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b, int n) {
  for (int i = 0; i + 8 <= n; i += 8, a += 64, b += 64, d += 64) {
    Q x[8];
    for (int k = 0; k < 8; k++)
      x[k] = SUB(_mm_cvtepu8_epi16(_mm_loadl_epi64((const Q *)(a + 8 * k))),
                 _mm_cvtepu8_epi16(_mm_loadl_epi64((const Q *)(b + 8 * k))));
    both(d, x);
  }
}

void transform8_i16(int16_t *restrict d, const int16_t *restrict s, int n) {
  for (int i = 0; i + 8 <= n; i += 8, s += 64, d += 64) {
    Q x[8];
    for (int k = 0; k < 8; k++) x[k] = LOADQ(s + 8 * k);
    both(d, x);
  }
}
