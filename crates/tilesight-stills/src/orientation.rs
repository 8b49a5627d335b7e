//! Turning of a photo upright, as a whole or piece by piece while it is written.
//!
//! Input: a picture as it is stored, or pieces of it. Output: the upright photo, or the same pieces
//! in their positions in it. Turning a picture of 12 megapixels at half size afterwards takes 6 ms
//! longer.

use image::metadata::Orientation;
use image::{DynamicImage, RgbImage, imageops};

use super::Area;
use super::jpeg::Picture;

/// Transformation of a stored picture to the upright one: rows become columns, then it is mirrored.
#[derive(Debug)]
pub(super) struct UprightTransform {
    is_transposed: bool,
    is_mirrored_across: bool,
    is_mirrored_down: bool,
    /// Width and height of the upright picture.
    pub(super) size: (u32, u32),
}

impl UprightTransform {
    pub(super) fn new(orientation: Orientation, size: (u32, u32)) -> UprightTransform {
        use Orientation::{
            FlipHorizontal, FlipVertical, NoTransforms, Rotate90, Rotate90FlipH, Rotate180,
            Rotate270, Rotate270FlipH,
        };
        let (is_transposed, is_mirrored_across, is_mirrored_down) = match orientation {
            NoTransforms => (false, false, false),
            FlipHorizontal => (false, true, false),
            FlipVertical => (false, false, true),
            Rotate180 => (false, true, true),
            Rotate90FlipH => (true, false, false),
            Rotate90 => (true, true, false),
            Rotate270 => (true, false, true),
            Rotate270FlipH => (true, true, true),
        };
        UprightTransform { is_transposed, is_mirrored_across, is_mirrored_down, size }
    }

    /// Returns the stored area that corresponds to an area of the upright photo, clipped to the
    /// photo.
    pub(super) fn to_stored(&self, area: Area) -> Area {
        let (width, height) = self.size;
        let mut across = (area.left.min(width), area.right.min(width));
        let mut down = (area.top.min(height), area.bottom.min(height));
        if self.is_mirrored_across {
            across = (width - across.1, width - across.0);
        }
        if self.is_mirrored_down {
            down = (height - down.1, height - down.0);
        }
        if self.is_transposed {
            (across, down) = (down, across);
        }
        Area { left: across.0, right: across.1, top: down.0, bottom: down.1 }
    }

    /// Writes a stored piece at its position in the upright photo.
    pub(super) fn write(&self, from: &Picture, place: (usize, usize), to: &mut RgbImage) {
        let width = self.size.0 as usize;
        let height = self.size.1 as usize;
        let (across, down) = from.size;
        let (left, top) = place;
        let (from, _) = from.pixels.as_chunks::<3>();
        let (to, _) = to.as_chunks_mut::<3>();
        // Row by row of the upright photo.
        if !self.is_transposed {
            let column = first_pixel(left, across, width, self.is_mirrored_across);
            for (y, from) in from.chunks(across).enumerate() {
                let row = first_pixel(top + y, 1, height, self.is_mirrored_down);
                let to = &mut to[row * width + column..][..across];
                to.copy_from_slice(from);
                if self.is_mirrored_across {
                    to.reverse();
                }
            }
            return;
        }
        let column = first_pixel(top, down, width, self.is_mirrored_across);
        for x in 0..across {
            let row = first_pixel(left + x, 1, height, self.is_mirrored_down);
            let to = &mut to[row * width + column..][..down];
            for (pixel, from) in to.iter_mut().zip(from[x..].iter().step_by(across)) {
                *pixel = *from;
            }
            if self.is_mirrored_across {
                to.reverse();
            }
        }
    }
}

/// Returns the first of `count` pixels of a side from `start` on, which may be mirrored.
#[inline]
fn first_pixel(start: usize, count: usize, side: usize, is_mirrored: bool) -> usize {
    if is_mirrored { side - start - count } else { start }
}

/// Turns a picture upright.
///
/// Quarter turns are transposed in blocks that fit into the cache, and then mirrored in place.
/// Doing it pixel by pixel, as `apply_orientation` does, took half as long again.
pub(super) fn turn_upright(mut image: RgbImage, orientation: Orientation) -> RgbImage {
    use Orientation::{Rotate90, Rotate270, Rotate270FlipH};
    if !swaps_sides(orientation) {
        let mut image = DynamicImage::ImageRgb8(image);
        image.apply_orientation(orientation);
        return image.into_rgb8();
    }
    image = transpose(&image);
    if matches!(orientation, Rotate90 | Rotate270FlipH) {
        imageops::flip_horizontal_in_place(&mut image);
    }
    if matches!(orientation, Rotate270 | Rotate270FlipH) {
        imageops::flip_vertical_in_place(&mut image);
    }
    image
}

/// Returns whether a picture's rows are columns of the upright one.
pub(super) fn swaps_sides(orientation: Orientation) -> bool {
    use Orientation::{Rotate90, Rotate90FlipH, Rotate270, Rotate270FlipH};
    matches!(orientation, Rotate90 | Rotate90FlipH | Rotate270 | Rotate270FlipH)
}

/// Returns a picture with its rows as columns.
fn transpose(image: &RgbImage) -> RgbImage {
    let (width, height) = image.dimensions();
    let mut turned = RgbImage::new(height, width);
    let (from, _) = image.as_raw().as_chunks::<3>();
    let (to, _) = turned.as_chunks_mut::<3>();
    transpose::transpose(from, to, width as usize, height as usize);
    turned
}
