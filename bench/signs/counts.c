/* Bits of bytes, counted. */
#include <stdint.h>

void count_to_words(const uint8_t *restrict p, uint16_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = __builtin_popcount(p[i]);
}

void count_to_dwords(const uint8_t *restrict p, uint32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = __builtin_popcount(p[i]);
}

void count_added(const uint8_t *restrict p, uint16_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] += __builtin_popcount(p[i]);
}

void count_of_difference(const uint8_t *restrict p, const uint8_t *restrict q, uint16_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = __builtin_popcount(p[i] ^ q[i]);
}
