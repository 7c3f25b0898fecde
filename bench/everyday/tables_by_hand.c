/* The same with intrinsics of AVX2, or of AVX-512 VBMI and GFNI where the CPU has them. */
#include <immintrin.h>
#include <stdint.h>

typedef __m256i V;
#define LOAD(p) _mm256_loadu_si256((const V *)(p))
#define STORE(p, v) _mm256_storeu_si256((V *)(p), v)
#define TABLE(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(p)))
#define AT(t, x) _mm256_shuffle_epi8(t, x)

static inline V low(V x) { return _mm256_and_si256(x, _mm256_set1_epi8(15)); }
static inline V high(V x) { return low(_mm256_srli_epi16(x, 4)); }

/* One of 64 bytes by six bits. */
typedef struct { V part[4]; __m512i whole; } Sixty;

static inline Sixty sixty(const void *p) {
  Sixty t;
#ifdef __AVX512VBMI__
  t.whole = _mm512_loadu_si512(p);
#else
  for (int k = 0; k < 4; k++) t.part[k] = TABLE((const char *)p + 16 * k);
#endif
  return t;
}

static inline V at64(Sixty t, V x) {
#ifdef __AVX512VBMI__
  return _mm512_castsi512_si256(_mm512_permutexvar_epi8(_mm512_castsi256_si512(x), t.whole));
#else
  V five = _mm256_slli_epi16(x, 3), six = _mm256_slli_epi16(x, 2);
  V a = _mm256_blendv_epi8(AT(t.part[0], low(x)), AT(t.part[1], low(x)), five);
  V b = _mm256_blendv_epi8(AT(t.part[2], low(x)), AT(t.part[3], low(x)), five);
  return _mm256_blendv_epi8(a, b, six);
#endif
}

static const char DIGITS[16] = "0123456789abcdef";
static const char BASE64[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void hex_encode(char *restrict d, const uint8_t *restrict s, int n) {
  V t = TABLE(DIGITS);
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    V x = LOAD(s + i), a = AT(t, high(x)), b = AT(t, low(x));
    V lo = _mm256_unpacklo_epi8(a, b), hi = _mm256_unpackhi_epi8(a, b);
    STORE(d + 2 * i, _mm256_permute2x128_si256(lo, hi, 0x20));
    STORE(d + 2 * i + 32, _mm256_permute2x128_si256(lo, hi, 0x31));
  }
  for (; i < n; i++) {
    d[2 * i] = DIGITS[s[i] >> 4];
    d[2 * i + 1] = DIGITS[s[i] & 15];
  }
}

static inline unsigned value(uint8_t c) { return (c & 15) + 9 * (c >> 6); }

static inline V values(V x) {
  V letter = _mm256_and_si256(_mm256_srli_epi16(x, 6), _mm256_set1_epi8(3));
  V nine = _mm256_add_epi8(_mm256_slli_epi16(letter, 3), letter);
  return _mm256_maddubs_epi16(_mm256_add_epi8(low(x), nine), _mm256_set1_epi16(0x0110));
}

void hex_decode(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  V byte = _mm256_set1_epi16(255);
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    V a = _mm256_and_si256(values(LOAD(s + 2 * i)), byte);
    V b = _mm256_and_si256(values(LOAD(s + 2 * i + 32)), byte);
    STORE(d + i, _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8));
  }
  for (; i < n; i++) d[i] = value(s[2 * i]) * 16 + value(s[2 * i + 1]);
}

#define ONE(NAME, TABLES, MANY, REST)                              \
  void NAME(uint8_t *restrict d, const uint8_t *restrict s, int n) { \
    TABLES;                                                        \
    int i = 0;                                                     \
    for (; i + 32 <= n; i += 32) {                                 \
      V x = LOAD(s + i);                                           \
      STORE(d + i, MANY);                                          \
    }                                                              \
    for (; i < n; i++) {                                           \
      uint8_t x = s[i];                                            \
      d[i] = REST;                                                 \
    }                                                              \
  }

ONE(base64_digits, Sixty t = sixty(BASE64), at64(t, _mm256_and_si256(x, _mm256_set1_epi8(63))), BASE64[x & 63])

static const uint8_t LOW[16] = {16, 0, 0, 0, 0, 0, 0, 0, 0, 8, 12, 1, 2, 9, 0, 0};
static const uint8_t HIGH[16] = {8, 0, 18, 4, 0, 1, 0, 1, 0, 0, 0, 3, 2, 1, 0, 0};

static inline V nonzero(V x) {
  return _mm256_xor_si256(_mm256_cmpeq_epi8(x, _mm256_setzero_si256()), _mm256_set1_epi8(-1));
}

ONE(classes, V t = TABLE(LOW); V u = TABLE(HIGH), nonzero(_mm256_and_si256(AT(t, low(x)), AT(u, high(x)))),
    (LOW[x & 15] & HIGH[x >> 4]) != 0 ? 255 : 0)

