//! Thumbnails of a set's faces: one JPEG, in which the faces lie in rows in the order of the set.
//!
//! Input: crops as the classifier gets them. Output: the JPEG, at the quality at which it fits into
//! a set's file; or the crops again. Invariant: a picture of another size than the number of faces
//! needs is refused before its pixels are decoded.

use image::imageops::{self, FilterType};
use image::{GenericImageView as _, RgbImage};
use tilesight_stills::{DecodeLimits, Photo, check_size, to_jpeg};

/// Width and height of a thumbnail.
pub(super) const SIZE: (u32, u32) = (64, 80);

/// Number of thumbnails in a row.
const COLUMNS: u32 = 8;

/// Qualities of the JPEG, best first. At 35 the faces of a set are still told apart; the size of
/// the picture is then a third of that at 85.
const QUALITIES: [u8; 5] = [85, 75, 65, 50, 35];

/// Writes thumbnails as a JPEG of at most `max_bytes` bytes, or the smallest one.
pub(super) fn to_picture(faces: &[RgbImage], max_bytes: usize) -> Vec<u8> {
    let (width, height) = picture_size(faces.len());
    let mut picture = RgbImage::new(width, height);
    for (at, face) in (0_u32..).zip(faces) {
        let scaled = if face.dimensions() == SIZE {
            face.clone()
        } else {
            imageops::resize(face, SIZE.0, SIZE.1, FilterType::Triangle)
        };
        let (x, y) = place_of(at);
        imageops::replace(&mut picture, &scaled, x.into(), y.into());
    }
    let mut written = Vec::new();
    for quality in QUALITIES {
        // A picture of 512 by at most 560 pixels has no reason to fail; without it the set has no
        // thumbnails, and is refused.
        written = to_jpeg(&picture, quality).unwrap_or_default();
        if written.len() <= max_bytes {
            break;
        }
    }
    written
}

/// Reads the thumbnails of so many faces; `None` if the picture has no room for them, or too much.
pub(super) fn from_picture(jpeg: &[u8], faces: usize) -> Option<Vec<RgbImage>> {
    let (width, height) = picture_size(faces);
    let pixels = u64::from(width) * u64::from(height);
    let limits = DecodeLimits { pixels, bytes: jpeg.len(), ..DecodeLimits::default() };
    if !jpeg.starts_with(b"\xff\xd8") || check_size(jpeg, &limits).is_err() {
        return None;
    }
    let picture = Photo::decode(jpeg, &limits).ok().filter(|it| it.size() == (width, height))?;
    let places = (0..u32::try_from(faces).ok()?).map(place_of);
    Some(places.map(|(x, y)| picture.image().view(x, y, SIZE.0, SIZE.1).to_image()).collect())
}

/// Returns the left and upper edge of a face in the picture.
fn place_of(face: u32) -> (u32, u32) {
    (face % COLUMNS * SIZE.0, face / COLUMNS * SIZE.1)
}

fn picture_size(faces: usize) -> (u32, u32) {
    let faces = u32::try_from(faces).unwrap_or(u32::MAX);
    (COLUMNS * SIZE.0, faces.div_ceil(COLUMNS).max(1).saturating_mul(SIZE.1))
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn faces_come_back_in_their_order() {
        let faces: Vec<RgbImage> =
            (0..11).map(|i| RgbImage::from_pixel(64, 80, Rgb([i * 20, 90, 200]))).collect();
        let picture = to_picture(&faces, 1 << 20);
        let again = from_picture(&picture, 11).expect("eleven");
        for (face, again) in faces.iter().zip(&again) {
            let (a, b) = (face.get_pixel(30, 40).0, again.get_pixel(30, 40).0);
            assert!(a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 4), "{a:?} {b:?}");
        }
        assert_eq!(from_picture(&picture, 17), None, "another number of rows");
        assert_eq!(from_picture(&picture[..picture.len() / 2], 11), None);
        assert_eq!(from_picture(b"GIF89a", 1), None);
    }
}
