/* The loops with intrinsics of AVX2; what is left of n is computed plainly. */
#include <immintrin.h>
#include <stdint.h>

typedef __m256i V;
#define LOAD(p) _mm256_loadu_si256((const V *)(p))
#define STORE(p, v) _mm256_storeu_si256((V *)(p), v)
#define WIDE(p) _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(p)))
#define BYTES(a, b) _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8)

static inline uint64_t total(V v) {
  uint64_t t[4];
  STORE(t, v);
  return t[0] + t[1] + t[2] + t[3];
}

static inline uint32_t total32(V v) {
  return total(_mm256_add_epi64(_mm256_srli_epi64(v, 32), _mm256_and_si256(v, _mm256_set1_epi64x(0xffffffff))));
}

void brighten(const uint8_t *restrict a, uint8_t *restrict d, int k, int n) {
  V up = _mm256_set1_epi8(k < 0 ? 0 : k > 255 ? 255 : k), down = _mm256_set1_epi8(k > 0 ? 0 : k < -255 ? 255 : -k);
  int i = 0;
  for (; i + 32 <= n; i += 32) STORE(d + i, _mm256_subs_epu8(_mm256_adds_epu8(LOAD(a + i), up), down));
  for (; i < n; i++) {
    int v = a[i] + k;
    d[i] = v < 0 ? 0 : v > 255 ? 255 : v;
  }
}

static inline V of_sixteen(V r, V g, V b, int cr, int cg, int cb, int shift) {
  V s = _mm256_add_epi16(_mm256_mullo_epi16(r, _mm256_set1_epi16(cr)), _mm256_mullo_epi16(g, _mm256_set1_epi16(cg)));
  s = _mm256_add_epi16(_mm256_add_epi16(s, _mm256_mullo_epi16(b, _mm256_set1_epi16(cb))), _mm256_set1_epi16(128));
  return shift ? _mm256_srai_epi16(s, 8) : _mm256_srli_epi16(s, 8);
}

void yuv(const uint8_t *restrict r, const uint8_t *restrict g, const uint8_t *restrict b, uint8_t *restrict y,
         uint8_t *restrict u, uint8_t *restrict v, int n) {
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    V r0 = WIDE(r + i), r1 = WIDE(r + i + 16), g0 = WIDE(g + i), g1 = WIDE(g + i + 16), b0 = WIDE(b + i),
      b1 = WIDE(b + i + 16);
    V t = BYTES(of_sixteen(r0, g0, b0, 66, 129, 25, 0), of_sixteen(r1, g1, b1, 66, 129, 25, 0));
    STORE(y + i, _mm256_add_epi8(t, _mm256_set1_epi8(16)));
    t = _mm256_packs_epi16(of_sixteen(r0, g0, b0, -38, -74, 112, 1), of_sixteen(r1, g1, b1, -38, -74, 112, 1));
    STORE(u + i, _mm256_xor_si256(_mm256_permute4x64_epi64(t, 0xd8), _mm256_set1_epi8(-128)));
    t = _mm256_packs_epi16(of_sixteen(r0, g0, b0, 112, -94, -18, 1), of_sixteen(r1, g1, b1, 112, -94, -18, 1));
    STORE(v + i, _mm256_xor_si256(_mm256_permute4x64_epi64(t, 0xd8), _mm256_set1_epi8(-128)));
  }
  for (; i < n; i++) {
    y[i] = ((66 * r[i] + 129 * g[i] + 25 * b[i] + 128) >> 8) + 16;
    u[i] = ((-38 * r[i] - 74 * g[i] + 112 * b[i] + 128) >> 8) + 128;
    v[i] = ((112 * r[i] - 94 * g[i] - 18 * b[i] + 128) >> 8) + 128;
  }
}

void q15(const int16_t *restrict a, const int16_t *restrict b, int16_t *restrict d, int n) {
  int i = 0;
  for (; i + 16 <= n; i += 16) {
    V p = _mm256_mulhrs_epi16(LOAD(a + i), LOAD(b + i));
    STORE(d + i, _mm256_xor_si256(p, _mm256_cmpeq_epi16(p, _mm256_set1_epi16(-32768))));
  }
  for (; i < n; i++) {
    int v = (a[i] * b[i] + (1 << 14)) >> 15;
    d[i] = v > 32767 ? 32767 : v < -32768 ? -32768 : v;
  }
}

void ssd(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t *restrict d, int n) {
  V s = _mm256_setzero_si256(), s2 = s;
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    V x = LOAD(a + i), y = LOAD(b + i), z = _mm256_setzero_si256();
    V t = _mm256_or_si256(_mm256_subs_epu8(x, y), _mm256_subs_epu8(y, x));
    V lo = _mm256_unpacklo_epi8(t, z), hi = _mm256_unpackhi_epi8(t, z);
    s = _mm256_add_epi32(s, _mm256_madd_epi16(lo, lo));
    s2 = _mm256_add_epi32(s2, _mm256_madd_epi16(hi, hi));
  }
  uint32_t sum = total32(_mm256_add_epi32(s, s2));
  for (; i < n; i++) {
    int t = a[i] - b[i];
    sum += t * t;
  }
  *d = sum;
}

