/* Chains: what a pass of a loop computes needs what the pass before left in memory or in registers. */
#include <stdint.h>
#include <stdlib.h>

static inline int16_t sat16(int32_t v) { return v < -32768 ? -32768 : v > 32767 ? 32767 : (int16_t)v; }
static inline uint8_t sat8(int v) { return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)v; }
static inline int16_t q15(int16_t a, int16_t b) { return (int16_t)((a * b + 16384) >> 15); }

/* Lattices: each stage needs the one before, and the pass before. */
void lattice_analysis(int16_t *delay, const int16_t *k, int16_t *signal, int n) {
  for (int i = 0; i < n; i++) {
    int16_t f = signal[i], b = f;
    for (int s = 0; s < 8; s++) {
      int16_t held = delay[s];
      delay[s] = b;
      b = sat16(held + q15(k[s], f));
      f = sat16(f + q15(k[s], held));
    }
    signal[i] = f;
  }
}

void lattice_synthesis(int16_t *delay, const int16_t *k, int16_t *signal, int n) {
  for (int i = 0; i < n; i++) {
    int16_t f = signal[i];
    for (int s = 7; s >= 0; s--) {
      f = sat16(f - q15(k[s], delay[s]));
      delay[s + 1] = sat16(delay[s] + q15(k[s], f));
    }
    delay[0] = f;
    signal[i] = f;
  }
}

void lattice_two_channels(int16_t *delay, const int16_t *k, int16_t *signal, int n) {
  for (int i = 0; i < n; i += 2) {
    int16_t f[2] = {signal[i], signal[i + 1]}, b[2] = {f[0], f[1]};
    for (int s = 0; s < 4; s++)
      for (int c = 0; c < 2; c++) {
        int16_t held = delay[2 * s + c];
        delay[2 * s + c] = b[c];
        b[c] = sat16(held + q15(k[s], f[c]));
        f[c] = sat16(f[c] + q15(k[s], held));
      }
    signal[i] = f[0], signal[i + 1] = f[1];
  }
}

/* Recursive filters by sections, states in memory. */
void biquad_direct(int16_t *state, const int16_t *c, int16_t *signal, int n) {
  for (int i = 0; i < n; i++) {
    int16_t x = signal[i];
    int32_t y = (c[0] * x + c[1] * state[0] + c[2] * state[1] - c[3] * state[2] - c[4] * state[3]) >> 14;
    state[1] = state[0], state[0] = x;
    state[3] = state[2], state[2] = sat16(y);
    signal[i] = sat16(y);
  }
}

void biquad_transposed(int32_t *state, const int16_t *c, int16_t *signal, int n) {
  for (int i = 0; i < n; i++) {
    int16_t x = signal[i], y = sat16((c[0] * x + state[0]) >> 14);
    state[0] = c[1] * x - (c[3] * y >> 1) + state[1];
    state[1] = c[2] * x - (c[4] * y >> 1);
    signal[i] = y;
  }
}

void biquads_in_parallel(int32_t *state, const int16_t *c, const int16_t *x, int16_t *out, int n) {
  for (int i = 0; i < n; i++) {
    int32_t sum = 0;
    for (int s = 0; s < 8; s++) {
      int32_t y = (c[s] * x[i] + state[s]) >> 14;
      state[s] = c[8 + s] * x[i] - ((c[16 + s] * y) >> 2);
      sum += y;
    }
    out[i] = sat16(sum >> 3);
  }
}

void one_pole_of_four(int16_t *state, const int16_t *x, int16_t *out, int n) {
  for (int i = 0; i < n / 4; i++)
    for (int c = 0; c < 4; c++) {
      state[c] = sat16(state[c] + (((x[4 * i + c] - state[c]) * 29) >> 8));
      out[4 * i + c] = state[c];
    }
}

void one_pole_of_sixteen(int16_t *state, const int16_t *x, int16_t *out, int n) {
  for (int i = 0; i < n / 16; i++)
    for (int c = 0; c < 16; c++) {
      state[c] = sat16(state[c] + (((x[16 * i + c] - state[c]) * 29) >> 8));
      out[16 * i + c] = state[c];
    }
}

