//! Resampling of pictures: area averages to shrink, bilinear interpolation for everything else.
//!
//! Input: an RGB picture. Output: an RGB picture. The networks were trained with pictures that
//! OpenCV made (`INTER_AREA` to shrink, `INTER_LINEAR` for everything else), and other filters
//! change the results of a network, so this crate implements the same operations.
//! `scripts/vision/frontend.py` does the same in Python, and `scripts/parity.py` compares both.
//! Invariant: beyond its edges a picture repeats its last pixels.

use std::ops::Range;

use image::RgbImage;

/// Number of bytes of a pixel.
const CHANNELS: usize = 3;

/// A part of a picture, in pixels. Edges can lie within pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Position of the left edge.
    pub left: f64,
    /// Position of the upper edge.
    pub top: f64,
    /// Distance from the left to the right edge, above 0.
    pub width: f64,
    /// Distance from the upper to the lower edge, above 0.
    pub height: f64,
}

/// Returns the whole picture at another size: averaged over areas when it shrinks, interpolated
/// when it grows.
#[must_use]
pub fn resize(image: &RgbImage, width: u32, height: u32) -> RgbImage {
    let width = width.max(1);
    let height = height.max(1);
    let (old_width, old_height) = image.dimensions();
    if (width, height) == (old_width, old_height) {
        return image.clone();
    }
    let old_width = f64::from(old_width);
    let old_height = f64::from(old_height);
    if width <= image.width() && height <= image.height() {
        let whole = Window { left: 0.0, top: 0.0, width: old_width, height: old_height };
        return shrink(image, whole, width, height);
    }
    let step_x = old_width / f64::from(width);
    let step_y = old_height / f64::from(height);
    sample(image, [width, height], |y, right, down| {
        down.fill(old_position(y, step_y));
        (0..).zip(right).for_each(|(x, place)| *place = old_position(x, step_x));
    })
}

/// Returns the position of a new pixel in the old picture. Positions are centers of pixels, hence
/// the halves.
#[inline]
fn old_position(new: u32, step: f64) -> f32 {
    ((f64::from(new) + 0.5) * step - 0.5) as f32
}

/// Returns a window of a picture at a smaller size. Each new pixel is the mean of the area that it
/// covers; a pixel that is covered in part counts in part.
#[must_use]
pub fn shrink(image: &RgbImage, window: Window, width: u32, height: u32) -> RgbImage {
    let columns = covers(window.left, window.width, width, image.width());
    let rows = covers(window.top, window.height, height, image.height());
    let first = columns[0].first;
    let last = columns[columns.len() - 1].end();
    let stride = CHANNELS * image.width() as usize;
    let mut lines = LineSums::new(CHANNELS * (last - first));
    let length = CHANNELS * width as usize;
    let mut means = vec![0.0; length + 1];
    let mut pixels = vec![0; length * height as usize];
    for (row, new) in rows.iter().zip(pixels.chunks_exact_mut(length)) {
        lines.add_up(row, |y| &image.as_raw()[y * stride..][CHANNELS * first..CHANNELS * last]);
        average(&lines.sums, &columns, &mut means);
        for (value, &mean) in new.iter_mut().zip(&means) {
            *value = nearest(mean);
        }
    }
    RgbImage::from_raw(width, height, pixels).expect("three numbers for every pixel")
}

/// Weighted sums of lines.
struct LineSums {
    /// Sums, with one element more than a line: pixels are read in groups of four values.
    sums: Vec<f32>,
    /// Sums of the lines with equal weight, as 16-bit integers, so that a register holds many.
    whole: Vec<u16>,
}

/// Maximum number of byte values whose sum fits into 16 bits.
const MAX_WHOLE: usize = 257;

impl LineSums {
    fn new(length: usize) -> LineSums {
        LineSums { sums: vec![0.0; length + 1], whole: vec![0; length] }
    }

