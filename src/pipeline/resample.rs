//! Resamples pictures: area averages to shrink, bilinear interpolation for the rest.
//!
//! Input: an RGB picture. Output: an RGB picture. The networks were trained with pictures that
//! OpenCV made (`INTER_AREA` to shrink, `INTER_LINEAR` for the rest), so these are the same
//! operations: other filters change what a network answers. `scripts/vision/frontend.py` does the
//! same in Python, and `scripts/parity.py` compares both. Invariant: beyond its edges a picture
//! repeats its last pixels.

use std::ops::Range;

use image::RgbImage;

/// Bytes of a pixel.
const CHANNELS: usize = 3;

/// A part of a picture, in its pixels; edges can be within pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// The left edge.
    pub left: f64,
    /// The upper edge.
    pub top: f64,
    /// From the left to the right edge, above 0.
    pub width: f64,
    /// From the upper to the lower edge, above 0.
    pub height: f64,
}

/// The whole picture at another size: averaged over areas when it shrinks, interpolated when it
/// grows.
#[must_use]
pub fn resize(image: &RgbImage, width: u32, height: u32) -> RgbImage {
    let (width, height) = (width.max(1), height.max(1));
    let (old_width, old_height) = image.dimensions();
    if (width, height) == (old_width, old_height) {
        return image.clone();
    }
    let (old_width, old_height) = (f64::from(old_width), f64::from(old_height));
    if width <= image.width() && height <= image.height() {
        let whole = Window { left: 0.0, top: 0.0, width: old_width, height: old_height };
        return shrink(image, whole, width, height);
    }
    let (step_x, step_y) = (old_width / f64::from(width), old_height / f64::from(height));
    // Pixels are squares whose middles are compared, hence the halves.
    let at = |new: u32, step: f64| ((f64::from(new) + 0.5) * step - 0.5) as f32;
    sample(image, [width, height], |y, right, down| {
        down.fill(at(y, step_y));
        (0..).zip(right).for_each(|(x, place)| *place = at(x, step_x));
    })
}

/// A window at a smaller size: each new pixel is the mean of the area that it covers, a pixel that
/// is covered in part counting in part.
#[must_use]
pub fn shrink(image: &RgbImage, window: Window, width: u32, height: u32) -> RgbImage {
    let columns = covers(window.left, window.width, width, image.width());
    let rows = covers(window.top, window.height, height, image.height());
    let (first, last) = (columns[0].first, columns[columns.len() - 1].end());
    let stride = CHANNELS * image.width() as usize;
    let mut lines = Lines::new(CHANNELS * (last - first));
    let mut pixels = Vec::with_capacity(CHANNELS * width as usize * height as usize);
    for row in &rows {
        let line = |y: usize| &image.as_raw()[y * stride..][CHANNELS * first..CHANNELS * last];
        lines.add_up(row, line);
        for column in &columns {
            pixels.extend_from_slice(&mean(&lines.sums, column, first));
        }
    }
    RgbImage::from_raw(width, height, pixels).expect("three numbers for every pixel")
}

/// Lines of numbers added up, each by its weight.
struct Lines {
    sums: Vec<f32>,
    /// Sums of the lines that count alike: whole numbers, of which a register holds the most.
    whole: Vec<u16>,
}

/// This many values of a byte can be added up in 16 bits.
const MAX_WHOLE: usize = 257;

