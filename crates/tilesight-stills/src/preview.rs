//! A photo as a small upright JPEG, for browsers that can't show the file itself.
//!
//! Input: the bytes of a photo in any format that the reader supports. Output: a JPEG of at most
//! 2,000 pixels on its longer side, without metadata. No tiles are detected.

use image::RgbImage;
use image::codecs::jpeg::JpegEncoder;

use super::resample::resize;
use super::{DecodeError, DecodeLimits, PhotoInPart};

/// Maximum length of the longer side. The page shrinks photos to the same size before they are
/// read.
const LONG_SIDE: u32 = 2000;
/// JPEG quality. The page compresses once more, so little may be lost here.
const QUALITY: u8 = 92;

/// Converts a photo to a JPEG that every browser shows.
///
/// # Errors
/// [`DecodeError`] if the photo can't be read.
pub fn jpeg_preview(bytes: &[u8], limits: &DecodeLimits) -> Result<Vec<u8>, DecodeError> {
    let PhotoInPart { photo, .. } = PhotoInPart::decode(bytes, limits)?;
    let (width, height) = photo.size();
    let longer = width.max(height);
    if longer <= LONG_SIDE {
        return to_jpeg(photo.image(), QUALITY);
    }
    let [width, height] = [width, height].map(|side| {
        let side = u64::from(side) * u64::from(LONG_SIDE) / u64::from(longer);
        u32::try_from(side).unwrap_or(LONG_SIDE).max(1)
    });
    to_jpeg(&resize(photo.image(), width, height), QUALITY)
}

/// Writes a picture as JPEG, at a quality from 1 to 100.
///
/// # Errors
/// [`DecodeError::Broken`] if a side has more pixels than a JPEG can have.
pub fn to_jpeg(image: &RgbImage, quality: u8) -> Result<Vec<u8>, DecodeError> {
    let mut jpeg = Vec::new();
    let written = image.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, quality));
    written.map_err(|_| DecodeError::Broken("it can't be written as JPEG".to_owned()))?;
    Ok(jpeg)
}

#[cfg(test)]
mod tests {
    use image::ImageFormat;

    use super::*;

    #[test]
    fn a_large_photo_is_shrunk() {
        let mut png = std::io::Cursor::new(Vec::new());
        let image = image::DynamicImage::new_rgb8(3000, 1500);
        image.write_to(&mut png, ImageFormat::Png).expect("encodes");
        let jpeg = jpeg_preview(png.get_ref(), &DecodeLimits::default()).expect("a photo");
        let jpeg = image::load_from_memory(&jpeg).expect("a JPEG");
        assert_eq!((jpeg.width(), jpeg.height()), (2000, 1000));
    }
}