    /// Sums up the lines that a row covers.
    fn add_up<'a>(&mut self, row: &Cover, line: impl Fn(usize) -> &'a [u8]) {
        let [head, between, tail] = row.weights;
        let last = row.end() - 1;
        // A single line is also the last one, whose weight is then zero.
        self.add_whole(row.first + 1..last.min(row.first + 1 + MAX_WHOLE), &line);
        let ends = line(row.first).iter().zip(line(last));
        for ((sum, &whole), (&first, &last)) in self.sums.iter_mut().zip(&self.whole).zip(ends) {
            *sum = head * f32::from(first) + between * f32::from(whole) + tail * f32::from(last);
        }
        for from in (row.first + 1 + MAX_WHOLE..last).step_by(MAX_WHOLE) {
            self.add_whole(from..last.min(from + MAX_WHOLE), &line);
            for (sum, &whole) in self.sums.iter_mut().zip(&self.whole) {
                *sum += between * f32::from(whole);
            }
        }
    }

    /// Sums up at most [`MAX_WHOLE`] lines of equal weight, four at a time, so that the sums are
    /// read and written a quarter as often.
    fn add_whole<'a>(&mut self, mut lines: Range<usize>, line: &impl Fn(usize) -> &'a [u8]) {
        self.whole.fill(0);
        while lines.len() >= 4 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| line(lines.start + i));
            for ((((sum, &a), &b), &c), &d) in self.whole.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *sum += u16::from(a) + u16::from(b) + u16::from(c) + u16::from(d);
            }
            lines.start += 4;
        }
        for y in lines {
            for (sum, &value) in self.whole.iter_mut().zip(line(y)) {
                *sum += u16::from(value);
            }
        }
    }
}

/// Number of values that are summed together: the three of a pixel and the first of the next pixel,
/// because a register holds four. The fourth result is overwritten by the next pixel.
const TOGETHER: usize = CHANNELS + 1;

/// Computes the means of the columns of a line of sums. Both slices have room for one value more.
fn average(sums: &[f32], columns: &[Cover], means: &mut [f32]) {
    let first = columns[0].first;
    for (i, column) in columns.iter().enumerate() {
        let sums = &sums[CHANNELS * (column.first - first)..][..CHANNELS * column.count + 1];
        let head = &sums[..TOGETHER];
        let tail = &sums[sums.len() - TOGETHER..];
        let mut between = [0.0; TOGETHER];
        let mut at = CHANNELS;
        while at + TOGETHER < sums.len() {
            for (sum, value) in between.iter_mut().zip(&sums[at..at + TOGETHER]) {
                *sum += value;
            }
            at += CHANNELS;
        }
        let mean = &mut means[CHANNELS * i..][..TOGETHER];
        for n in 0..TOGETHER {
            let [at_head, at_between, at_tail] = column.weights;
            mean[n] = at_head * head[n] + at_between * between[n] + at_tail * tail[n];
        }
    }
}

/// Rounds a value between 0 and 255 to the nearest integer, halves upwards.
///
/// After 2 to the power of 23 is added, the integer part is in the lowest bits of the sum. A cast
/// is slower because it checks more.
fn nearest(value: f32) -> u8 {
    const WHOLE: f32 = (1 << 23) as f32;
    // The addition itself rounds halves to even.
    const HALF_UPWARDS: f32 = 1e-3;
    (value + HALF_UPWARDS + WHOLE).to_bits() as u8
}

/// The pixels of a line that a new pixel covers. The first and the last may be covered in part.
#[derive(Debug, Clone, PartialEq)]
struct Cover {
    first: usize,
    count: usize,
    /// Weights of the first pixel, of each pixel in between, and of the last pixel. They sum to
    /// one.
    weights: [f32; 3],
}

impl Cover {
    /// Returns the pixels between two positions of a line.
    fn new(from: f64, to: f64) -> Cover {
        let first = from.floor();
        let end = to.ceil().max(from.floor() + 1.0);
        let area = (to - from).max(1e-3);
        let weights = if end - first > 1.0 {
            [first + 1.0 - from, 1.0, to - (end - 1.0)].map(|part| (part / area) as f32)
        } else {
            [1.0, 0.0, 0.0]
        };
        Cover { first: first as usize, count: (end - first) as usize, weights }
    }

    fn end(&self) -> usize {
        self.first + self.count
    }
}

