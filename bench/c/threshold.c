/* White where a byte is above the level, else black. */
#include <stdint.h>

enum { LEVEL = 97 };

void threshold(const uint8_t *restrict image, uint8_t *restrict out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = image[i] > LEVEL ? 255 : 0;
}
