/* What a driver needs of a system: no C library is built for it. */
static long call(long n, long a, const void *b, long c) {
    register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x2 __asm__("x2") = c;
    register const void *x1 __asm__("x1") = b;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}
long read(int f, void *p, long n) { return call(63, f, p, n); }
long write(int f, const void *p, long n) { return call(64, f, p, n); }
void _exit(int s) { call(93, s, 0, 0); for (;;) ; }
/* Code generators call these without being asked. */
void *memmove(void *to, const void *from, unsigned long n) {
    char *a = to;
    const char *b = from;
    if (a < b)
        for (unsigned long k = 0; k < n; k++) a[k] = b[k];
    else
        for (unsigned long k = n; k-- > 0;) a[k] = b[k];
    return to;
}
void *memcpy(void *to, const void *from, unsigned long n) { return memmove(to, from, n); }
void *memset(void *to, int value, unsigned long n) {
    for (unsigned long k = 0; k < n; k++) ((char *)to)[k] = value;
    return to;
}
int main(void);
void _start(void) { _exit(main()); }
