/* Products and their sums. */
#include <stdint.h>

void products_of_words(const int16_t *restrict a, const int16_t *restrict b, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = a[i] * b[i];
}

void products_added(const uint8_t *restrict a, const int16_t *restrict b, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] += a[i] * b[i];
}

void byte_products_added(const uint8_t *restrict a, const uint8_t *restrict b, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] += a[i] * b[i];
}

void dot_of_bytes(const uint8_t *restrict a, const uint8_t *restrict b, int32_t *restrict out, int n) {
  int32_t sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  *out = sum;
}

void dot_of_words(const int16_t *restrict a, const int16_t *restrict b, int32_t *restrict out, int n) {
  int32_t sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  *out = sum;
}

void squares_of_bytes(const int8_t *restrict a, int32_t *restrict out, int n) {
  int32_t sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * a[i];
  *out = sum;
}

void differences(const uint8_t *restrict a, const uint8_t *restrict b, int32_t *restrict out, int n) {
  int32_t sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
  *out = sum;
}

void scaled(const int16_t *restrict a, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = a[i] * 1234 + out[i] * 3;
}

void polynomial(const int16_t *restrict a, int32_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = (a[i] * a[i] * 5 + a[i] * 7) >> 3;
}

void rounded_products(const int16_t *restrict a, const int16_t *restrict b, int16_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = (a[i] * b[i] + 0x4000) >> 15;
}

void scaled_bytes(const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++) out[i] = (a[i] * b[i] + 128) >> 8;
}
