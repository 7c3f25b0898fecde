#include <stdexcept>

#include "picture.h"

void fail(const char *why) { throw std::runtime_error(why); }
