#include <cstdio>
#include <exception>

#include "blend.h"
#include "picture.h"

int sizes();

int main() {
  Picture a(1), b(2), both(a, b);
  const int n = (int)a.pixels.size();
  std::vector<byte> out(n);
  std::vector<short> left(n), right(n), product(n);
  std::printf("both %08x\n", checksum(both.pixels.data(), n));
  difference(a.pixels.data(), b.pixels.data(), out.data(), n);
  std::printf("difference %08x\n", checksum(out.data(), n));
  mix(a.pixels.data(), b.pixels.data(), out.data(), n);
  std::printf("mix %08x\n", checksum(out.data(), n));
  blend_bytes(a.pixels.data(), b.pixels.data(), out.data(), n);
  std::printf("blend %08x %d\n", checksum(out.data(), n), count(out.data(), n, 99));
  for (int i = 0; i < n; i++) {
    left[i] = (short)(a.pixels[i] * 257 - 32768);
    right[i] = (short)(b.pixels[i] * 129 - 16384);
  }
  round_products(left.data(), right.data(), product.data(), n);
  std::printf("products %08x\n", checksum(product.data(), 2 * n));
  clamp(product.data(), n, -999, 999);
  std::printf("clamped %08x\n", checksum(product.data(), 2 * n));
  std::printf("%d %d %ld %d\n", table(3), sizes(), pause_and_add(40, 2), names());
  try {
    fail("as it should");
  } catch (const std::exception &e) {
    std::printf("%s\n", e.what());
  }
  return 0;
}
