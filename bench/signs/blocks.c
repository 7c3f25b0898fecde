/* Blocks of pictures, their sizes constants, their strides not. */
#include <stdint.h>
#include <stdlib.h>

static inline uint8_t clip(int v) { return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)v; }
static inline int16_t sat(int v) { return v < -32768 ? -32768 : v > 32767 ? 32767 : (int16_t)v; }
#define EACH(rows, columns) for (int y = 0; y < rows; y++) for (int x = 0; x < columns; x++)

#define SAD(w, h) \
  int sad_##w##x##h(const uint8_t *a, int sa, const uint8_t *b, int sb) { \
    int sum = 0; \
    EACH(h, w) sum += abs(a[y * sa + x] - b[y * sb + x]); \
    return sum; \
  }
SAD(8, 8) SAD(16, 16) SAD(32, 16) SAD(4, 4)

#define SSD(w, h) \
  int ssd_##w##x##h(const uint8_t *a, int sa, const uint8_t *b, int sb) { \
    int sum = 0; \
    EACH(h, w) { int d = a[y * sa + x] - b[y * sb + x]; sum += d * d; } \
    return sum; \
  }
SSD(8, 8) SSD(16, 16) SSD(4, 8)

#define VARIANCE(w, h) \
  void variance_##w##x##h(const uint8_t *a, int sa, const uint8_t *b, int sb, uint32_t *out) { \
    int sum = 0, squares = 0; \
    EACH(h, w) { int d = a[y * sa + x] - b[y * sb + x]; sum += d; squares += d * d; } \
    out[0] = (uint32_t)sum, out[1] = (uint32_t)squares; \
  }
VARIANCE(8, 8) VARIANCE(16, 16)

void variance_two_8x8(const uint8_t *a, int sa, const uint8_t *b, int sb, uint32_t *out) {
  int s0 = 0, s1 = 0, q0 = 0, q1 = 0;
  EACH(8, 8) {
    int d = a[y * sa + x] - b[y * sb + x], e = a[y * sa + x + 8] - b[y * sb + x + 8];
    s0 += d, q0 += d * d;
    s1 += e, q1 += e * e;
  }
  out[0] = (uint32_t)s0, out[1] = (uint32_t)q0, out[2] = (uint32_t)s1, out[3] = (uint32_t)q1;
}

#define AVERAGE(w, h) \
  void average_##w##x##h(uint8_t *restrict d, int sd, const uint8_t *restrict a, int sa) { \
    EACH(h, w) d[y * sd + x] = (uint8_t)((d[y * sd + x] + a[y * sa + x] + 1) >> 1); \
  }
AVERAGE(8, 8) AVERAGE(16, 16) AVERAGE(4, 4)

#define ADD(w, h) \
  void residual_##w##x##h(uint8_t *restrict d, int sd, const int16_t *restrict r) { \
    EACH(h, w) d[y * sd + x] = clip(d[y * sd + x] + r[y * w + x]); \
  }
ADD(4, 4) ADD(8, 8) ADD(16, 16)

#define SHIFTED(w, h) \
  void residual_shifted_##w##x##h(uint8_t *restrict d, int sd, const int16_t *restrict r) { \
    EACH(h, w) d[y * sd + x] = clip(d[y * sd + x] + ((r[y * w + x] + 32) >> 6)); \
  }
SHIFTED(4, 4) SHIFTED(8, 8)

#define DIFFERENCE(w, h) \
  void difference_##w##x##h(int16_t *restrict d, const uint8_t *restrict a, int sa, const uint8_t *restrict b, int sb) { \
    EACH(h, w) d[y * w + x] = (int16_t)(a[y * sa + x] - b[y * sb + x]); \
  }
DIFFERENCE(8, 8) DIFFERENCE(16, 16)