void sad(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t *restrict d, int n) {
  V s = _mm256_setzero_si256();
  int i = 0;
  for (; i + 32 <= n; i += 32) s = _mm256_add_epi64(s, _mm256_sad_epu8(LOAD(a + i), LOAD(b + i)));
  uint32_t sum = total(s);
  for (; i < n; i++) sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
  *d = sum;
}

void average_of_four(const uint8_t *restrict a, uint8_t *restrict d, int n) {
  V one = _mm256_set1_epi8(1), two = _mm256_set1_epi16(2);
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    V x = LOAD(a + i), y = LOAD(a + i + 1), z = LOAD(a + i + 2048), w = LOAD(a + i + 2049);
    V lo = _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_unpacklo_epi8(x, y), one),
                            _mm256_maddubs_epi16(_mm256_unpacklo_epi8(z, w), one));
    V hi = _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_unpackhi_epi8(x, y), one),
                            _mm256_maddubs_epi16(_mm256_unpackhi_epi8(z, w), one));
    lo = _mm256_srli_epi16(_mm256_add_epi16(lo, two), 2);
    hi = _mm256_srli_epi16(_mm256_add_epi16(hi, two), 2);
    STORE(d + i, _mm256_packus_epi16(lo, hi));
  }
  for (; i < n; i++) d[i] = (a[i] + a[i + 1] + a[i + 2048] + a[i + 2049] + 2) >> 2;
}

void dot(const int16_t *restrict a, const int16_t *restrict b, int64_t *restrict d, int n) {
  /* The sum of a pair is at most 2^31, and -2^31 + 2^16 or more: 1 less fits. */
  V s = _mm256_setzero_si256(), less = _mm256_set1_epi32(0x7fffffff), low = _mm256_set1_epi64x(0xffffffff);
  int i = 0;
  int64_t pairs = 0;
  for (; i + 16 <= n; i += 16, pairs += 8) {
    V p = _mm256_add_epi32(_mm256_madd_epi16(LOAD(a + i), LOAD(b + i)), less); /* 0 and more, without a sign */
    s = _mm256_add_epi64(s, _mm256_add_epi64(_mm256_srli_epi64(p, 32), _mm256_and_si256(p, low)));
  }
  int64_t sum = (int64_t)total(s) - pairs * 0x7fffffff;
  for (; i < n; i++) sum += a[i] * b[i];
  *d = sum;
}

void count(const uint8_t *restrict a, uint32_t *restrict d, int k, int n) {
  V s = _mm256_setzero_si256(), x = _mm256_set1_epi8(k), z = s;
  int i = 0;
  for (; i + 32 <= n;) {
    V t = z;
    for (int c = 0; c < 255 && i + 32 <= n; c++, i += 32) t = _mm256_sub_epi8(t, _mm256_cmpeq_epi8(LOAD(a + i), x));
    s = _mm256_add_epi64(s, _mm256_sad_epu8(t, z));
  }
  uint32_t sum = total(s);
  for (; i < n; i++) sum += a[i] == (uint8_t)k;
  *d = sum;
}

void popcount(const uint8_t *restrict a, uint64_t *restrict d, int n) {
  V z = _mm256_setzero_si256(), s = z, low = _mm256_set1_epi8(15);
  V t = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    V x = LOAD(a + i), c = _mm256_shuffle_epi8(t, _mm256_and_si256(x, low));
    c = _mm256_add_epi8(c, _mm256_shuffle_epi8(t, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
    s = _mm256_add_epi64(s, _mm256_sad_epu8(c, z));
  }
  uint64_t sum = total(s);
  for (; i < n; i++) sum += __builtin_popcount(a[i]);
  *d = sum;
}

void sobel(const uint8_t *restrict a, uint8_t *restrict d, int n) {
  const uint8_t *b = a + 2048, *c = a + 4096;
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    V t[2];
    for (int h = 0; h < 2; h++) {
      int j = i + 16 * h;
      V x = _mm256_sub_epi16(WIDE(a + j + 2), WIDE(a + j)), y = _mm256_sub_epi16(WIDE(c + j), WIDE(a + j));
      V x2 = _mm256_sub_epi16(WIDE(b + j + 2), WIDE(b + j)), y2 = _mm256_sub_epi16(WIDE(c + j + 1), WIDE(a + j + 1));
      V corner = _mm256_sub_epi16(WIDE(c + j + 2), WIDE(a + j + 2));
      x = _mm256_add_epi16(_mm256_add_epi16(x, _mm256_sub_epi16(WIDE(c + j + 2), WIDE(c + j))), _mm256_add_epi16(x2, x2));
      y = _mm256_add_epi16(_mm256_add_epi16(y, corner), _mm256_add_epi16(y2, y2));
      t[h] = _mm256_add_epi16(_mm256_abs_epi16(x), _mm256_abs_epi16(y));
    }
    STORE(d + i, BYTES(t[0], t[1]));
  }
  for (; i < n; i++) {
    int x = a[i + 2] - a[i] + 2 * (b[i + 2] - b[i]) + c[i + 2] - c[i];
    int y = c[i] + 2 * c[i + 1] + c[i + 2] - a[i] - 2 * a[i + 1] - a[i + 2];
    int v = (x < 0 ? -x : x) + (y < 0 ? -y : y);
    d[i] = v > 255 ? 255 : v;
  }
}
