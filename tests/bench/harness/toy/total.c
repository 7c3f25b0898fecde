void total(const short *restrict a, const short *restrict b, short *restrict out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (short)(a[i] + b[i]);
}
