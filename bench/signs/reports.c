/* Loops after what people report of vector code. */
#include <stdint.h>

void counted_equal(const uint8_t *restrict a, uint8_t x, uint32_t *restrict d, int n) {
  uint32_t count = 0;
  for (int i = 0; i < n; i++) count += a[i] == x;
  d[0] = count;
}

void doubled_in_field(const uint8_t *restrict a, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++) d[i] = (uint8_t)((a[i] << 1) ^ ((a[i] >> 7) * 0x1d));
}

void scaled_in_field(const uint8_t *restrict a, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++) {
    uint8_t x = a[i], r = x;
    for (int k = 0; k < 4; k++) {
      x = (uint8_t)((x << 1) ^ ((x >> 7) * 0x1d));
      if (29 >> (k + 1) & 1) r ^= x;
    }
    d[i] = r;
  }
}

void corrected(int16_t *restrict v, const int16_t *restrict c, int n) {
  for (int i = 0; i < n; i++) v[i] = (int16_t)(v[i] + (c[i] * 170 + (c[i] >> 2) * 63) / 1024);
}

void hex_digits(const uint8_t *restrict a, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++) {
    int x = a[i] & 15;
    d[i] = (uint8_t)(x < 10 ? x + '0' : x - 10 + 'a');
  }
}

void digits(const uint8_t *restrict a, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++) d[i] = a[i] >= '0' && a[i] <= '9' ? 255 : 0;
}

void white_space(const uint8_t *restrict a, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++) d[i] = a[i] == ' ' || a[i] == '\t' || a[i] == '\n' || a[i] == '\r';
}

void upper_case(uint8_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = d[i] >= 'a' && d[i] <= 'z' ? d[i] - 32 : d[i];
}

void set_bits(const uint8_t *restrict a, uint64_t *restrict d, int n) {
  uint64_t count = 0;
  for (int i = 0; i < n; i++) count += (uint64_t)__builtin_popcount(a[i]);
  d[0] = count;
}

void divided_by_255(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++) {
    int t = a[i] * b[i] + 128;
    d[i] = (uint8_t)((t + (t >> 8)) >> 8);
  }
}

void doubled_high_halves(const int16_t *restrict a, const int16_t *restrict b, int16_t *restrict d, int n) {
  for (int i = 0; i < n; i++) {
    int32_t v = (a[i] * b[i] + 16384) >> 15;
    d[i] = (int16_t)(v > 32767 ? 32767 : v);
  }
}

void twelve_bits(const uint8_t *restrict a, uint16_t *restrict d, int n) {
  for (int i = 0; i < n / 2; i++) {
    const uint8_t *p = a + 3 * i;
    d[2 * i] = (uint16_t)(p[0] | (p[1] & 15) << 8);
    d[2 * i + 1] = (uint16_t)(p[1] >> 4 | p[2] << 4);
  }
}

void parsed_digits(const uint8_t *restrict a, uint32_t *restrict d, int n) {
  for (int i = 0; i < n / 8; i++) {
    uint32_t v = 0;
    for (int k = 0; k < 8; k++) v = v * 10 + (uint32_t)(a[8 * i + k] - '0');
    d[i] = v;
  }
}

void halves_of_bytes(const uint8_t *restrict a, uint8_t *restrict d, int n) {
  for (int i = 0; i < n; i++) d[2 * i] = a[i] >> 4, d[2 * i + 1] = a[i] & 15;
}
