/* Bytes that are looked up: 8192 elements. */
#include <stdint.h>

static const char DIGITS[16] = "0123456789abcdef";
static const char BASE64[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void hex_encode(char *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    d[2 * i] = DIGITS[s[i] >> 4];
    d[2 * i + 1] = DIGITS[s[i] & 15];
  }
}

static inline unsigned value(uint8_t c) { return (c & 15) + 9 * (c >> 6); }

void hex_decode(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) d[i] = value(s[2 * i]) * 16 + value(s[2 * i + 1]);
}

void base64_digits(char *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) d[i] = BASE64[s[i] & 63];
}

/* White space and the six characters of JSON that are structure. */
void classes(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  static const uint8_t low[16] = {16, 0, 0, 0, 0, 0, 0, 0, 0, 8, 12, 1, 2, 9, 0, 0};
  static const uint8_t high[16] = {8, 0, 18, 4, 0, 1, 0, 1, 0, 0, 0, 3, 2, 1, 0, 0};
  for (int i = 0; i < n; i++) d[i] = (low[s[i] & 15] & high[s[i] >> 4]) != 0 ? 255 : 0;
}

/* What two bytes in a row do wrong in UTF-8 (Keiser and Lemire, Validating UTF-8 in less than one
   instruction per byte, table 6). */
void utf8_errors(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  static const uint8_t first_high[16] = {2, 2, 2, 2, 2, 2, 2, 2, 128, 128, 128, 128, 33, 1, 21, 73};
  static const uint8_t first_low[16] = {231, 163, 131, 131, 139, 203, 203, 203,
                                        203, 203, 203, 203, 203, 219, 203, 203};
  static const uint8_t second_high[16] = {1, 1, 1, 1, 1, 1, 1, 1, 230, 174, 186, 186, 1, 1, 1, 1};
  for (int i = 0; i < n; i++)
    d[i] = first_high[s[i] >> 4] & first_low[s[i] & 15] & second_high[s[i + 1] >> 4];
}

/* A row of Reed and Solomon's code: products by a number of GF(2^8), by its halves. */
void reed_solomon(uint8_t *restrict d, const uint8_t *restrict s, const uint8_t low[restrict static 16],
                  const uint8_t high[restrict static 16], int n) {
  for (int i = 0; i < n; i++) d[i] ^= low[s[i] & 15] ^ high[s[i] >> 4];
}

/* Three times a byte in the field of AES, added to another. */
void aes_three(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) d[i] ^= (uint8_t)(s[i] << 1) ^ (s[i] >> 7) * 0x1b ^ s[i];
}

void bits_set(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  static const uint8_t of[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  for (int i = 0; i < n; i++) d[i] = of[s[i] & 15] + of[s[i] >> 4];
}

void palette16(uint8_t *restrict d, const uint8_t *restrict s, const uint8_t colour[restrict static 16],
               int n) {
  for (int i = 0; i < n; i++) d[i] = colour[s[i] & 15];
}

void palette64(uint8_t *restrict d, const uint8_t *restrict s, const uint8_t colour[restrict static 64],
               int n) {
  for (int i = 0; i < n; i++) d[i] = colour[s[i] & 63];
}

void gamma6(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  static const uint8_t power[64] = {
      0,   32,  44,  53,  60,  67,  73,  79,  84,  89,  94,  98,  102, 106, 110, 114,
      118, 121, 125, 128, 131, 134, 138, 141, 144, 147, 149, 152, 155, 158, 160, 163,
      166, 168, 171, 173, 176, 178, 181, 183, 185, 188, 190, 192, 195, 197, 199, 201,
      204, 206, 208, 210, 212, 214, 216, 218, 221, 223, 225, 227, 229, 231, 253, 255};
  for (int i = 0; i < n; i++) d[i] = power[s[i] >> 2];
}

/* A, C, G and T in two bits; others in three. */
void dna(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  static const uint8_t code[8] = {4, 0, 4, 1, 3, 4, 4, 2};
  for (int i = 0; i < n; i++) d[i] = code[s[i] & 7];
}

void bits_reversed(uint8_t *restrict d, const uint8_t *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    uint8_t x = s[i];
    x = x >> 4 | x << 4;
    x = (x & 0xcc) >> 2 | (x & 0x33) << 2;
    d[i] = (x & 0xaa) >> 1 | (x & 0x55) << 1;
  }
}
