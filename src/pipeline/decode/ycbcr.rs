//! From planes of brightness and colour to rows of RGB.
//!
//! Input: [`Planes`] of 8 to 16 bits, with colour at full, half or quarter resolution. Output:
//! 8-bit RGB. The arithmetic is that of ITU-T H.273 in whole numbers, rounded once, at the end.
//! Where colour has fewer samples each is repeated: networks see tiles at a fraction of their size.

use super::DecodeError;
use super::coded::Planes;
use super::heif::{CodePoints, Still};

/// Bits behind the point of the factors.
const POINT: u8 = 13;

/// How the samples of a picture become colours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mixture {
    /// The planes are green, blue and red.
    Direct { scale: f64, black: i32 },
    /// Factors of brightness and of the two colours.
    Mixed(Factors),
}

/// Factors with [`POINT`] bits behind the point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Factors {
    black: i32,
    grey: i32,
    brightness: i32,
    red: i32,
    green: (i32, i32),
    blue: i32,
    shift: u8,
}

impl Mixture {
    /// The mixture that code points name, for samples of so many bits.
    pub(super) fn of(
        still: &Still<'_>,
        points: CodePoints,
        planes: &Planes,
    ) -> Result<Mixture, DecodeError> {
        let depth = planes.depth;
        let (black, brightness, colour) = ranges(points.full_range, depth);
        // The weights of red and blue in brightness.
        let (red, blue) = match points.matrix {
            0 if planes.chroma == Some((0, 0)) => {
                return Ok(Mixture::Direct { scale: 255.0 / brightness, black });
            }
            1 => (0.2126, 0.0722),
            // Unspecified is what still pictures have used since JPEG.
            2 | 5 | 6 => (0.299, 0.114),
            4 => (0.30, 0.11),
            7 => (0.212, 0.087),
            9 => (0.2627, 0.0593),
            matrix => return Err(still.unsupported(format!("the colour matrix {matrix}"))),
        };
        let green = 1.0 - red - blue;
        let whole = f64::from(1_u32 << POINT) * 255.0;
        // Samples of more bits are larger; the sum is shifted back in the end.
        let more = f64::from(1_u32 << (depth - 8));
        let factor = |weight: f64| (whole * weight * more).round() as i32;
        Ok(Mixture::Mixed(Factors {
            black,
            grey: 1 << (depth - 1),
            brightness: factor(1.0 / brightness),
            red: factor(2.0 * (1.0 - red) / colour),
            green: (
                factor(2.0 * blue * (1.0 - blue) / green / colour),
                factor(2.0 * red * (1.0 - red) / green / colour),
            ),
            blue: factor(2.0 * (1.0 - blue) / colour),
            shift: POINT + depth - 8,
        }))
    }
}

/// The sample of black, and how many steps there are in brightness and in each colour.
fn ranges(full_range: bool, depth: u8) -> (i32, f64, f64) {
    let more = f64::from(1_u32 << (depth - 8));
    if full_range {
        let steps = f64::from((1_u32 << depth) - 1);
        (0, steps, steps)
    } else {
        (16 << (depth - 8), 219.0 * more, 224.0 * more)
    }
}

/// A picture's rows, one after the other.
#[derive(Debug)]
pub(super) struct Rows<'p> {
    planes: &'p Planes,
    mixture: Mixture,
    rows: [Vec<u16>; 3],
    narrow: Vec<u16>,
}

impl<'p> Rows<'p> {
    pub(super) fn of(planes: &'p Planes, mixture: Mixture) -> Rows<'p> {
        let width = planes.size.0;
        // Grey pictures have no colours at every pixel.
        let grey = 1 << (planes.depth - 1);
        let rows = [vec![0; width], vec![grey; width], vec![grey; width]];
        Rows { planes, mixture, rows, narrow: vec![0; planes.chroma_size().0] }
    }

    /// Writes the row `y` to as many pixels as `to` has.
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
                for (pair, &sample) in row.chunks_mut(2).zip(&self.narrow) {
                    pair.fill(sample);
                }
            }
        }
        let [brightness, blue, red] = &self.rows;
        let pixels = to.as_chunks_mut::<3>().0.iter_mut();
        let samples = brightness.iter().zip(blue.iter().zip(red));
        match self.mixture {
            Mixture::Direct { scale, black } => {
                let value =
                    |sample: u16| (f64::from(i32::from(sample) - black) * scale).round() as u8;
                for (pixel, (&green, (&blue, &red))) in pixels.zip(samples) {
                    *pixel = [value(red), value(green), value(blue)];
                }
            }
            Mixture::Mixed(factors) => {
                for (pixel, (&y, (&cb, &cr))) in pixels.zip(samples) {
                    *pixel = factors.mix(y, cb, cr);
                }
            }
        }
    }
}

impl Factors {
    /// The colour of one pixel.
    fn mix(&self, y: u16, cb: u16, cr: u16) -> [u8; 3] {
        let half = 1 << (self.shift - 1);
        let bright = (i32::from(y) - self.black) * self.brightness + half;
        let (cb, cr) = (i32::from(cb) - self.grey, i32::from(cr) - self.grey);
        let red = bright + cr * self.red;
        let green = bright - cb * self.green.0 - cr * self.green.1;
        let blue = bright + cb * self.blue;
        [red, green, blue].map(|sum| (sum >> self.shift).clamp(0, 255) as u8)
    }
}
