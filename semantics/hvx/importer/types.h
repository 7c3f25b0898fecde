#include <stdint.h>
typedef int8_t size1s_t; typedef uint8_t size1u_t; typedef int16_t size2s_t;
typedef uint16_t size2u_t; typedef int32_t size4s_t; typedef uint32_t size4u_t;
typedef int64_t size8s_t; typedef uint64_t size8u_t;
#define ELEMENTS(n) uint64_t ud[n / 8]; int64_t d[n / 8]; uint32_t uw[n / 4]; int32_t w[n / 4]; \
    uint16_t uh[n / 2]; int16_t h[n / 2]; uint8_t ub[n]; int8_t b[n];
typedef union { ELEMENTS(128) } MMVector;
typedef union { MMVector v[2]; ELEMENTS(256) } MMVectorPair;
typedef MMVector mmvector_t;
typedef union { ELEMENTS(16) } MMQReg;
#define restrict
#define VssV (*(MMVectorPair *)VssV_void)
#define RdV (*(int32_t *)RdV_void)
#define bool int
// Functions that are executed by their names, not by their text: semantics.hvx.importer.execute.
int64_t isel_sat_s(int64_t value, int width); int64_t isel_sat_u(int64_t value, int width);
int64_t isel_abs(int64_t value);
int32_t isel_get(const void *bits, int at, int width);
void isel_put(void *bits, int at, int width, int32_t value);
int32_t isel_clz(uint64_t value, int width); int32_t isel_ctpop(uint64_t value, int width);
#define INLINE static inline __attribute__((always_inline))
INLINE uint64_t extract64(uint64_t v, int at, int n) { return v >> at & (~0ULL >> (64 - n)); }
INLINE int64_t sextract64(uint64_t v, int at, int n) {
    return (int64_t)(v << (64 - n - at)) >> (64 - n); }
INLINE int32_t sextract32(uint32_t v, int at, int n) {
    return (int32_t)(v << (32 - n - at)) >> (32 - n); }
INLINE uint32_t extract32(uint32_t v, int at, int n) { return v >> at & (~0U >> (32 - n)); }
INLINE int clz32(uint32_t v) { return isel_clz(v, 32); }
INLINE int clo32(uint32_t v) { return isel_clz((uint32_t)~v, 32); }
INLINE int ctpop16(uint16_t v) { return isel_ctpop(v, 16); }
#define isel_high_of_saturated(A) isel_sat_s((int64_t)(A) >> 16, 16)
#define isel_twice_product(A, B) ((int64_t)(int16_t)(A) * 2 * (int64_t)(int16_t)(B))
INLINE void warn(const char *text, ...) {}
