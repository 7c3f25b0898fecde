#include "blend.h"
#include "hot.h"

// main.cpp without a library: the same pictures, by the same functions.
enum { N = 1003 };
extern "C" long write(int file, const void *from, long size);

static byte a[N], b[N], out[N];
static short left[N], right[N], product[N];

static void say(const char *name, unsigned value) {
  char line[32];
  int n = 0;
  while (*name)
    line[n++] = *name++;
  line[n++] = ' ';
  for (int shift = 28; shift >= 0; shift -= 4)
    line[n++] = "0123456789abcdef"[value >> shift & 15];
  line[n++] = '\n';
  write(1, line, n);
}

static void picture(byte *to, unsigned x) {
  for (int i = 0; i < N; i++)
    to[i] = (byte)((x = x * 1664525u + 1013904223u) >> 24);
}

extern "C" int main() {
  picture(a, 1);
  picture(b, 2);
  difference(a, b, out, N);
  say("difference", checksum(out, N));
  mix(a, b, out, N);
  say("mix", checksum(out, N));
  blend_bytes(a, b, out, N);
  say("blend", checksum(out, N));
  say("bright", count(out, N, 99));
  for (int i = 0; i < N; i++) {
    left[i] = (short)(a[i] * 257 - 32768);
    right[i] = (short)(b[i] * 129 - 16384);
  }
  round_products(left, right, product, N);
  say("products", checksum(product, 2 * N));
  clamp(product, N, -999, 999);
  say("clamped", checksum(product, 2 * N));
  say("table", table(3) + (unsigned)pause_and_add(40, 2));
  return 0;
}
