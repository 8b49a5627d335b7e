//! Transform of a block's coefficients to its pixels, at full size or smaller.
//!
//! The coefficients of the lowest frequencies alone are those of a smaller picture: four by four
//! coefficients become four by four pixels. Together with zeros as higher frequencies they are
//! those of a larger picture: eight by eight coefficients become sixteen by sixteen pixels if a
//! file has one sample of colour for four pixels. A line of eight is transformed as by Arai, Agui
//! and Nakajima (1988), whose factors are included in the [`scales`]. Input: a [`Block`] laid out
//! for that size. Output: bytes from 0 to 255, rounded. Invariant: the result is that of the exact
//! definition, except for rounding errors far below one level.

use std::f32::consts::{FRAC_1_SQRT_2, SQRT_2};

use super::block::Block;

/// Function that writes the pixels of a block to rows that are `stride` apart.
pub(super) type Transform = fn(&Block, &[f32; 64], &mut [u8], usize);

/// Returns the transform to blocks of `width` by `height` pixels, if there is one.
pub(super) fn transform(width: usize, height: usize) -> Option<Transform> {
    Some(match (width, height) {
        (16, 16) => pixels::<16, 16, 8, 8>,
        (16, 8) => pixels::<16, 8, 8, 8>,
        (8, 16) => pixels::<8, 16, 8, 8>,
        (8, 8) => pixels::<8, 8, 8, 8>,
        (8, 4) => pixels::<8, 4, 8, 4>,
        (4, 8) => pixels::<4, 8, 4, 8>,
        (4, 4) => pixels::<4, 4, 4, 4>,
        (4, 2) => pixels::<4, 2, 4, 2>,
        (2, 4) => pixels::<2, 4, 2, 4>,
        (2, 2) => pixels::<2, 2, 2, 2>,
        _ => return None,
    })
}

/// Returns the factor of each coefficient, column by column; `quantizers` are in rows of eight.
pub(super) fn scales(quantizers: &[u16; 64], width: usize, height: usize) -> [f32; 64] {
    let mut scales = [0.0; 64];
    let down = height.min(8);
    for column in 0..width.min(8) {
        for row in 0..down {
            let quantizer = f32::from(quantizers[row * 8 + column]);
            scales[column * down + row] = quantizer * scale(column, width) * scale(row, height);
        }
    }
    scales
}

/// Returns the factor of a frequency's coefficient for a line of `pixels` pixels.
fn scale(frequency: usize, pixels: usize) -> f32 {
    let even = FRAC_1_SQRT_2 / 2.0;
    match (pixels, frequency) {
        (8, 1..) => even * SQRT_2 * (frequency as f32 * std::f32::consts::PI / 16.0).cos(),
        // The cosine of an eighth of a turn contributes the same amount to all pixels.
        (_, 0) | (4, 2) | (2, 1) => even,
        _ => 0.5,
    }
}

/// Transforms `U` by `V` coefficients to `W` by `H` pixels.
fn pixels<const W: usize, const H: usize, const U: usize, const V: usize>(
    block: &Block,
    scales: &[f32; 64],
    to: &mut [u8],
    stride: usize,
) {
    let rows = to.chunks_mut(stride).take(H);
    if block.is_flat {
        let value = byte(f32::from(block.values[0]) * scales[0] + GREY);
        rows.for_each(|row| row[..W].fill(value));
        return;
    }
    let (values, _) = block.values.as_chunks::<V>();
    let (scales, _) = scales.as_chunks::<V>();
    let mut columns = [[0.0; V]; W];
    for (column, (values, scales)) in columns.iter_mut().zip(values.iter().zip(scales)).take(U) {
        for row in 0..V {
            column[row] = f32::from(values[row]) * scales[row];
        }
    }
    columns[0][0] += GREY;
    line(&mut columns);
    let mut lines = [[0.0; W]; H];
    for (row, line) in lines.iter_mut().enumerate().take(V) {
        for (column, value) in line.iter_mut().enumerate() {
            *value = columns[column][row];
        }
    }
    line(&mut lines);
    for (row, line) in rows.zip(&lines) {
        for (to, &value) in row[..W].iter_mut().zip(line) {
            *to = byte(value);
        }
    }
}

/// Mean of a block whose first coefficient is 0.
const GREY: f32 = 128.0;

/// Rounds a value to an integer from 0 to 255.
#[inline(always)]
fn byte(value: f32) -> u8 {
    /// Added to a number, this leaves no fraction, and the lowest bits of the sum are the number. A
    /// saturating conversion would keep the compiler from using wide registers.
    const NO_FRACTION: f32 = 8_388_608.0;
    (value.clamp(0.0, 255.0) + NO_FRACTION).to_bits() as u8
}

/// Transforms `N` lines of `M` coefficients, coefficient by coefficient.
#[inline(always)]
fn line<const M: usize, const N: usize>(values: &mut [[f32; M]; N]) {
    for at in 0..M {
        let mut line = [0.0; N];
        for (to, from) in line.iter_mut().zip(values.iter()) {
            *to = from[at];
        }
        match N {
            16 => sixteen(&mut line),
            8 => eight(&mut line),
            4 => four(&mut line),
            _ => two(&mut line),
        }
        for (to, from) in values.iter_mut().zip(line) {
            to[at] = from;
        }
    }
}

#[inline(always)]
fn two(f: &mut [f32]) {
    (f[0], f[1]) = (f[0] + f[1], f[0] - f[1]);
}

