#include "hot.h"

int table(unsigned k) {
  switch (k) {
  case 0: return 7;
  case 1: return 31;
  case 2: return 127;
  case 3: return 8191;
  default: return -1;
  }
}