#define CHROMA(w) \
  void chroma_##w(uint8_t *restrict d, int sd, const uint8_t *restrict s, int ss, int h, uint8_t dx, uint8_t dy) { \
    int a = (8 - dx) * (8 - dy), b = dx * (8 - dy), c = (8 - dx) * dy, e = dx * dy; \
    for (int y = 0; y < (h & 15); y++, d += sd, s += ss) \
      for (int x = 0; x < w; x++) d[x] = (uint8_t)((a * s[x] + b * s[x + 1] + c * s[x + ss] + e * s[x + ss + 1] + 32) >> 6); \
  }
CHROMA(2) CHROMA(4) CHROMA(8)

void chroma_of_blocks(uint8_t *restrict d, int sd, const uint8_t *restrict s, int ss, uint8_t dx, uint8_t dy) {
  int a = (8 - dx) * (8 - dy), b = dx * (8 - dy), c = (8 - dx) * dy, e = dx * dy;
  EACH(8, 8) d[y * sd + x] = (uint8_t)((a * s[y * ss + x] + b * s[y * ss + x + 1] + c * s[y * ss + ss + x] + e * s[y * ss + ss + x + 1] + 32) >> 6);
}

void six_taps_8x8(uint8_t *restrict d, int sd, const uint8_t *restrict s, int ss) {
  EACH(8, 8) {
    const uint8_t *p = s + y * ss + x + 2;
    d[y * sd + x] = clip((p[-2] + p[3] - 5 * (p[-1] + p[2]) + 20 * (p[0] + p[1]) + 16) >> 5);
  }
}

void six_taps_down_16x16(uint8_t *restrict d, int sd, const uint8_t *restrict s, int ss) {
  EACH(16, 16) {
    const uint8_t *p = s + (y + 2) * ss + x;
    d[y * sd + x] = clip((p[-2 * ss] + p[3 * ss] - 5 * (p[-ss] + p[2 * ss]) + 20 * (p[0] + p[ss]) + 16) >> 5);
  }
}

void eight_taps_8x8(uint8_t *restrict d, int sd, const uint8_t *restrict s, int ss, const int16_t *restrict f) {
  EACH(8, 8) {
    int sum = 64;
    for (int t = 0; t < 8; t++) sum += s[y * ss + x + t] * f[t];
    d[y * sd + x] = clip(sum >> 7);
  }
}

void true_motion_8x8(uint8_t *restrict d, int sd, const uint8_t *restrict above, const uint8_t *restrict left) {
  EACH(8, 8) d[y * sd + x] = clip(left[y] + above[x + 1] - above[0]);
}

void true_motion_16x16(uint8_t *restrict d, int sd, const uint8_t *restrict above, const uint8_t *restrict left) {
  EACH(16, 16) d[y * sd + x] = clip(left[y] + above[x + 1] - above[0]);
}

void plane_16x16(uint8_t *restrict d, int sd, const int16_t *restrict abc) {
  EACH(16, 16) d[y * sd + x] = clip((abc[0] + abc[1] * (x - 7) + abc[2] * (y - 7) + 16) >> 5);
}

void smooth_8x8(uint8_t *restrict d, int sd, const uint8_t *restrict above, const uint8_t *restrict left, const uint8_t *restrict w) {
  EACH(8, 8) d[y * sd + x] = (uint8_t)((w[y] * above[x] + (256 - w[y]) * left[7] + w[x] * left[y] + (256 - w[x]) * above[7] + 256) >> 9);
}

void dc_16x16(uint8_t *restrict d, int sd, const uint8_t *restrict above, const uint8_t *restrict left) {
  int sum = 16;
  for (int i = 0; i < 16; i++) sum += above[i] + left[i];
  EACH(16, 16) d[y * sd + x] = (uint8_t)(sum >> 5);
}

void quantised_4x4(int16_t *restrict q, const int16_t *restrict c, const uint16_t *restrict m, const uint16_t *restrict bias) {
  for (int i = 0; i < 16; i++) {
    int v = (abs(c[i]) + bias[i]) * m[i] >> 16;
    q[i] = (int16_t)(c[i] < 0 ? -v : v);
  }
}

