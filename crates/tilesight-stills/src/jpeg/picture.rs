//! Conversion of rows of brightness and colour to a picture.
//!
//! Input: the planes of a [`Strip`], which is one row of units high. Output: an RGB [`Picture`] of
//! it. The formula is that of JFIF in integers, with libjpeg's rounding.

use super::header::{Colours, Frame};
use super::plan::ConversionPlan;

/// Pixels of a picture, row by row.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Picture {
    /// Width and height.
    pub(in super::super) size: (usize, usize),
    /// Red, green and blue of each pixel.
    pub(in super::super) pixels: Vec<u8>,
}

/// Samples of a row of units at the size at which they are decoded: all components have one sample
/// for each pixel.
pub(super) struct Strip {
    planes: Vec<Vec<u8>>,
    /// Number of units in the strip.
    pub(super) units: usize,
    /// Number of samples in a row.
    stride: usize,
    rows: usize,
}

impl Strip {
    /// Creates a strip of `units` units, for a picture reduced by `factor`.
    pub(super) fn new(frame: &Frame, factor: usize, units: usize) -> Strip {
        let (width, rows) = frame.unit_pixels(factor);
        let stride = units * width;
        Strip { planes: vec![vec![0; stride * rows]; frame.components.len()], units, stride, rows }
    }

    /// Returns the samples from the start of a component's block on, and the distance between its
    /// rows.
    #[inline(always)]
    pub(super) fn block(
        &mut self,
        component: usize,
        plan: &ConversionPlan,
        (x, y): (usize, usize),
    ) -> (&mut [u8], usize) {
        let from = y * plan.pixels.1 * self.stride + x * plan.pixels.0;
        (&mut self.planes[component][from..], self.stride)
    }

    /// Writes the pixels of a row, up to the length of `to`.
    fn write(&self, y: usize, colours: Colours, to: &mut [u8]) {
        let width = to.len() / 3;
        match colours {
            Colours::YCbCr => mix([0, 1, 2].map(|plane| self.row(plane, y, width)), to),
            Colours::Rgb => join([0, 1, 2].map(|plane| self.row(plane, y, width)), to),
            Colours::Grey => join([self.row(0, y, width); 3], to),
        }
    }

    /// Returns the first samples of a row of a plane.
    #[inline]
    fn row(&self, plane: usize, y: usize, width: usize) -> &[u8] {
        &self.planes[plane][y * self.stride..][..width]
    }
}

impl Picture {
    /// Creates a black picture.
    pub(super) fn new(size: (usize, usize)) -> Picture {
        Picture { size, pixels: vec![0; size.0 * size.1 * 3] }
    }

    /// Fills the picture with the pixels of a strip, as far as they fit.
    pub(super) fn fill(&mut self, strip: &Strip, colours: Colours) {
        for (y, to) in self.pixels.chunks_mut(self.size.0 * 3).enumerate() {
            strip.write(y, colours, to);
        }
    }
}

/// Rows of a picture, produced one row of units at a time.
pub(super) struct RowWriter {
    picture: Picture,
    /// Height of the whole picture.
    height: usize,
    colours: Colours,
}

impl RowWriter {
    pub(super) fn new((width, height): (usize, usize), colours: Colours) -> RowWriter {
        RowWriter { picture: Picture::new((width, 0)), height, colours }
    }

    /// Passes the rows of the row of units `at` to `write`, as far as the picture reaches.
    pub(super) fn write(
        &mut self,
        strip: &Strip,
        at: usize,
        write: &mut dyn FnMut(usize, &Picture),
    ) {
        let top = at * strip.rows;
        let rows = strip.rows.min(self.height - top);
        self.picture.size.1 = rows;
        self.picture.pixels.resize(rows * self.picture.size.0 * 3, 0);
        self.picture.fill(strip, self.colours);
        write(top, &self.picture);
    }
}

/// Number of pixels that are converted together.
const TOGETHER: usize = 32;

/// Converts a row from YCbCr to RGB.
fn mix([y, cb, cr]: [&[u8]; 3], to: &mut [u8]) {
    let samples = y.chunks(TOGETHER).zip(cb.chunks(TOGETHER).zip(cr.chunks(TOGETHER)));
    for (to, (y, (cb, cr))) in to.chunks_mut(3 * TOGETHER).zip(samples) {
        let [red, green, blue] = match (y.try_into(), cb.try_into(), cr.try_into()) {
            (Ok(y), Ok(cb), Ok(cr)) => mixed(y, cb, cr),
            _ => mixed(&padded(y), &padded(cb), &padded(cr)),
        };
        let width = y.len();
        join([&red[..width], &green[..width], &blue[..width]], to);
    }
}

fn padded(samples: &[u8]) -> [u8; TOGETHER] {
    let mut all = [0; TOGETHER];
    all[..samples.len()].copy_from_slice(samples);
    all
}

/// Returns the red, green and blue samples.
#[inline(always)]
fn mixed(y: &[u8; TOGETHER], cb: &[u8; TOGETHER], cr: &[u8; TOGETHER]) -> [[u8; TOGETHER]; 3] {
    let mut red = [0; TOGETHER];
    let mut green = [0; TOGETHER];
    let mut blue = [0; TOGETHER];
    for at in 0..TOGETHER {
        let y = i16::from(y[at]);
        let b = i16::from(cb[at]) - 128;
        let r = i16::from(cr[at]) - 128;
        // Whole parts are split off so that the factors fit into registers of 16-bit numbers.
        red[at] = byte(y + r + weigh(b, 0, r, 26_345));
        green[at] = byte(y - r + weigh(b, -22_554, r, 18_734));
        blue[at] = byte(y + 2 * b + weigh(b, -14_942, r, 0));
    }
    [red, green, blue]
}

/// Returns the sum of two colours by their factors, which are in parts of 65,536.
#[inline(always)]
fn weigh(b: i16, of_b: i16, r: i16, of_r: i16) -> i16 {
    let sum = i32::from(b) * i32::from(of_b) + i32::from(r) * i32::from(of_r);
    ((sum + 32_768) >> 16) as i16
}

#[inline(always)]
fn byte(value: i16) -> u8 {
    value.clamp(0, 255) as u8
}

/// Interleaves the colours of each pixel.
#[inline(always)]
fn join([red, green, blue]: [&[u8]; 3], to: &mut [u8]) {
    let (pixels, _) = to.as_chunks_mut::<3>();
    for (pixel, ((&red, &green), &blue)) in pixels.iter_mut().zip(red.iter().zip(green).zip(blue)) {
        *pixel = [red, green, blue];
    }
}
