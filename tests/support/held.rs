//! Pictures as cameras store them when held in one of the eight ways: turned or mirrored, with the
//! Exif orientation that reverses it.
#![allow(dead_code)] // Each test file uses its own part of this.

use image::codecs::png::PngEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ExtendedColorType, ImageEncoder, RgbImage};

/// Returns the pixels of an upright picture as they are stored with the orientation `value`, 1 to
/// 8.
pub(crate) fn stored(upright: &RgbImage, value: u8) -> DynamicImage {
    let inverse = match value {
        6 => Orientation::Rotate270,
        8 => Orientation::Rotate90,
        other => Orientation::from_exif(other).expect("1 to 8"),
    };
    let mut stored = DynamicImage::ImageRgb8(upright.clone());
    stored.apply_orientation(inverse);
    stored
}

/// Returns the smallest Exif block: one entry, the orientation.
pub(crate) fn exif(value: u8) -> Vec<u8> {
    let mut block = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    block.extend([value, 0, 0, 0, 0, 0, 0, 0]);
    block
}

/// Returns the stored pixels and the orientation as a PNG.
pub(crate) fn png(upright: &RgbImage, value: u8) -> Vec<u8> {
    let stored = stored(upright, value);
    let mut png = Vec::new();
    let mut encoder = PngEncoder::new(&mut png);
    encoder.set_exif_metadata(exif(value)).expect("PNG carries Exif");
    encoder
        .write_image(stored.as_bytes(), stored.width(), stored.height(), ExtendedColorType::Rgb8)
        .expect("encodes");
    png
}
