//! Prints a sum of what `halve` makes, and what it has to be.

#[inline(never)]
fn below(d: &mut [u8; 64], a: &[u8; 64], b: &[u8; 64]) {
    for i in 0..64 {
        d[i] = ((a[i] as u16 + b[i] as u16) >> 1) as u8 ^ 1;
    }
}

fn main() {
    let n = std::env::args().count() as u8;
    let a: [u8; 64] = core::array::from_fn(|i| (i as u8).wrapping_mul(37).wrapping_add(n));
    let b: [u8; 64] = core::array::from_fn(|i| (i as u8).wrapping_mul(91));
    let (mut d, mut e) = ([0; 64], [0; 64]);
    halve::halve(&mut d, &a, &b);
    below(&mut e, &a, &b);
    let sum: u32 = d.iter().map(|&x| x as u32).sum();
    let flipped: u32 = e.iter().map(|&x| (x ^ 1) as u32).sum();
    let wanted: u32 = a.iter().zip(&b).map(|(&x, &y)| (x as u32 + y as u32) / 2).sum();
    println!("{sum} {flipped} {wanted}");
}
