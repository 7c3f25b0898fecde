// Vector code beside calls that may unwind: what isel rewrites stands before, between and behind
// invokes, and in what catches.
void seen(const unsigned char *at);
struct Guard {
  unsigned char *at;
  ~Guard() { seen(at); }
};

void averages(unsigned char *d, const unsigned char *a, const unsigned char *b, long n) {
  Guard guard{d};
  for (long i = 0; i < n; i++) d[i] = (a[i] + b[i] + 1) >> 1;
  seen(d);
  for (long i = 0; i < n; i++) d[i] = a[i] + b[i] > 255 ? 255 : a[i] + b[i];
}

int caught(unsigned char *d, const unsigned char *a, long n) {
  try {
    seen(a);
    int s = 0;
    for (long i = 0; i < n; i++) s += a[i];
    seen(d);
    return s;
  } catch (int) {
    for (long i = 0; i < n; i++) d[i] = (3 * d[i] + a[i] + 2) >> 2;
    return -1;
  }
}
