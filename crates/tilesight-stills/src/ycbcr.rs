//! Conversion of planes of brightness and colour to rows of RGB.
//!
//! Input: [`Planes`] of 8 to 16 bits, with colour at full, half or quarter resolution. Output:
//! 8-bit RGB. The arithmetic is that of ITU-T H.273, rounded once, at the end. If colour has fewer
//! samples than brightness, each is repeated: networks see tiles at a fraction of their size.

use super::DecodeError;
use super::coded::Planes;
use super::colour::CodePoints;
use super::heif::Still;

/// Number of pixels that are converted at a time, so that the processor's wide registers are used.
const BLOCK: usize = 32;

/// Conversion of a picture's samples to colours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mixture {
    /// The planes are green, blue and red.
    Direct { scale: f32, black: f32 },
    /// Weights of brightness and of the two colours.
    Mixed(Factors),
}

/// Weights that convert samples to values from 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Factors {
    black: f32,
    grey: f32,
    brightness: f32,
    red: f32,
    green: (f32, f32),
    blue: f32,
}

impl Mixture {
    /// Returns the conversion that code points define, for samples of the planes' depth.
    pub(super) fn new(
        still: &Still<'_>,
        points: CodePoints,
        planes: &Planes,
    ) -> Result<Mixture, DecodeError> {
        let depth = planes.depth;
        let (black, brightness, _) = ranges(points.full_range, depth);
        // Weights of red and blue in brightness.
        let (red, blue) = match points.matrix {
            0 if planes.chroma == Some((0, 0)) => {
                return Ok(Mixture::Direct { scale: (255.0 / brightness) as f32, black });
            }
            1 => (0.2126, 0.0722),
            // Unspecified means the matrix that still pictures have used since JPEG.
            2 | 5 | 6 => (0.299, 0.114),
            4 => (0.30, 0.11),
            7 => (0.212, 0.087),
            9 => (0.2627, 0.0593),
            matrix => return Err(still.unsupported(format!("matrix_coefficients {matrix}"))),
        };
        Ok(Mixture::Mixed(Factors::new((red, blue), points.full_range, depth)))
    }
}

impl Factors {
    /// Returns the factors for samples of `depth` bits, by the weights of red and blue in
    /// brightness.
    fn new((red, blue): (f64, f64), full_range: bool, depth: u8) -> Factors {
        let (black, brightness, colour) = ranges(full_range, depth);
        let green = 1.0 - red - blue;
        Factors {
            black,
            grey: f32::from(1_u16 << (depth - 1)),
            brightness: to_factor(1.0 / brightness),
            red: to_factor(2.0 * (1.0 - red) / colour),
            green: (
                to_factor(2.0 * blue * (1.0 - blue) / green / colour),
                to_factor(2.0 * red * (1.0 - red) / green / colour),
            ),
            blue: to_factor(2.0 * (1.0 - blue) / colour),
        }
    }
}

/// Returns the factor of a weight for bytes.
fn to_factor(weight: f64) -> f32 {
    (255.0 * weight) as f32
}

/// Returns the sample of black, and the number of steps in brightness and in each colour.
fn ranges(full_range: bool, depth: u8) -> (f32, f64, f64) {
    let more = f64::from(1_u32 << (depth - 8));
    if full_range {
        let steps = f64::from((1_u32 << depth) - 1);
        (0.0, steps, steps)
    } else {
        (16.0 * more as f32, 219.0 * more, 224.0 * more)
    }
}

/// Rows of a picture, converted one after the other.
#[derive(Debug)]
pub(super) struct RgbRows<'p> {
    planes: &'p Planes,
    mixture: Mixture,
    rows: [Vec<u16>; 3],
    narrow: Vec<u16>,
}