/* Error diffusion: what rounding takes from a pixel goes to its neighbours. */
void diffused_to_next(const uint8_t *x, uint8_t *out, int n) {
  int e = 0;
  for (int i = 0; i < n; i++) {
    int v = x[i] + e;
    out[i] = v > 127 ? 255 : 0;
    e = v - out[i];
  }
}

void diffused_to_rows(const uint8_t *x, int16_t *below, uint8_t *out, int n) {
  int e = 0;
  for (int i = 1; i < n; i++) {
    int v = x[i] + below[i] + ((e * 7) >> 4), q = v > 127 ? 255 : 0;
    e = v - q;
    below[i - 1] += (e * 3) >> 4;
    below[i] = (e * 5) >> 4;
    below[i + 1] = e >> 4;
    out[i] = q;
  }
}

void diffused_rgbx(const uint8_t *x, int16_t *e, uint8_t *out, int n) {
  for (int i = 0; i < n / 4; i++)
    for (int c = 0; c < 4; c++) {
      int v = x[4 * i + c] + e[c];
      out[4 * i + c] = sat8(v & ~15);
      e[c] = (int16_t)(v - out[4 * i + c]);
    }
}

/* States of entropy coders. */
void adaptive_bits(uint8_t *state, const uint8_t *bits, uint16_t *out, int n) {
  uint32_t range = 510, low = 0;
  for (int i = 0; i < n; i++) {
    uint8_t s = state[i & 7], bit = bits[i] & 1;
    uint32_t lps = (range * (s + 1)) >> 9;
    range = bit ? lps + 256 : range - lps + 256;
    low += bit ? range : 1;
    state[i & 7] = bit ? (uint8_t)(s - (s >> 4)) : (uint8_t)(s + ((255 - s) >> 4));
    range &= 511;
    out[i] = (uint16_t)low;
  }
}

void mixed_probabilities(uint16_t *p, const uint8_t *bits, int n) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 8; c++) {
      int target = (bits[i] >> c) & 1 ? 65535 : 0;
      p[c] = (uint16_t)(p[c] + ((target - p[c]) >> 5));
    }
}

void adpcm(const int8_t *codes, int16_t *out, int n) {
  int value = 0, step = 16;
  for (int i = 0; i < n; i++) {
    value = sat16(value + ((codes[i] * step) >> 3));
    step = (step * (230 + abs(codes[i] & 7) * 16)) >> 8;
    step = step < 16 ? 16 : step > 2048 ? 2048 : step;
    out[i] = (int16_t)value;
  }
}

/* Delay lines in memory. */
void shifted_line(int16_t *line, const int16_t *taps, int16_t *signal, int n) {
  for (int i = 0; i < n; i++) {
    int32_t sum = 0;
    for (int t = 15; t > 0; t--) line[t] = line[t - 1];
    line[0] = signal[i];
    for (int t = 0; t < 16; t++) sum += line[t] * taps[t];
    signal[i] = sat16(sum >> 15);
  }
}

void comb(int16_t *signal, int n) {
  for (int i = 8; i < n; i++) signal[i] = sat16(signal[i] + (signal[i - 8] >> 1));
}

void allpass(int16_t *line, int16_t *signal, int n) {
  for (int i = 0; i < n; i++) {
    int16_t held = line[i & 31], y = sat16(held - (signal[i] >> 1));
    line[i & 31] = sat16(signal[i] + (y >> 1));
    signal[i] = y;
  }
}

void adapted_taps(int16_t *taps, const int16_t *x, int16_t *out, int n) {
  for (int i = 0; i < n; i++) {
    int32_t sum = 0;
    for (int t = 0; t < 16; t++) sum += taps[t] * x[i + t];
    int16_t e = sat16(out[i] - (sum >> 15));
    for (int t = 0; t < 16; t++) taps[t] = sat16(taps[t] + q15(e, x[i + t]));
    out[i] = e;
  }
}

void running_average(uint8_t *mean, const uint8_t *frames, int n) {
  for (int i = 0; i < n / 16; i++)
    for (int c = 0; c < 16; c++) mean[c] = (uint8_t)((mean[c] * 7 + frames[16 * i + c] + 4) >> 3);
}

void integrated_rows(const uint8_t *x, uint16_t *sums, int n) {
  for (int i = 0; i < n / 16; i++)
    for (int c = 0; c < 16; c++) sums[c] = (uint16_t)(sums[c] + x[16 * i + c]);
}
