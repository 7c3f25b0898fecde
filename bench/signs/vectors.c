/* Vectors as C's extensions have them: widths that the writer chose. */
#include <stdint.h>
#include <string.h>

#define VECTOR(name, type, bytes) typedef type name __attribute__((vector_size(bytes), aligned(1)))
VECTOR(u8x16, uint8_t, 16);
VECTOR(u8x32, uint8_t, 32);
VECTOR(u8x64, uint8_t, 64);
VECTOR(i16x8, int16_t, 16);
VECTOR(i16x16, int16_t, 32);
VECTOR(i16x32, int16_t, 64);
VECTOR(u16x16, uint16_t, 32);
VECTOR(u16x32, uint16_t, 64);
VECTOR(i32x8, int32_t, 32);
VECTOR(i32x16, int32_t, 64);
#define TO(type, v) __builtin_convertvector(v, type)
#define AT(type, p) (*(const type *)(p))
#define PUT(type, p) (*(type *)(p))
#define LOOP(step) for (int i = 0; i + step <= n; i += step)
#define MIN(a, b) __builtin_elementwise_min(a, b)
#define MAX(a, b) __builtin_elementwise_max(a, b)

void sobel_in_vectors(const uint8_t *a, uint8_t *d, int n) {
  LOOP(16) {
    i16x16 r[9];
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 3; x++) r[3 * y + x] = TO(i16x16, AT(u8x16, a + i + y * 1003 + x));
    i16x16 gx = r[2] - r[0] + 2 * (r[5] - r[3]) + r[8] - r[6], gy = r[6] - r[0] + 2 * (r[7] - r[1]) + r[8] - r[2];
    i16x16 sum = __builtin_elementwise_abs(gx) + __builtin_elementwise_abs(gy);
    PUT(u8x16, d + i) = TO(u8x16, MIN(sum, (i16x16){} + 255));
  }
}

void sobel_in_wide_vectors(const uint8_t *a, uint8_t *d, int n) {
  LOOP(32) {
    i16x32 r[9];
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 3; x++) r[3 * y + x] = TO(i16x32, AT(u8x32, a + i + y * 1003 + x));
    i16x32 gx = r[2] - r[0] + 2 * (r[5] - r[3]) + r[8] - r[6], gy = r[6] - r[0] + 2 * (r[7] - r[1]) + r[8] - r[2];
    i16x32 sum = __builtin_elementwise_abs(gx) + __builtin_elementwise_abs(gy);
    PUT(u8x32, d + i) = TO(u8x32, MIN(sum, (i16x32){} + 255));
  }
}

void means_in_vectors(const uint8_t *a, const uint8_t *b, uint8_t *d, int n) {
  LOOP(32) PUT(u8x32, d + i) = TO(u8x32, (TO(u16x32, AT(u8x32, a + i)) + TO(u16x32, AT(u8x32, b + i)) + 1) >> 1);
}

void means_in_short_vectors(const uint8_t *a, const uint8_t *b, uint8_t *d, int n) {
  LOOP(16) PUT(u8x16, d + i) = TO(u8x16, (TO(u16x16, AT(u8x16, a + i)) + TO(u16x16, AT(u8x16, b + i)) + 1) >> 1);
}

void sums_in_vectors(const uint8_t *a, const uint8_t *b, uint8_t *d, int n) {
  LOOP(32) PUT(u8x32, d + i) = TO(u8x32, MIN(TO(u16x32, AT(u8x32, a + i)) + TO(u16x32, AT(u8x32, b + i)), (u16x32){} + 255));
}

void products_in_vectors(const int16_t *a, const int16_t *b, int16_t *d, int n) {
  LOOP(16) PUT(i16x16, d + i) = TO(i16x16, (TO(i32x16, AT(i16x16, a + i)) * TO(i32x16, AT(i16x16, b + i)) + 16384) >> 15);
}

void highs_in_vectors(const int16_t *a, const int16_t *b, int16_t *d, int n) {
  LOOP(16) PUT(i16x16, d + i) = TO(i16x16, (TO(i32x16, AT(i16x16, a + i)) * TO(i32x16, AT(i16x16, b + i))) >> 16);
}

void clipped_in_vectors(const int16_t *a, uint8_t *d, int n) {
  LOOP(32) PUT(u8x32, d + i) = TO(u8x32, MAX(MIN(AT(i16x32, a + i), (i16x32){} + 255), (i16x32){}));
}