impl<'p> RgbRows<'p> {
    pub(super) fn new(planes: &'p Planes, mixture: Mixture) -> RgbRows<'p> {
        let width = planes.size.0;
        // Grey pictures have neutral colour samples at every pixel.
        let grey = 1 << (planes.depth - 1);
        let rows = [vec![0; width], vec![grey; width], vec![grey; width]];
        RgbRows { planes, mixture, rows, narrow: vec![0; planes.chroma_size().0] }
    }

    /// Writes the row `y`, as many pixels as `to` has.
    pub(super) fn write(&mut self, y: usize, to: &mut [u8]) {
        let width = self.planes.size.0;
        self.planes.samples[0].row(y * width, &mut self.rows[0]);
        if let Some((right, down)) = self.planes.chroma {
            let start = (y >> down) * self.narrow.len();
            for plane in [1, 2] {
                let row = &mut self.rows[plane];
                if right == 0 {
                    self.planes.samples[plane].row(start, row);
                    continue;
                }
                self.planes.samples[plane].row(start, &mut self.narrow);
                twice(&self.narrow, row);
            }
        }
        let [y, cb, cr] = &self.rows;
        let pixels = to.as_chunks_mut::<3>().0;
        let blocks = y.chunks(BLOCK).zip(cb.chunks(BLOCK).zip(cr.chunks(BLOCK)));
        for (pixels, (y, (cb, cr))) in pixels.chunks_mut(BLOCK).zip(blocks) {
            let [red, green, blue] = &self.mixture.mix([y, cb, cr]);
            for (pixel, ((red, green), blue)) in
                pixels.iter_mut().zip(red.iter().zip(green).zip(blue))
            {
                *pixel = [*red, *green, *blue];
            }
        }
    }
}

/// Repeats each sample.
fn twice(samples: &[u16], to: &mut [u16]) {
    let (pairs, last) = to.as_chunks_mut::<2>();
    for (pair, &sample) in pairs.iter_mut().zip(samples) {
        *pair = [sample; 2];
    }
    if let ([last], Some(&sample)) = (last, samples.last()) {
        *last = sample;
    }
}

impl Mixture {
    /// Returns red, green and blue of a block of samples; values beyond the last sample are
    /// undefined.
    fn mix(&self, [y, cb, cr]: [&[u16]; 3]) -> [[u8; BLOCK]; 3] {
        let [mut y, mut cb, mut cr] = [y, cb, cr].map(|samples| {
            let mut block = [0.0; BLOCK];
            for (to, &from) in block.iter_mut().zip(samples) {
                *to = f32::from(from);
            }
            block
        });
        match *self {
            // Green, blue and red.
            Mixture::Direct { scale, black } => {
                for plane in [&mut y, &mut cb, &mut cr] {
                    for value in plane {
                        *value = (*value - black) * scale;
                    }
                }
                [cr, y, cb].map(whole)
            }
            Mixture::Mixed(factors) => {
                let mut red = [0.0; BLOCK];
                let mut green = [0.0; BLOCK];
                let mut blue = [0.0; BLOCK];
                for at in 0..BLOCK {
                    let bright = (y[at] - factors.black) * factors.brightness;
                    let cb = cb[at] - factors.grey;
                    let cr = cr[at] - factors.grey;
                    red[at] = bright + cr * factors.red;
                    green[at] = bright - cb * factors.green.0 - cr * factors.green.1;
                    blue[at] = bright + cb * factors.blue;
                }
                [red, green, blue].map(whole)
            }
        }
    }
}

/// Rounds values to integers from 0 to 255.
fn whole(values: [f32; BLOCK]) -> [u8; BLOCK] {
    /// Added to a number, this leaves no fraction, and the lowest bits of the sum are the number. A
    /// saturating conversion would keep the compiler from using wide registers.
    const NO_FRACTION: f32 = 8_388_608.0;
    values.map(|value| (value.clamp(0.0, 255.0) + NO_FRACTION).to_bits() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixed(full_range: bool, depth: u8, sample: [u16; 3]) -> [u8; 3] {
        // Weights of BT.601.
        let factors = Factors::new((0.299, 0.114), full_range, depth);
        let [y, cb, cr] = sample.map(|sample| [sample; BLOCK]);
        Mixture::Mixed(factors).mix([&y, &cb, &cr]).map(|plane| plane[BLOCK - 1])
    }

    /// Points of ITU-R BT.601 and of JPEG's conversion, which is its full range.
    #[test]
    fn known_colours_come_out() {
        for (full_range, depth, sample, colour) in [
            (true, 8, [0, 128, 128], [0, 0, 0]),
            (true, 8, [255, 128, 128], [255, 255, 255]),
            (true, 8, [76, 85, 255], [254, 0, 0]),
            (false, 8, [16, 128, 128], [0, 0, 0]),
            (false, 8, [235, 128, 128], [255, 255, 255]),
            (false, 8, [81, 90, 240], [254, 0, 0]),
            (false, 10, [64, 512, 512], [0, 0, 0]),
            (false, 10, [940, 512, 512], [255, 255, 255]),
            (true, 12, [2048, 2048, 2048], [128, 128, 128]),
            // Samples beyond black and white.
            (false, 8, [0, 128, 128], [0, 0, 0]),
            (false, 8, [255, 128, 128], [255, 255, 255]),
        ] {
            assert_eq!(mixed(full_range, depth, sample), colour, "{sample:?} of {depth} bits");
        }
    }
}