/// Returns the pixels that each of `count` new pixels covers, if these divide `length` pixels from
/// `start` on of a line with `limit` pixels.
fn covers(start: f64, length: f64, count: u32, limit: u32) -> Vec<Cover> {
    let step = length / f64::from(count);
    let limit = f64::from(limit);
    let bounds = (0..count).map(|i| {
        let from = without_rest(start + f64::from(i) * step).clamp(0.0, limit - 1.0);
        (from, without_rest(start + f64::from(i + 1) * step).clamp(from, limit))
    });
    bounds.map(|(from, to)| Cover::new(from, to)).collect()
}

/// Returns a position without a tiny part of a pixel, which is a rounding error.
fn without_rest(at: f64) -> f64 {
    if (at - at.round()).abs() < 1e-3 { at.round() } else { at }
}

/// Bilinear sampler of colors between pixels, in steps of a 256th of a pixel. Integers are the
/// centers of pixels.
struct Sampler<'a> {
    pixels: &'a [u8],
    /// Number of bytes of a line.
    stride: usize,
    /// Index of the last pixel of a line and of a column.
    last: [f32; 2],
    /// Steps right and down for each position of a line.
    steps: [Vec<i32>; 2],
}

/// Number of steps from one pixel to the next.
const STEPS: i32 = 256;

