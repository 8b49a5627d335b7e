//! Decoding of a large JPEG at a half or a quarter of its size.
//!
//! Input: bytes that the survey accepted. Output: upright pixels in sRGB, and the factor by which
//! the photo is reduced. Invariant: if [`jpeg`](super::jpeg) does not support a file or finds an
//! error, the full decoder takes over, so that errors have the same words for every photo.

use image::RgbImage;
use image::metadata::Orientation;

use super::DecodeLimits;
use super::ReduceParams;
use super::colour::Colour;
use super::gamut::ToSrgb;
use super::jpeg::Jpeg;
use super::orientation::{UprightTransform, swaps_sides};
use super::parts::Parts;

const PARAMS: ReduceParams = ReduceParams::DEFAULT;

/// A photo at a reduced size.
pub(super) struct ReducedPhoto {
    pub(super) image: RgbImage,
    /// Width and height of the upright photo.
    pub(super) size: (u32, u32),
    /// Number of the photo's pixels along one side of a pixel of the image.
    pub(super) factor: u32,
    /// Access to the pixels at full size, if the file allows partial decoding.
    pub(super) parts: Option<Parts>,
}

/// Decodes a JPEG that is large enough to be examined at a reduced size; `None` for all others.
pub(super) fn decode_reduced(
    bytes: &[u8],
    colour: &Colour<'_>,
    limits: &DecodeLimits,
) -> Option<ReducedPhoto> {
    let jpeg = Jpeg::open(bytes)?;
    let (width, height) = jpeg.size();
    decode_jpeg(jpeg, factor(width.max(height))?, colour, limits)
}

/// Decodes a JPEG reduced by a factor of 2 or 4; `None` for files that the full decoder must
/// handle.
pub(super) fn decode_reduced_by(
    factor: u32,
    bytes: &[u8],
    colour: &Colour<'_>,
    limits: &DecodeLimits,
) -> Option<ReducedPhoto> {
    decode_jpeg(Jpeg::open(bytes)?, factor, colour, limits)
}

fn decode_jpeg(
    jpeg: Jpeg<'_>,
    factor: u32,
    colour: &Colour<'_>,
    limits: &DecodeLimits,
) -> Option<ReducedPhoto> {
    let (width, height) = jpeg.size();
    if u64::from(width) * u64::from(height) > limits.pixels {
        return None;
    }
    let orientation =
        jpeg.exif().and_then(Orientation::from_exif_chunk).unwrap_or(Orientation::NoTransforms);
    let size = if swaps_sides(orientation) { (height, width) } else { (width, height) };
    let transform =
        UprightTransform::new(orientation, (size.0.div_ceil(factor), size.1.div_ceil(factor)));
    let mut image = RgbImage::new(transform.size.0, transform.size.1);
    let detail = jpeg.decode_reduced(factor as usize, &mut |top, rows| {
        transform.write(rows, (0, top), &mut image);
    })?;
    let mut to_srgb = ToSrgb::new(colour, None);
    if let Some(to_srgb) = &mut to_srgb {
        to_srgb.apply(&mut image);
    }
    let parts = detail.map(|detail| Parts::new(detail, orientation, size, to_srgb));
    Some(ReducedPhoto { image, size, factor, parts })
}

/// Returns the largest factor by which a photo with this longer side can be reduced.
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

    /// Decodes a file without colour information.
    fn decode_reduced(bytes: &[u8], limits: &DecodeLimits) -> Option<ReducedPhoto> {
        super::decode_reduced(bytes, &Colour::default(), limits)
    }

    fn limits() -> DecodeLimits {
        DecodeLimits::default()
    }

    /// Returns the mean difference of two pictures, in levels.
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
            let part = decode_reduced(&bytes, &limits()).expect("it is large");
            let whole = Photo::decode(&bytes, &limits()).expect("it decodes");
            assert_eq!((part.factor, part.size), (2, whole.size()), "{exif:?}");
            let (width, height) = part.image.dimensions();
            let small = resize(whole.image(), width, height);
            assert!(difference(&part.image, &small) < 3.0, "{exif:?}");
        }
    }

    #[test]
    fn small_broken_and_too_large_files_are_left_to_the_full_decoder() {
        let large = jpeg(&DynamicImage::from(soft_stripes()), None);
        let small = jpeg(&DynamicImage::from(RgbImage::new(1280, 960)), None);
        let few = DecodeLimits { pixels: 1000, ..limits() };
        assert!(decode_reduced(&small, &limits()).is_none());
        assert!(decode_reduced(&large[..large.len() / 8], &limits()).is_none());
        assert!(decode_reduced(&large, &few).is_none());
        assert!(decode_reduced(b"no picture", &limits()).is_none());
    }
}
