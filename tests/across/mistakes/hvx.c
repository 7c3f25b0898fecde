/* What loops in C compute, and wrong code for HVX, named for what is wrong. */
#include "../hvx/kernel.h"
#ifdef WRONG
#define PORT(right, ...) { __VA_ARGS__; }
#else
#define PORT(right, ...) { right; }
#endif

void count_of_four_bits(int16_t *restrict out, const int16_t *restrict a, int n)
PORT(for (int i = 0; i < 64; i++) out[i] = a[i] >> (n & 7), put(out, 0, Q6_Vh_vasr_VhR(at(a, 0), n)))
void low_bytes(uint8_t *restrict out, const uint16_t *restrict a)
PORT(for (int i = 0; i < 128; i++) out[i] = a[i] >> 8, put(out, 0, Q6_Vb_vpacke_VhVh(at(a, 1), at(a, 0))))
void reads_a_vector_beyond(uint8_t *restrict out, const uint8_t *restrict a)
PORT(for (int i = 0; i < 128; i++) out[i] = a[i], put(out, 0, Q6_V_valign_VVR(at(a, 1), at(a, 0), 0)))