impl<'a> Sampler<'a> {
    /// Creates a sampler for a picture with at least two pixels each way. Smaller pictures have
    /// nothing to interpolate.
    fn new(image: &'a RgbImage) -> Option<Sampler<'a>> {
        let (width, height) = image.dimensions();
        let last = [width, height].map(|side| side.saturating_sub(1) as f32);
        let stride = CHANNELS * width as usize;
        (width > 1 && height > 1).then(|| Sampler {
            pixels: image.as_raw(),
            stride,
            last,
            steps: [Vec::new(), Vec::new()],
        })
    }

    /// Writes the colors at the positions of a line, right and down, into a line with room for one
    /// value more.
    fn write(&mut self, [right, down]: [&[f32]; 2], line: &mut [u8]) {
        // Positions beyond an edge are moved onto it.
        for ((steps, places), last) in self.steps.iter_mut().zip([right, down]).zip(self.last) {
            steps.clear();
            steps.extend(
                places.iter().map(|at| (at.max(0.0).min(last) * STEPS as f32 + 0.5) as i32),
            );
        }
        let [last_left, last_upper] = self.last.map(|last| last as i32 - 1);
        let places = self.steps[0].iter().zip(&self.steps[1]);
        for (i, (&x, &y)) in places.enumerate() {
            let left = (x / STEPS).min(last_left);
            let upper = (y / STEPS).min(last_upper);
            let at = upper as usize * self.stride + CHANNELS * left as usize;
            let right = (x - left * STEPS) as u16;
            let below = (y - upper * STEPS) as u16;
            let upper = across(&self.pixels[at..], right);
            // The slice starts one value early, because no value follows the last pixel.
            let lower = across(&self.pixels[at + self.stride - 1..], right);
            let line = &mut line[CHANNELS * i..][..TOGETHER];
            for n in 0..TOGETHER {
                line[n] = interpolate(upper[n], lower[(n + 1) % TOGETHER], below) as u8;
            }
        }
    }
}

/// Interpolates between a pixel and the next one, for the values from the start of the slice.
#[inline]
fn across(numbers: &[u8], share: u16) -> [u16; TOGETHER] {
    let left = &numbers[..TOGETHER];
    let right = &numbers[CHANNELS..CHANNELS + TOGETHER];
    let mut mixed = [0; TOGETHER];
    for n in 0..TOGETHER {
        mixed[n] = interpolate(u16::from(left[n]), u16::from(right[n]), share);
    }
    mixed
}

/// Interpolates between two bytes; `share` is the distance from the first, in 256ths.
#[inline]
fn interpolate(from: u16, to: u16, share: u16) -> u16 {
    (from * (STEPS as u16 - share) + to * share + STEPS as u16 / 2) / STEPS as u16
}

/// Returns a picture of colors at given positions of another one. `places` is called for each new
/// line and writes the positions of its pixels, right and down. Beyond its edges, the source
/// picture repeats its last pixels.
#[must_use]
pub fn sample(
    image: &RgbImage,
    [width, height]: [u32; 2],
    mut places: impl FnMut(u32, &mut [f32], &mut [f32]),
) -> RgbImage {
    let line = CHANNELS * width as usize;
    let mut pixels = vec![0; line * height as usize + 1];
    // A picture with one line or column is extended to two equal ones.
    let doubled;
    let sampler = match Sampler::new(image) {
        None => {
            let (old_width, old_height) = image.dimensions();
            let last_x = old_width.saturating_sub(1);
            let last_y = old_height.saturating_sub(1);
            doubled = RgbImage::from_fn(old_width.max(2), old_height.max(2), |x, y| {
                *image.get_pixel(x.min(last_x), y.min(last_y))
            });
            Sampler::new(&doubled)
        }
        sampler => sampler,
    };
    let mut right = vec![0.0; width as usize];
    let mut down = vec![0.0; width as usize];
    if let Some(mut sampler) = sampler {
        for y in 0..height {
            places(y, &mut right, &mut down);
            sampler.write([&right, &down], &mut pixels[y as usize * line..][..=line]);
        }
    }
    pixels.pop();
    RgbImage::from_raw(width, height, pixels).expect("three numbers for every pixel")
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    fn line(values: &[u8]) -> RgbImage {
        RgbImage::from_fn(values.len() as u32, 1, |x, _| Rgb([values[x as usize], 0, 255]))
    }

    fn reds(image: &RgbImage) -> Vec<u8> {
        image.pixels().map(|pixel| pixel.0[0]).collect()
    }

    #[test]
    fn pixels_count_by_the_area_that_is_covered() {
        let cases: [(&[u8], u32, &[u8]); 6] = [
            (&[10, 20, 30, 40], 2, &[15, 35]),
            (&[0, 30, 60], 2, &[10, 50]),
            (&[0, 30, 60, 90, 120], 2, &[24, 96]),
            (&[10, 20, 60], 1, &[30]),
            (&[7, 7, 7, 7, 7, 7, 7], 3, &[7, 7, 7]),
            (&[255; 9], 7, &[255; 7]),
        ];
        for (before, width, after) in cases {
            assert_eq!(reds(&resize(&line(before), width, 1)), after, "{before:?}");
        }
    }

    #[test]
    fn rows_are_averaged_like_columns() {
        let image = RgbImage::from_fn(3, 6, |x, y| Rgb([x as u8 * 40, y as u8 * 20, 9]));
        let small = resize(&image, 3, 2);
        assert_eq!(small.get_pixel(1, 1).0, [40, 80, 9]);
        assert_eq!(small.get_pixel(2, 0).0, [80, 20, 9]);
    }

    #[test]
    fn a_window_gives_its_part_of_the_whole() {
        let image = RgbImage::from_fn(70, 50, |x, y| Rgb([(x * y) as u8, (3 * x) as u8, y as u8]));
        let whole = resize(&image, 28, 20);
        let window = Window { left: 7.5, top: 5.0, width: 25.0, height: 12.5 };
        let part = shrink(&image, window, 10, 5);
        for (x, y, pixel) in part.enumerate_pixels() {
            assert_eq!(pixel, whole.get_pixel(x + 3, y + 2), "({x}, {y})");
        }
    }

    #[test]
    fn a_picture_grows_in_a_straight_line_between_middles() {
        assert_eq!(reds(&resize(&line(&[0, 100]), 4, 1)), [0, 25, 75, 100]);
    }

    #[test]
    fn places_of_pixels_have_their_colours() {
        let image = RgbImage::from_fn(3, 4, |x, y| Rgb([(40 * x) as u8, (60 * y) as u8, 7]));
        let same = sample(&image, [3, 4], |y, right, down| {
            down.fill(y as f32);
            (0..).zip(right).for_each(|(x, place)| *place = x as f32);
        });
        assert_eq!(same, image);
    }

    #[test]
    fn beyond_the_edge_the_last_pixels_repeat() {
        let image = line(&[10, 20]);
        let cases = [(-5.0, 10), (0.0, 10), (0.5, 15), (1.0, 20), (7.0, 20)];
        for (x, red) in cases {
            let found = sample(&image, [1, 1], |_, right, down| {
                right.fill(x);
                down.fill(3.0);
            });
            assert_eq!(reds(&found), [red], "at {x}");
        }
    }
}
