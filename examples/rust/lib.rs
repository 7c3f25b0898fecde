//! A loop over bytes that LLVM turns into wider arithmetic than it needs.

/// Write the halves of the sums of `a` and `b` to `d`.
#[inline(never)]
pub fn halve(d: &mut [u8; 64], a: &[u8; 64], b: &[u8; 64]) {
    for i in 0..64 {
        d[i] = ((a[i] as u16 + b[i] as u16) >> 1) as u8;
    }
}
