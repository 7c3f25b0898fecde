/* What every kernel needs: whole vectors of 128 bytes in memory, which are aligned. */
#include <stdint.h>
#if defined HAND || defined WRONG
#include <hexagon_types.h>
#include <hvx_hexagon_protos.h>
static inline HVX_Vector at(const void *p, int n) { return ((const HVX_Vector *)p)[n]; }
static inline void put(void *p, int n, HVX_Vector v) { ((HVX_Vector *)p)[n] = v; }
static inline void put2(void *p, HVX_VectorPair v)
{
    put(p, 0, Q6_V_lo_W(v));
    put(p, 1, Q6_V_hi_W(v));
}
static inline HVX_VectorPair at2(const void *p) { return Q6_W_vcombine_VV(at(p, 1), at(p, 0)); }
static inline HVX_Vector bytes(uint8_t x) { return Q6_V_vsplat_R(x * 0x01010101u); }
static inline HVX_VectorPair in_order(HVX_VectorPair v, int size)
{
    return Q6_W_vshuff_VVR(Q6_V_hi_W(v), Q6_V_lo_W(v), -size);
}
static inline HVX_VectorPair halves(HVX_VectorPair v, int size)
{
    return Q6_W_vdeal_VVR(Q6_V_hi_W(v), Q6_V_lo_W(v), -size);
}
#endif
