#ifndef HOT_H
#define HOT_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
void subtract(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t n);
uint32_t checksum(const uint8_t *data, size_t n);
#ifdef __cplusplus
}
#endif
#endif
