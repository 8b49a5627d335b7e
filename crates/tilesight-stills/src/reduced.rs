//! Decodes a large JPEG at a half or a quarter of its size.
//!
//! Input: bytes that the survey accepted. Output: upright pixels, and how many of the photo's
//! pixels each side of one stands for. Invariant: whatever [`jpeg`](super::jpeg) can't do, or finds
//! wrong, is left to the full decoder, which says what is wrong in the same words for every photo.

use image::RgbImage;
use image::metadata::Orientation;

use super::ReduceParams;
use super::jpeg::Jpeg;
use super::parts::Parts;
use super::turn::Turn;
use super::{DecodeLimits, is_turned};

const PARAMS: ReduceParams = ReduceParams::DEFAULT;

/// A photo at a part of its size.
pub(super) struct Reduced {
    pub(super) image: RgbImage,
    /// Width and height of the upright photo.
    pub(super) size: (u32, u32),
    /// Pixels of the photo along a side of one of the image's.
    pub(super) factor: u32,
    /// What leads to its pixels at full size, where the file has such.
    pub(super) parts: Option<Parts>,
}

/// The pixels of a JPEG that is large enough to be looked at in part; `None` for every other one.
pub(super) fn reduced(bytes: &[u8], limits: &DecodeLimits) -> Option<Reduced> {
    let jpeg = Jpeg::open(bytes)?;
    let (width, height) = jpeg.size();
    decoded(jpeg, factor(width.max(height))?, limits)
}

/// The pixels of a JPEG by a factor of 2 or 4; `None` where that is left to the full decoder.
pub(super) fn reduced_by(factor: u32, bytes: &[u8], limits: &DecodeLimits) -> Option<Reduced> {
    decoded(Jpeg::open(bytes)?, factor, limits)
}

fn decoded(jpeg: Jpeg<'_>, factor: u32, limits: &DecodeLimits) -> Option<Reduced> {
    let (width, height) = jpeg.size();
    if u64::from(width) * u64::from(height) > limits.pixels {
        return None;
    }
    let orientation = jpeg.exif().and_then(Orientation::from_exif_chunk);
    let orientation = orientation.unwrap_or(Orientation::NoTransforms);
    let size = if is_turned(orientation) { (height, width) } else { (width, height) };
    let turn = Turn::of(orientation, (size.0.div_ceil(factor), size.1.div_ceil(factor)));
    let mut image = RgbImage::new(turn.size.0, turn.size.1);
    let detail =
        jpeg.reduced(factor as usize, &mut |top, rows| turn.write(rows, (0, top), &mut image))?;
    let parts = detail.map(|detail| Parts::of(detail, orientation, size));
    Some(Reduced { image, size, factor, parts })
}

/// The most that a photo of this longer side can be reduced by.
fn factor(long_side: u32) -> Option<u32> {
    [4, 2].into_iter().find(|factor| long_side / factor >= PARAMS.min_long_side)
}

#[cfg(test)]
mod tests {
    use crate::resample::resize;
    use image::codecs::jpeg::JpegEncoder;
    use image::{DynamicImage, ExtendedColorType, ImageEncoder};

    use super::*;
    use crate::Photo;

    const WIDE: u32 = 3845;
    const HIGH: u32 = 243;

    fn soft_stripes() -> RgbImage {
        let wave = |at: u32, length: f32| ((at as f32 / length).sin() * 100.0 + 128.0) as u8;
        RgbImage::from_fn(WIDE, HIGH, |x, y| {
            image::Rgb([wave(x, 19.0), wave(y, 23.0), wave(x + y, 31.0)])
        })
    }

    fn jpeg(picture: &DynamicImage, exif: Option<u8>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 92);
        if let Some(orientation) = exif {
            let mut block = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
            block.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
            encoder.set_exif_metadata(block).expect("it carries Exif");
        }
        let colour = match picture {
            DynamicImage::ImageLuma8(_) => ExtendedColorType::L8,
            _ => ExtendedColorType::Rgb8,
        };
        encoder
            .write_image(picture.as_bytes(), picture.width(), picture.height(), colour)
            .expect("it encodes");
        bytes
    }

    fn limits() -> DecodeLimits {
        DecodeLimits::default()
    }

    /// The mean difference of two pictures, in levels.
    fn difference(a: &RgbImage, b: &RgbImage) -> f32 {
        assert_eq!(a.dimensions(), b.dimensions());
        let sum: u64 = a.iter().zip(b.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        sum as f32 / a.len() as f32
    }

    #[test]
    fn it_shows_what_the_whole_photo_shows() {
        let colour = DynamicImage::from(soft_stripes());
        let grey = DynamicImage::from(colour.to_luma8());
        for (picture, exif) in
            [(&colour, None), (&colour, Some(6)), (&colour, Some(3)), (&grey, None)]
        {
            let bytes = jpeg(picture, exif);
            let part = reduced(&bytes, &limits()).expect("it is large");
            let whole = Photo::decode(&bytes, &limits()).expect("it decodes");
            assert_eq!((part.factor, part.size), (2, whole.size()), "{exif:?}");
            let (width, height) = part.image.dimensions();
            let small = resize(whole.image(), width, height);
            assert!(difference(&part.image, &small) < 3.0, "{exif:?}");
        }
    }

    #[test]
    fn what_is_small_broken_or_too_large_is_left_to_the_full_decoder() {
        let large = jpeg(&DynamicImage::from(soft_stripes()), None);
        let small = jpeg(&DynamicImage::from(RgbImage::new(1280, 960)), None);
        let few = DecodeLimits { pixels: 1000, ..limits() };
        assert!(reduced(&small, &limits()).is_none());
        assert!(reduced(&large[..large.len() / 8], &limits()).is_none());
        assert!(reduced(&large, &few).is_none());
        assert!(reduced(b"no picture", &limits()).is_none());
    }
}