#[inline(always)]
fn four(f: &mut [f32]) {
    /// Cosine and sine of a sixteenth of a turn.
    const COS: f32 = 0.923_879_5;
    const SIN: f32 = 0.382_683_43;
    let sum = f[0] + f[2];
    let difference = f[0] - f[2];
    let outer = COS * f[1] + SIN * f[3];
    let inner = SIN * f[1] - COS * f[3];
    (f[0], f[1], f[2], f[3]) = (sum + outer, difference + inner, difference - inner, sum - outer);
}

#[inline(always)]
fn eight(f: &mut [f32]) {
    let a = f[0] + f[4];
    let b = f[0] - f[4];
    let c = f[2] + f[6];
    let d = (f[2] - f[6]) * SQRT_2 - c;
    let even = [a + c, b + d, b - d, a - c];
    let z13 = f[5] + f[3];
    let z10 = f[5] - f[3];
    let z11 = f[1] + f[7];
    let z12 = f[1] - f[7];
    let o0 = z11 + z13;
    let z5 = (z10 + z12) * 1.847_759_1;
    let o1 = z5 - z10 * 2.613_126 - o0;
    let o2 = (z11 - z13) * SQRT_2 - o1;
    let o3 = z12 * 1.082_392_2 - z5 + o2;
    let odd = [o0, o1, o2, -o3];
    for at in 0..4 {
        f[at] = even[at] + odd[at];
        f[7 - at] = even[at] - odd[at];
    }
}

/// Transforms eight coefficients, with the other eight zero.
#[inline(always)]
fn sixteen(f: &mut [f32]) {
    let mut coefficients = [0.0; 8];
    coefficients.copy_from_slice(&f[..8]);
    let c = coefficients;
    // Frequencies are grouped by the symmetry of their waves: about the middle, also about its
    // quarters, or not at all.
    for at in 0..4 {
        let fours = c[0] + c[4] * COSINES[(2 * at + 1) * 4 % 64];
        let twos = c[2] * COSINES[(2 * at + 1) * 2 % 64] + c[6] * COSINES[(2 * at + 1) * 6 % 64];
        for (at, even) in [(at, fours + twos), (7 - at, fours - twos)] {
            let odd = (wave(&c, 1, at) + wave(&c, 3, at)) + (wave(&c, 5, at) + wave(&c, 7, at));
            f[at] = even + odd;
            f[15 - at] = even - odd;
        }
    }
}

/// Returns the share of a frequency at a place.
#[inline(always)]
fn wave(coefficients: &[f32; 8], frequency: usize, at: usize) -> f32 {
    coefficients[frequency] * COSINES[(2 * at + 1) * frequency % 64]
}

/// Cosines of 64ths of a turn.
const COSINES: [f32; 64] = {
    const QUARTER: [f32; 17] = [
        1.0,
        0.995_184_7,
        0.980_785_3,
        0.956_940_35,
        0.923_879_5,
        0.881_921_3,
        0.831_469_6,
        0.773_010_4,
        0.707_106_77,
        0.634_393_3,
        0.555_570_24,
        0.471_396_74,
        0.382_683_43,
        0.290_284_66,
        0.195_090_32,
        0.098_017_14,
        0.0,
    ];
    let mut all = [0.0; 64];
    let mut at = 0;
    while at <= 16 {
        all[at] = QUARTER[at];
        all[32 - at] = -QUARTER[at];
        all[32 + at] = -QUARTER[at];
        all[(64 - at) % 64] = QUARTER[at];
        at += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a pixel by the definition of the transform.
    fn defined(
        values: &[i16],
        quantizers: &[u16; 64],
        size: (usize, usize),
        at: (usize, usize),
    ) -> f64 {
        let wave = |frequency: usize, at: usize, side: usize| {
            let phase = (2 * at + 1) as f64 * frequency as f64 * std::f64::consts::PI;
            let factor = if frequency == 0 { std::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
            factor * (phase / (2 * side) as f64).cos() / 2.0
        };
        let mut sum = 128.0;
        for u in 0..size.0.min(8) {
            for v in 0..size.1.min(8) {
                let value =
                    f64::from(values[u * size.1.min(8) + v]) * f64::from(quantizers[v * 8 + u]);
                sum += value * wave(u, at.0, size.0) * wave(v, at.1, size.1);
            }
        }
        sum.round().clamp(0.0, 255.0)
    }

    #[test]
    fn pixels_are_those_of_the_definition() {
        let quantizers = std::array::from_fn(|at| 1 + (at * 5 % 7) as u16);
        let mut random = fastrand::Rng::with_seed(3);
        for size in
            [(16, 16), (16, 8), (8, 16), (8, 8), (8, 4), (4, 8), (4, 4), (4, 2), (2, 4), (2, 2)]
        {
            let (scales, transform) =
                (scales(&quantizers, size.0, size.1), transform(size.0, size.1).expect("known"));
            for round in 0..50 {
                let mut block = Block::EMPTY;
                block.is_flat = round == 0;
                let count = if block.is_flat { 1 } else { size.0.min(8) * size.1.min(8) };
                for value in &mut block.values[..count] {
                    *value = random.i16(-60..60);
                }
                let mut found = [0; 18 * 16];
                transform(&block, &scales, &mut found, 18);
                for at in (0..size.0 * size.1).map(|at| (at % size.0, at / size.0)) {
                    let expected = defined(&block.values, &quantizers, size, at);
                    let found = f64::from(found[at.1 * 18 + at.0]);
                    assert!((found - expected).abs() <= 1.0, "{size:?} {at:?}");
                }
            }
        }
    }
}
