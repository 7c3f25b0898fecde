/* What the importer executes by name, as C. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int64_t isel_sat_s(int64_t value, int width)
{
    int64_t most = (INT64_C(1) << (width - 1)) - 1;
    return value > most ? most : value < -most - 1 ? -most - 1 : value;
}

int64_t isel_sat_u(int64_t value, int width)
{
    int64_t most = (INT64_C(1) << width) - 1;
    return value > most ? most : value < 0 ? 0 : value;
}

int64_t isel_abs(int64_t value) { return value < 0 ? -value : value; }

int32_t isel_get(const void *bits, int at, int width)
{
    int32_t found = 0;
    for (int k = 0; k < width; k++)
        found |= (((const uint8_t *)bits)[(at + k) / 8] >> (at + k) % 8 & 1) << k;
    return found;
}

void isel_put(void *bits, int at, int width, int32_t value)
{
    for (int k = 0; k < width; k++) {
        uint8_t *byte = &((uint8_t *)bits)[(at + k) / 8], one = 1 << (at + k) % 8;
        *byte = value >> k & 1 ? *byte | one : *byte & ~one;
    }
}

int32_t isel_clz(uint64_t value, int width)
{
    int32_t found = 0;
    while (found < width && !(value >> (width - 1 - found) & 1))
        found++;
    return found;
}

int32_t isel_ctpop(uint64_t value, int width)
{
    int32_t found = 0;
    for (int k = 0; k < width; k++)
        found += value >> k & 1;
    return found;
}

static uint64_t state = 42;

/* Bytes, with many at the bounds. */
void fill(uint8_t *bytes, int count)
{
    static const uint8_t corners[] = {0x00, 0x7f, 0x80, 0xff, 0x01};
    for (int k = 0; k < count; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes[k] = state >> 63 ? (uint8_t)(state >> 40) : corners[(state >> 33) % 5];
    }
}