void blends_in_vectors(const uint8_t *a, const uint8_t *b, const uint8_t *m, uint8_t *d, int n) {
  LOOP(32) {
    u16x32 w = TO(u16x32, AT(u8x32, m + i));
    PUT(u8x32, d + i) = TO(u8x32, (TO(u16x32, AT(u8x32, a + i)) * w + TO(u16x32, AT(u8x32, b + i)) * (255 - w) + 128) >> 8);
  }
}

void differences_in_vectors(const uint8_t *a, const uint8_t *b, uint8_t *d, int n) {
  LOOP(32) {
    u8x32 x = AT(u8x32, a + i), y = AT(u8x32, b + i);
    PUT(u8x32, d + i) = MAX(x, y) - MIN(x, y);
  }
}

void thresholds_in_vectors(const uint8_t *a, uint8_t *d, int n) {
  LOOP(32) {
    u8x32 x = AT(u8x32, a + i), over = (u8x32)(x > 99);
    PUT(u8x32, d + i) = (x & over) | (0x11 & ~over);
  }
}

void dots_in_vectors(const int16_t *a, const int16_t *b, int32_t *d, int n) {
  i32x8 sum = {};
  LOOP(8) sum += TO(i32x8, AT(i16x8, a + i)) * TO(i32x8, AT(i16x8, b + i));
  PUT(i32x8, d) = sum;
}

void dots_of_bytes_in_vectors(const uint8_t *a, const int8_t *b, int32_t *d, int n) {
  VECTOR(i8x16, int8_t, 16);
  i32x16 sum = {};
  LOOP(16) sum += TO(i32x16, AT(u8x16, a + i)) * TO(i32x16, AT(i8x16, b + i));
  PUT(i32x16, d) = sum;
}

void squares_in_vectors(const uint8_t *a, const uint8_t *b, int32_t *d, int n) {
  i32x16 sum = {};
  LOOP(16) {
    i32x16 x = TO(i32x16, AT(u8x16, a + i)) - TO(i32x16, AT(u8x16, b + i));
    sum += x * x;
  }
  PUT(i32x16, d) = sum;
}

void taps_in_vectors(const uint8_t *a, uint8_t *d, int n) {
  LOOP(16) {
    i16x16 r[6];
    for (int t = 0; t < 6; t++) r[t] = TO(i16x16, AT(u8x16, a + i + t));
    i16x16 v = (r[0] + r[5] - 5 * (r[1] + r[4]) + 20 * (r[2] + r[3]) + 16) >> 5;
    PUT(u8x16, d + i) = TO(u8x16, MAX(MIN(v, (i16x16){} + 255), (i16x16){}));
  }
}

void three_means_in_vectors(const uint8_t *a, const uint8_t *b, const uint8_t *c, uint8_t *d, int n) {
  LOOP(32) {
    u16x32 x = TO(u16x32, AT(u8x32, a + i)), y = TO(u16x32, AT(u8x32, b + i)), z = TO(u16x32, AT(u8x32, c + i));
    PUT(u8x32, d + i) = TO(u8x32, (x + 2 * y + z + 2) >> 2);
  }
}

void signs_in_vectors(const int16_t *a, const int16_t *b, int16_t *d, int n) {
  LOOP(16) {
    i16x16 x = AT(i16x16, a + i), y = AT(i16x16, b + i);
    i16x16 negative = y < 0, none = y == 0;
    PUT(i16x16, d + i) = ((x ^ negative) - negative) & ~none;
  }
}

void reversed_in_vectors(const uint8_t *a, uint8_t *d, int n) {
  LOOP(16) {
    u8x16 x = AT(u8x16, a + i);
    PUT(u8x16, d + i) = __builtin_shufflevector(x, x, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0) / 2;
  }
}

void evens_in_vectors(const int16_t *a, const int16_t *b, int16_t *d, int n) {
  LOOP(16) {
    i16x16 x = AT(i16x16, a + i), y = AT(i16x16, b + i);
    i16x16 s = __builtin_shufflevector(x, y, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    i16x16 t = __builtin_shufflevector(x, y, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    PUT(i16x16, d + i) = __builtin_elementwise_add_sat(s, t);
  }
}

void shifts_in_vectors(const int32_t *a, int16_t *d, int n) {
  LOOP(16) {
    i32x16 v = (AT(i32x16, a + i) + 2048) >> 12;
    PUT(i16x16, d + i) = TO(i16x16, MAX(MIN(v, (i32x16){} + 32767), (i32x16){} - 32768));
  }
}
