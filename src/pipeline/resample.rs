//! Resamples pictures: area averages to shrink, bilinear interpolation for the rest.
//!
//! Input: an RGB picture. Output: an RGB picture. The networks were trained with pictures that
//! OpenCV made (`INTER_AREA` to shrink, `INTER_LINEAR` for the rest), so these are the same
//! operations: other filters change what a network answers. `scripts/vision/frontend.py` does the
//! same in Python, and `scripts/parity.py` compares both. Invariant: beyond its edges a picture
//! repeats its last pixels.

use std::ops::Range;

use image::{Rgb, RgbImage};

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
    RgbImage::from_fn(width, height, |x, y| sample(image, at(x, step_x), at(y, step_y)))
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

/// The colour at a place between pixels, whole numbers being the middles of pixels: bilinear.
#[must_use]
#[inline]
pub fn sample(image: &RgbImage, x: f32, y: f32) -> Rgb<u8> {
    // Rounds down without `floor`, which is a call. A whole number below 0 becomes one less with a
    // share of one, which gives the same colour.
    let below = |at: f32| at as i32 - i32::from(at < 0.0);
    let (left, top) = (below(x), below(y));
    let (right_share, lower_share) = (x - left as f32, y - top as f32);
    let (width, height) = (image.width() as i32, image.height() as i32);
    let at = |x: i32, y: i32| CHANNELS * (y * width + x) as usize;
    let pixels = image.as_raw();
    let [upper, lower]: [&[u8]; 2];
    let mut edge = [[0; 2 * CHANNELS]; 2];
    if (0..width - 1).contains(&left) && (0..height - 1).contains(&top) {
        [upper, lower] = [top, top + 1].map(|y| &pixels[at(left, y)..][..2 * CHANNELS]);
    } else {
        for (row, y) in edge.iter_mut().zip([top, top + 1]) {
            for (pixel, x) in row.chunks_exact_mut(CHANNELS).zip([left, left + 1]) {
                let there = at(x.clamp(0, width - 1), y.clamp(0, height - 1));
                pixel.copy_from_slice(&pixels[there..][..CHANNELS]);
            }
        }
        [upper, lower] = [&edge[0], &edge[1]];
    }
    let between = |line: &[u8], i: usize| {
        let (a, b) = (f32::from(line[i]), f32::from(line[i + CHANNELS]));
        a + right_share * (b - a)
    };
    let mut pixel = [0; CHANNELS];
    for (i, value) in pixel.iter_mut().enumerate() {
        let (above, below) = (between(upper, i), between(lower, i));
        *value = (above + lower_share * (below - above) + 0.5) as u8;
    }
    Rgb(pixel)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(sample(&image, x, 3.0).0[0], red, "at {x}");
        }
    }
}