static const uint8_t FIRST_HIGH[16] = {2, 2, 2, 2, 2, 2, 2, 2, 128, 128, 128, 128, 33, 1, 21, 73};
static const uint8_t FIRST_LOW[16] = {231, 163, 131, 131, 139, 203, 203, 203,
                                      203, 203, 203, 203, 203, 219, 203, 203};
static const uint8_t SECOND_HIGH[16] = {1, 1, 1, 1, 1, 1, 1, 1, 230, 174, 186, 186, 1, 1, 1, 1};

ONE(utf8_errors, V t = TABLE(FIRST_HIGH); V u = TABLE(FIRST_LOW); V v = TABLE(SECOND_HIGH),
    _mm256_and_si256(_mm256_and_si256(AT(t, high(x)), AT(u, low(x))), AT(v, high(LOAD(s + i + 1)))),
    FIRST_HIGH[x >> 4] & FIRST_LOW[x & 15] & SECOND_HIGH[s[i + 1] >> 4])

void reed_solomon(uint8_t *restrict d, const uint8_t *restrict s, const uint8_t of_low[restrict static 16],
                  const uint8_t of_high[restrict static 16], int n) {
  V t = TABLE(of_low), u = TABLE(of_high);
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    V x = LOAD(s + i);
    STORE(d + i, _mm256_xor_si256(LOAD(d + i), _mm256_xor_si256(AT(t, low(x)), AT(u, high(x)))));
  }
  for (; i < n; i++) d[i] ^= of_low[s[i] & 15] ^ of_high[s[i] >> 4];
}

static inline V three(V x) {
#ifdef __GFNI__
  return _mm256_gf2p8mul_epi8(x, _mm256_set1_epi8(3));
#else
  V carry = _mm256_and_si256(_mm256_cmpgt_epi8(_mm256_setzero_si256(), x), _mm256_set1_epi8(0x1b));
  return _mm256_xor_si256(_mm256_xor_si256(_mm256_add_epi8(x, x), carry), x);
#endif
}

ONE(aes_three, , _mm256_xor_si256(LOAD(d + i), three(x)), d[i] ^ (uint8_t)(x << 1) ^ (x >> 7) * 0x1b ^ x)

static const uint8_t SET[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

static inline V ones(V t, V x) {
#ifdef __AVX512BITALG__
  return _mm256_popcnt_epi8(x);
#else
  return _mm256_add_epi8(AT(t, low(x)), AT(t, high(x)));
#endif
}

ONE(bits_set, V t = TABLE(SET), ones(t, x), SET[x & 15] + SET[x >> 4])

void palette16(uint8_t *restrict d, const uint8_t *restrict s, const uint8_t colour[restrict static 16],
               int n) {
  V t = TABLE(colour);
  int i = 0;
  for (; i + 32 <= n; i += 32) STORE(d + i, AT(t, low(LOAD(s + i))));
  for (; i < n; i++) d[i] = colour[s[i] & 15];
}

void palette64(uint8_t *restrict d, const uint8_t *restrict s, const uint8_t colour[restrict static 64],
               int n) {
  Sixty t = sixty(colour);
  int i = 0;
  for (; i + 32 <= n; i += 32) STORE(d + i, at64(t, _mm256_and_si256(LOAD(s + i), _mm256_set1_epi8(63))));
  for (; i < n; i++) d[i] = colour[s[i] & 63];
}

static const uint8_t POWER[64] = {
    0,   32,  44,  53,  60,  67,  73,  79,  84,  89,  94,  98,  102, 106, 110, 114,
    118, 121, 125, 128, 131, 134, 138, 141, 144, 147, 149, 152, 155, 158, 160, 163,
    166, 168, 171, 173, 176, 178, 181, 183, 185, 188, 190, 192, 195, 197, 199, 201,
    204, 206, 208, 210, 212, 214, 216, 218, 221, 223, 225, 227, 229, 231, 253, 255};

ONE(gamma6, Sixty t = sixty(POWER),
    at64(t, _mm256_and_si256(_mm256_srli_epi16(x, 2), _mm256_set1_epi8(63))), POWER[x >> 2])

static const uint8_t CODE[16] = {4, 0, 4, 1, 3, 4, 4, 2, 4, 0, 4, 1, 3, 4, 4, 2};

ONE(dna, V t = TABLE(CODE), AT(t, low(x)), CODE[x & 7])

static const uint8_t MIRROR[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
static const uint8_t RAISED[16] = {0, 128, 64, 192, 32, 160, 96, 224, 16, 144, 80, 208, 48, 176, 112, 240};

static inline V reversed(V t, V u, V x) {
#ifdef __GFNI__
  return _mm256_gf2p8affine_epi64_epi8(x, _mm256_set1_epi64x(0x8040201008040201), 0);
#else
  return _mm256_or_si256(AT(t, low(x)), AT(u, high(x)));
#endif
}

ONE(bits_reversed, V t = TABLE(RAISED); V u = TABLE(MIRROR), reversed(t, u, x), RAISED[x & 15] | MIRROR[x >> 4])
