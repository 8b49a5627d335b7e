//! Inputs of the detector: the whole photo at several sizes, and a part of it.
//!
//! Input: a photo. Output: pictures, and the mapping of their pixels to the photo's. Invariant:
//! `pyramid` in `scripts/vision/frontend.py` makes the same pictures.

use image::{RgbImage, imageops};
use tilesight_stills::resample::{Window, resize, shrink};
use tilesight_stills::{Area, Photo};

use crate::geometry::Point;

/// A part of the photo as the network sees it.
pub(super) struct View {
    pub(super) picture: RgbImage,
    /// Position of the view's top left corner in the photo.
    pub(super) origin: Point,
    /// Number of the photo's pixels along a pixel of the view, across and down.
    pub(super) step: Point,
}

impl View {
    /// Creates a view of a part of the photo at a scale.
    pub(super) fn part(photo: &Photo, part: Area, scale: f32) -> View {
        let Area { left, top, right, bottom } = part;
        let width = right - left;
        let height = bottom - top;
        let [small_width, small_height] =
            [width, height].map(|side| ((side as f32 * scale).round() as u32).max(1));
        let small = if scale <= 1.0 {
            let window = Window {
                left: f64::from(left),
                top: f64::from(top),
                width: f64::from(width),
                height: f64::from(height),
            };
            shrink(photo.image(), window, small_width, small_height)
        } else {
            let part = imageops::crop_imm(photo.image(), left, top, width, height).to_image();
            resize(&part, small_width, small_height)
        };
        View {
            origin: Point::new(left as f32, top as f32),
            step: Point::new(
                width as f32 / small.width() as f32,
                height as f32 / small.height() as f32,
            ),
            picture: small,
        }
    }

    /// Returns the number of the view's pixels along a pixel of the photo.
    pub(super) fn scale(&self) -> f32 {
        1.0 / self.step.x.max(self.step.y)
    }

    /// Converts a point of the view to the photo's pixels.
    pub(super) fn to_photo(&self, p: Point) -> Point {
        Point::new(self.origin.x + p.x * self.step.x, self.origin.y + p.y * self.step.y)
    }
}

/// Returns the photo scaled to each of these long sides, with the factor from the scaled pixels to
/// the photo's.
///
/// Each size is made from the previous one, so that every pixel of a large photo is read once.
#[must_use]
pub fn pyramid(photo: &Photo, long_sides: &[u32]) -> Vec<(RgbImage, Point)> {
    let (width, height) = photo.size();
    let max_side = width.max(height);
    let mut levels: Vec<(RgbImage, Point)> = Vec::new();
    for &long_side in long_sides {
        let new_width = rescale(width, max_side, long_side);
        let new_height = rescale(height, max_side, long_side);
        let last = levels.last().map_or(photo.image(), |(last, _)| last);
        let small = resize(last, new_width, new_height);
        let back = Point::new(width as f32 / new_width as f32, height as f32 / new_height as f32);
        levels.push((small, back));
    }
    levels
}

/// Returns a side of a photo with the longest side `from` that is scaled to the longest side `to`:
/// rounded to the nearest whole pixel, halves upwards, in integers. The Python version agrees
/// exactly.
fn rescale(side: u32, from: u32, to: u32) -> u32 {
    let doubled = 2 * u64::from(side) * u64::from(to) + u64::from(from);
    ((doubled / (2 * u64::from(from))) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_pixel_rounds_upwards() {
        let photo = Photo::from_rgb(RgbImage::new(1280, 721)).expect("large enough");
        let back: Vec<Point> =
            pyramid(&photo, &[640, 320]).into_iter().map(|(_, back)| back).collect();
        assert_eq!(back, [Point::new(2.0, 721.0 / 361.0), Point::new(4.0, 721.0 / 180.0)]);
    }
}
