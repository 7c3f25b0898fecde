#include "blend.h"

void blend_bytes(const unsigned char *a, const unsigned char *b, unsigned char *c, int n) {
  blend<unsigned char, 3>(a, b, c, n);
}