impl Lines {
    fn new(length: usize) -> Lines {
        Lines { sums: vec![0.0; length], whole: vec![0; length] }
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

    /// Sums up lines that count alike, at most [`MAX_WHOLE`], four at a time: the sums are
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

/// The pixel whose columns are covered, from a line of sums that starts at the column `first`.
fn mean(sums: &[f32], column: &Cover, first: usize) -> [u8; CHANNELS] {
    let line = &sums[CHANNELS * (column.first - first)..CHANNELS * (column.end() - first)];
    let (head, rest) = line.split_at(CHANNELS);
    let (between, tail) = rest.split_at(rest.len().saturating_sub(CHANNELS));
    let [mut red, mut green, mut blue] = [0.0; CHANNELS];
    for values in between.chunks_exact(CHANNELS) {
        red += values[0];
        green += values[1];
        blue += values[2];
    }
    let weights = column.weights;
    let tail = if tail.is_empty() { [0.0; CHANNELS] } else { [tail[0], tail[1], tail[2]] };
    let mean = |channel: usize, whole: f32| {
        (weights[0] * head[channel] + weights[1] * whole + weights[2] * tail[channel] + 0.5) as u8
    };
    [mean(0, red), mean(1, green), mean(2, blue)]
}

/// The pixels of one line that a new pixel covers: some number of them, the first and the last
/// perhaps in part.
#[derive(Debug, Clone, PartialEq)]
struct Cover {
    first: usize,
    count: usize,
    /// What the first pixel, those between, and the last one count; they sum to one.
    weights: [f32; 3],
}

impl Cover {
    fn end(&self) -> usize {
        self.first + self.count
    }
}

/// How `count` new pixels cover the stretch of `length` pixels from `start` on, of `limit` pixels.
fn covers(start: f64, length: f64, count: u32, limit: u32) -> Vec<Cover> {
    let step = length / f64::from(count);
    // A part of a pixel too small to matter is rounding.
    let whole = |at: f64| if (at - at.round()).abs() < 1e-3 { at.round() } else { at };
    let limit = f64::from(limit);
    let cover = |i: u32| {
        let from = whole(start + f64::from(i) * step).clamp(0.0, limit - 1.0);
        let to = whole(start + f64::from(i + 1) * step).clamp(from, limit);
        let (first, end) = (from.floor(), to.ceil().max(from.floor() + 1.0));
        let area = (to - from).max(1e-3);
        let weights = if end - first > 1.0 {
            [first + 1.0 - from, 1.0, to - (end - 1.0)].map(|part| (part / area) as f32)
        } else {
            [1.0, 0.0, 0.0]
        };
        Cover { first: first as usize, count: (end - first) as usize, weights }
    };
    (0..count).map(cover).collect()
}

/// Colours at places between pixels, whole numbers being the middles of pixels: bilinear, in steps
/// of a 256th of a pixel.
struct Sampler<'a> {
    pixels: &'a [u8],
    /// Bytes of a line.
    stride: usize,
    /// The last pixel of a line and of a column.
    last: [f32; 2],
    /// Steps right and down of each place of a line.
    steps: [Vec<i32>; 2],
}

/// Steps from one pixel to the next.
const STEPS: i32 = 256;

impl<'a> Sampler<'a> {
    /// Of a picture with at least two pixels each way; others have nothing in between.
    fn of(image: &'a RgbImage) -> Option<Sampler<'a>> {
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

    /// Writes the colours at places of a line, right and down.
    fn write(&mut self, [right, down]: [&[f32]; 2], line: &mut [u8]) {
        // A place beyond the edge is on it, where the last pixel is.
        for ((steps, places), last) in self.steps.iter_mut().zip([right, down]).zip(self.last) {
            let step = |at: &f32| (at.max(0.0).min(last) * STEPS as f32 + 0.5) as i32;
            steps.clear();
            steps.extend(places.iter().map(step));
        }
        let [last_left, last_upper] = self.last.map(|last| last as i32 - 1);
        let places = self.steps[0].iter().zip(&self.steps[1]);
        for (pixel, (&x, &y)) in line.chunks_exact_mut(CHANNELS).zip(places) {
            let (left, upper) = ((x / STEPS).min(last_left), (y / STEPS).min(last_upper));
            let at = upper as usize * self.stride + CHANNELS * left as usize;
            let square = [at, at + self.stride].map(|at| &self.pixels[at..at + 2 * CHANNELS]);
            let share = |steps: i32, whole: i32| (steps - whole * STEPS) as u64;
            pixel.copy_from_slice(&between(square, share(x, left), share(y, upper)));
        }
    }
}

/// The colour between two by two pixels; shares are those of the right and of the lower ones, of
/// 256. Red, green and blue go through the sums together, in 16 bits each.
#[inline]
fn between([upper, lower]: [&[u8]; 2], right: u64, below: u64) -> [u8; CHANNELS] {
    const WHOLE: u64 = STEPS as u64;
    const HALVES: u64 = 0x0080_0080_0080;
    const COLOURS: u64 = 0x00ff_00ff_00ff;
    let spread = |pixel: &[u8]| {
        let [red, green, blue] = [0, 1, 2].map(|i| u64::from(pixel[i]));
        red | green << 16 | blue << 32
    };
    let across = |line: &[u8]| {
        let (left, last) = line.split_at(CHANNELS);
        (((WHOLE - right) * spread(left) + right * spread(last) + HALVES) >> 8) & COLOURS
    };
    let sum = (WHOLE - below) * across(upper) + below * across(lower) + HALVES;
    [(sum >> 8) as u8, (sum >> 24) as u8, (sum >> 40) as u8]
}

/// A picture of colours at places of another one: of each new line those of its pixels, right and
/// down, are asked for. Beyond its edges the other one repeats its last pixels.
#[must_use]
pub fn sample(
    image: &RgbImage,
    [width, height]: [u32; 2],
    mut places: impl FnMut(u32, &mut [f32], &mut [f32]),
) -> RgbImage {
    let line = CHANNELS * width as usize;
    let mut pixels = vec![0; line * height as usize];
    // A picture of one line or column is as wide as one of two that are equal.
    let doubled;
    let sampler = match Sampler::of(image) {
        None => {
            let last = |at: u32, side: u32| at.min(side.saturating_sub(1));
            let (old_width, old_height) = image.dimensions();
            doubled = RgbImage::from_fn(old_width.max(2), old_height.max(2), |x, y| {
                *image.get_pixel(last(x, old_width), last(y, old_height))
            });
            Sampler::of(&doubled)
        }
        sampler => sampler,
    };
    let (mut right, mut down) = (vec![0.0; width as usize], vec![0.0; width as usize]);
    if let Some(mut sampler) = sampler {
        for (y, line) in (0..height).zip(pixels.chunks_exact_mut(line.max(1))) {
            places(y, &mut right, &mut down);
            sampler.write([&right, &down], line);
        }
    }
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
