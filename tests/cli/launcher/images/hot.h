#ifdef __cplusplus
extern "C" {
#endif
typedef unsigned char byte;
void round_products(const short *a, const short *b, short *c, int n);
void difference(const byte *a, const byte *b, byte *c, int n);
void mix(const byte *a, const byte *b, byte *c, int n);
int count(const byte *a, int n, byte limit);
void clamp(short *a, int n, int low, int high);
unsigned checksum(const void *data, int n);
int table(unsigned k);
long pause_and_add(long a, long b);
#ifdef __cplusplus
}
#endif
