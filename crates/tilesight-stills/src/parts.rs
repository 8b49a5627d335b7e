//! Photo whose pixels are decoded when they are accessed.
//!
//! Input: the [`Detail`] of a large JPEG and the photo's orientation. Output: for any [`Area`] an
//! upright picture as large as the photo, in which at least that area is decoded. The rest is
//! black; memory that is never written costs nothing. Invariant: an area's pixels are those of the
//! photo decoded as a whole.

use std::sync::{Mutex, OnceLock, PoisonError};

use image::RgbImage;
use image::metadata::Orientation;

use super::Area;
use super::gamut::ToSrgb;
use super::jpeg::Detail;
use super::orientation::UprightTransform;

/// The parts of a photo.
pub(super) struct Parts {
    detail: Detail,
    transform: UprightTransform,
    canvas: Mutex<Canvas>,
    whole: OnceLock<RgbImage>,
}

/// Decoded pixels of a photo.
struct Canvas {
    /// Picture of the size of the upright photo.
    image: RgbImage,
    /// Whether each stretch is decoded, row by row as they are stored.
    is_there: Vec<bool>,
    /// Conversion of the stretches' colours, if they need one.
    to_srgb: Option<ToSrgb>,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").field("transform", &self.transform).finish_non_exhaustive()
    }
}

impl Parts {
    /// Prepares a photo of the given upright size.
    pub(super) fn new(
        detail: Detail,
        orientation: Orientation,
        size: (u32, u32),
        to_srgb: Option<ToSrgb>,
    ) -> Parts {
        let stretches = detail.stretches();
        let is_there = vec![false; stretches.0 * stretches.1];
        let canvas = Canvas { image: RgbImage::default(), is_there, to_srgb };
        let transform = UprightTransform::new(orientation, size);
        Parts { detail, transform, canvas: Mutex::new(canvas), whole: OnceLock::new() }
    }

    /// Returns width and height of the upright photo.
    pub(super) fn size(&self) -> (u32, u32) {
        self.transform.size
    }

    /// Calls `look` with a picture in which the area is decoded.
    pub(super) fn with_area<T>(&self, area: Area, look: impl FnOnce(&RgbImage) -> T) -> T {
        if let Some(whole) = self.whole.get() {
            return look(whole);
        }
        let mut canvas = self.canvas.lock().unwrap_or_else(PoisonError::into_inner);
        canvas.fill(area, &self.detail, &self.transform);
        look(&canvas.image)
    }

    /// Returns the whole photo.
    pub(super) fn whole(&self) -> &RgbImage {
        self.whole.get_or_init(|| {
            let mut canvas = self.canvas.lock().unwrap_or_else(PoisonError::into_inner);
            let (right, bottom) = self.size();
            canvas.fill(Area { left: 0, top: 0, right, bottom }, &self.detail, &self.transform);
            std::mem::take(&mut canvas.image)
        })
    }
}

impl Canvas {
    /// Decodes the stretches of an area that are not decoded yet.
    fn fill(&mut self, area: Area, detail: &Detail, transform: &UprightTransform) {
        if self.image.is_empty() {
            self.image = RgbImage::new(transform.size.0, transform.size.1);
        }
        let stored = transform.to_stored(area);
        let (width, height) = detail.stretch_size();
        let (across, down) = detail.stretches();
        for row in stored.top as usize / height..(stored.bottom as usize).div_ceil(height).min(down)
        {
            let columns = stored.left as usize / width..(stored.right as usize).div_ceil(width);
            for column in columns.start..columns.end.min(across) {
                let is_there = &mut self.is_there[row * across + column];
                if std::mem::replace(is_there, true) {
                    continue;
                }
                // The same bits were read when the photo was decoded at a reduced size, so they are
                // present and valid.
                if let Some(mut picture) = detail.stretch(column, row) {
                    if let Some(to_srgb) = &mut self.to_srgb {
                        to_srgb.apply(&mut picture.pixels);
                    }
                    transform.write(&picture, (column * width, row * height), &mut self.image);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jpeg::Jpeg;
    use crate::jpeg::tests::file;
    use crate::orientation::{swaps_sides, turn_upright};
    use crate::{DecodeLimits, Photo};

    fn parts(bytes: &[u8], orientation: Orientation) -> Parts {
        let jpeg = Jpeg::open(bytes).expect("it is known");
        let (width, height) = jpeg.size();
        let size = if swaps_sides(orientation) { (height, width) } else { (width, height) };
        let detail = jpeg.decode_reduced(2, &mut |_, _| {}).expect("it decodes");
        Parts::new(detail.expect("it is sequential"), orientation, size, None)
    }

    const FILES: [&str; 8] = [
        "sequential-420",
        "sequential-422",
        "sequential-440",
        "sequential-444",
        "sequential-grey",
        "sequential-rgb",
        "restart-420",
        "narrow-420",
    ];

    #[test]
    fn the_whole_is_what_the_image_library_shows() {
        for name in FILES {
            let bytes = file(name);
            let parts = parts(&bytes, Orientation::NoTransforms);
            let expected = Photo::decode(&bytes, &DecodeLimits::default()).expect("it decodes");
            assert_eq!(parts.whole().dimensions(), expected.size());
            let differences = parts.whole().iter().zip(expected.image().iter());
            let sum: u64 = differences.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
            let mean = sum as f64 / parts.whole().len() as f64;
            // Colours with fewer samples are enlarged in another way.
            assert!(mean < 1.5, "{name}: {mean}");
        }
    }

    #[test]
    fn an_area_is_a_part_of_the_whole_however_the_photo_is_turned() {
        let mut random = fastrand::Rng::with_seed(8);
        for orientation in (1..=8).filter_map(Orientation::from_exif) {
            for name in FILES {
                let bytes = file(name);
                let stored = parts(&bytes, Orientation::NoTransforms).whole().clone();
                let whole = turn_upright(stored, orientation);
                let parts = parts(&bytes, orientation);
                assert_eq!(parts.size(), whole.dimensions());
                for _ in 0..3 {
                    let (width, height) = whole.dimensions();
                    let (left, top) = (random.u32(..width), random.u32(..height));
                    let area = Area {
                        left,
                        top,
                        right: random.u32(left..width + 30) + 1,
                        bottom: (top + 7).min(height),
                    };
                    parts.with_area(area, |image| {
                        for y in area.top..area.bottom {
                            for x in area.left..area.right.min(width) {
                                let (found, expected) =
                                    (image.get_pixel(x, y), whole.get_pixel(x, y));
                                assert_eq!(found, expected, "{name} {orientation:?} {x} {y}");
                            }
                        }
                    });
                }
                assert!(*parts.whole() == whole, "{name} {orientation:?}");
                let pixel = parts
                    .with_area(Area { left: 0, top: 0, right: 1, bottom: 1 }, |image| {
                        *image.get_pixel(0, 0)
                    });
                assert_eq!(pixel, *whole.get_pixel(0, 0), "behind the whole");
            }
        }
    }

    #[test]
    fn areas_that_are_not_viewed_are_not_decoded() {
        let parts = parts(&file("sequential-444"), Orientation::NoTransforms);
        let area = Area { left: 70, top: 50, right: 71, bottom: 51 };
        parts.with_area(area, |image| {
            assert!(image.get_pixel(70, 50).0 != [0; 3]);
            assert_eq!(image.get_pixel(70, 10).0, [0; 3]);
            assert_eq!(image.get_pixel(10, 50).0, [0; 3]);
        });
    }
}