void dequantised_8x8(int16_t *restrict c, const uint8_t *restrict scale, int qp) {
  for (int i = 0; i < 64; i++) c[i] = (int16_t)((c[i] * scale[i] * 4 + 32) >> 6);
}

void rounded_products_64(int16_t *restrict d, const int16_t *restrict a, const int16_t *restrict b) {
  for (int i = 0; i < 64; i++) d[i] = sat((a[i] * b[i] + 16384) >> 15);
}

void core_transform_4x4(int16_t *restrict d, const int16_t *restrict s) {
  for (int i = 0; i < 4; i++) {
    int a = s[i] + s[i + 12], b = s[i + 4] + s[i + 8], c = s[i + 4] - s[i + 8], e = s[i] - s[i + 12];
    d[i] = (int16_t)(a + b), d[i + 4] = (int16_t)(2 * e + c), d[i + 8] = (int16_t)(a - b), d[i + 12] = (int16_t)(e - 2 * c);
  }
}

void butterflies_8(int16_t *restrict d, const int16_t *restrict s) {
  for (int i = 0; i < 8; i++) {
    int a = s[i] + s[i + 56], b = s[i + 8] + s[i + 48], c = s[i + 16] + s[i + 40], e = s[i + 24] + s[i + 32];
    d[i] = sat((a + e + b + c) >> 1), d[i + 8] = sat((a - e) >> 1), d[i + 16] = sat((a + e - b - c) >> 1), d[i + 24] = sat((b - c) >> 1);
  }
}

void downsampled_8x8(uint8_t *restrict d, int sd, const uint8_t *restrict s, int ss) {
  EACH(8, 8) {
    const uint8_t *p = s + 2 * y * ss + 2 * x;
    d[y * sd + x] = (uint8_t)((p[0] + p[1] + p[ss] + p[ss + 1] + 2) >> 2);
  }
}

void weighted_16x16(uint8_t *restrict d, int sd, const uint8_t *restrict a, const uint8_t *restrict b, int s, uint8_t w) {
  EACH(16, 16) d[y * sd + x] = clip((a[y * s + x] * w + b[y * s + x] * (64 - w) + 32) >> 6);
}

void masked_8x8(uint8_t *restrict d, int sd, const uint8_t *restrict a, const uint8_t *restrict b, const uint8_t *restrict m) {
  EACH(8, 8) { int w = m[y * 8 + x] & 63; d[y * sd + x] = (uint8_t)((a[y * 8 + x] * w + b[y * 8 + x] * (64 - w) + 32) >> 6); }
}

void means_of_12_bits(uint16_t *restrict d, const int16_t *restrict a, const int16_t *restrict b, int s) {
  EACH(8, 16) { int v = (a[y * 16 + x] + b[y * 16 + x] + 16) >> 5; d[y * s + x] = (uint16_t)(v < 0 ? 0 : v > 1023 ? 1023 : v); }
}

int largest_difference_16x16(const uint8_t *a, int sa, const uint8_t *b, int sb) {
  int most = 0;
  EACH(16, 16) { int d = abs(a[y * sa + x] - b[y * sb + x]); most = d > most ? d : most; }
  return most;
}

void loop_filter_16(uint8_t *restrict p, int s, uint8_t limit) {
  for (int i = 0; i < 16; i++) {
    int p1 = p[i], p0 = p[i + s], q0 = p[i + 2 * s], q1 = p[i + 3 * s];
    int hit = abs(p0 - q0) * 2 + (abs(p1 - q1) >> 1) <= limit, delta = (4 * (q0 - p0) + p1 - q1 + 4) >> 3;
    p[i + s] = hit ? clip(p0 + delta) : p0;
    p[i + 2 * s] = hit ? clip(q0 - delta) : q0;
  }
}

void transposed_8x8(uint8_t *restrict d, int sd, const uint8_t *restrict s, int ss) {
  EACH(8, 8) d[x * sd + y] = s[y * ss + x];
}
