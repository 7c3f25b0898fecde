/* Bits that lie across bytes: 8192 elements. */
#include <stdint.h>

/* Samples of a camera, 10 and 12 bits one behind the other. */
void unpack10(uint16_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++, s += 5, d += 4) {
    d[0] = s[0] | (s[1] & 3) << 8;
    d[1] = s[1] >> 2 | (s[2] & 15) << 6;
    d[2] = s[2] >> 4 | (s[3] & 63) << 4;
    d[3] = s[3] >> 6 | s[4] << 2;
  }
}

void unpack12(uint16_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    d[2 * i] = s[3 * i] | (s[3 * i + 1] & 15) << 8;
    d[2 * i + 1] = s[3 * i + 1] >> 4 | s[3 * i + 2] << 4;
  }
}

void pack12(uint8_t *restrict d, const uint16_t *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    d[3 * i] = s[2 * i];
    d[3 * i + 1] = (s[2 * i] >> 8 & 15) | s[2 * i + 1] << 4;
    d[3 * i + 2] = s[2 * i + 1] >> 4;
  }
}

/* Three bytes are four digits of base64, before they are looked up. */
void base64_split(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    d[4 * i] = s[3 * i] >> 2;
    d[4 * i + 1] = (s[3 * i] & 3) << 4 | s[3 * i + 1] >> 4;
    d[4 * i + 2] = (s[3 * i + 1] & 15) << 2 | s[3 * i + 2] >> 6;
    d[4 * i + 3] = s[3 * i + 2] & 63;
  }
}

void base64_join(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    d[3 * i] = s[4 * i] << 2 | (s[4 * i + 1] & 63) >> 4;
    d[3 * i + 1] = s[4 * i + 1] << 4 | (s[4 * i + 2] & 63) >> 2;
    d[3 * i + 2] = s[4 * i + 2] << 6 | (s[4 * i + 3] & 63);
  }
}

/* Pixels of 5, 6 and 5 bits as three bytes. */
void rgb565(uint8_t *restrict d, const uint16_t *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    unsigned r = s[i] >> 11, g = s[i] >> 5 & 63, b = s[i] & 31;
    d[3 * i] = r << 3 | r >> 2;
    d[3 * i + 1] = g << 2 | g >> 4;
    d[3 * i + 2] = b << 3 | b >> 2;
  }
}

void nibbles(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    d[2 * i] = s[i] & 15;
    d[2 * i + 1] = s[i] >> 4;
  }
}
