#include "picture.h"

Picture::Picture(int seed) : pixels(1003) {
  unsigned x = seed;
  for (byte &p : pixels)
    p = (byte)((x = x * 1664525u + 1013904223u) >> 24);
}

Picture::Picture(const Picture &left, const Picture &right) : pixels(left.pixels.size()) {
  for (unsigned i = 0; i < pixels.size(); i++) {
    int d = left.pixels[i] - right.pixels[i];
    pixels[i] = (byte)(d < 0 ? 0 : d > 190 ? 190 : d);
  }
}

Picture::~Picture() { pixels.clear(); }
