#pragma once
#include <vector>

#include "hot.h"

struct Picture { // its constructors are out of class: compilers make one an alias of the other
  explicit Picture(int seed);
  Picture(const Picture &left, const Picture &right);
  virtual ~Picture();
  std::vector<byte> pixels;
};
void fail(const char *why);
int names();
