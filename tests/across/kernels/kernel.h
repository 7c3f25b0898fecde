/* What every kernel needs: the intrinsics of its machine. */
#include <stdint.h>
#if defined SSE || defined AVX
#include <immintrin.h>
#elif defined NEON || defined WRONG
#include <arm_neon.h>
#endif
static inline int clamp255(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
static inline int clamp16(int v) { return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }
