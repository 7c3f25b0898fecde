#include "hot.h"

#include <stdio.h>

#ifdef ONLY_C
uint32_t checksum(const uint8_t *data, size_t n) { return n ? data[0] + 31 * checksum(data + 1, n - 1) : 7; }
#endif

int main(void) {
    enum { N = 1000 };
    static uint8_t a[N], b[N], out[N];
    for (unsigned i = 0; i < N; ++i) {
        a[i] = (uint8_t)(i * 7);
        b[i] = (uint8_t)(i * i >> 3);
    }
    subtract(out, a, b, N);
    printf("%u\n", checksum(out, N));
    return 0;
}
