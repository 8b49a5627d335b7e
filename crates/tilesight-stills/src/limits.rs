//! Limits on a photo, and the checks of what a picture's header claims, made before anything is
//! decoded: its sides, its pixels, and whether the number of coded bytes is plausible for them.
//!
//! Input: width and height, and the number of bytes that code the pixels. Output: nothing, or a
//! [`DecodeError`]. Decoding 49 megapixels took 2.9 s of a core, whether the file had 996 bytes or
//! twenty million. Invariant: no photo that a camera or an encoder wrote is refused. Claims that a
//! format rules out make a file broken; for claims that a format allows, the limit was measured.

use super::DecodeError;
use super::error::cut_short;

/// Limits on a photo, checked before it is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeLimits {
    /// Maximum size of the file in bytes.
    pub bytes: usize,
    /// Maximum number of pixels of the picture.
    pub pixels: u64,
    /// Maximum number of scans of a JPEG: a 60 KB file with 5,000 scans kept a decoder busy for up
    /// to 10 s.
    pub scans: usize,
    /// Maximum total size of profiles, Exif blocks, comments and similar metadata, in bytes.
    pub metadata: usize,
    /// Maximum number of boxes, items and grid cells of a HEIC or AVIF. A phone's photo of 48
    /// megapixels has 200 cells and some 1,700 entries that describe them.
    pub parts: usize,
}

impl Default for DecodeLimits {
    fn default() -> DecodeLimits {
        DecodeLimits {
            bytes: 20_000_000,
            pixels: 50_000_000,
            scans: 64,
            metadata: 2 << 20,
            parts: 8192,
        }
    }
}

/// Minimum length of a photo's shorter side: below it no tile has the 16 pixels that the detector
/// needs.
pub(super) const MIN_SIDE: u32 = 16;

/// Maximum number of pixels along a side: the most that a JPEG can have. No camera writes longer
/// pictures in other formats, and a picture of 1 x 50,000,000 pixels took 1.2 s before it was
/// refused.
const MAX_SIDE: u32 = 65_535;

/// Number of pixels of a WebP, HEIC or AVIF that are accepted regardless of the number of bytes: a
/// phone's usual 12 megapixels plus a margin. Decoding them costs no more than decoding an ordinary
/// photo.
const MAX_FREE_PIXELS: u64 = 16_000_000;

/// Maximum number of further pixels per coded byte. Measured on 49 megapixels (libaom, x265 and
/// libwebp, 2026-11-25): a photo of a hand has 1,577 pixels a byte in AVIF at the worst quality,
/// and the maximum in HEIC is 4,238, for a white picture. Noise in the dark has 9,249 in AVIF at a
/// usual quality, which fits thanks to the free pixels. A flat AVIF has 44,000 and a flat lossless
/// WebP a million: only empty pictures reach such ratios, and up to 12 megapixels even they are
/// accepted.
const MAX_PIXELS_PER_BYTE: u64 = 8192;

/// Maximum number of pixels per byte of a JPEG: a block of 64 pixels takes at least one bit for its
/// mean, and with unusual sampling there may be only a quarter of the blocks.
const MAX_JPEG_PIXELS_PER_BYTE: u64 = 64 * 8 * 4;

/// Maximum ratio by which a PNG's compressed data expands, by the format.
const MAX_INFLATED: u64 = 1032;

/// Checks the sides and the pixels of a picture.
pub(super) fn check_sides(
    (width, height): (u32, u32),
    limits: &DecodeLimits,
) -> Result<(), DecodeError> {
    if u64::from(width) * u64::from(height) > limits.pixels {
        return Err(DecodeError::TooManyPixels { width, height, limit: limits.pixels });
    }
    if width.min(height) < MIN_SIDE {
        return Err(DecodeError::TooSmall { width, height });
    }
    if width.max(height) > MAX_SIDE {
        return Err(DecodeError::TooLong { width, height, limit: MAX_SIDE });
    }
    Ok(())
}

/// Checks that the bytes of a JPEG can hold its blocks.
pub(super) fn check_jpeg((width, height): (u32, u32), bytes: usize) -> Result<(), DecodeError> {
    let max_pixels = (bytes as u64).saturating_mul(MAX_JPEG_PIXELS_PER_BYTE);
    if u64::from(width) * u64::from(height) > max_pixels { Err(cut_short()) } else { Ok(()) }
}

/// Checks that the compressed data of a PNG can be unpacked to its rows.
pub(super) fn check_png(header: &PngHeader, packed: usize) -> Result<(), DecodeError> {
    let bits = u64::from(header.width) * header.samples() * u64::from(header.depth);
    let rows = u64::from(header.height).saturating_mul(bits.div_ceil(8));
    let max_rows = (packed as u64).saturating_mul(MAX_INFLATED);
    if rows > max_rows { Err(cut_short()) } else { Ok(()) }
}

/// Checks that a WebP, HEIC or AVIF has at least the bytes that a photo of this size needs.
pub(super) fn check_plausible(
    (width, height): (u32, u32),
    decoded: u64,
    bytes: usize,
) -> Result<(), DecodeError> {
    let max_pixels =
        (bytes as u64).saturating_mul(MAX_PIXELS_PER_BYTE).saturating_add(MAX_FREE_PIXELS);
    if decoded > max_pixels {
        return Err(DecodeError::Implausible { width, height, bytes });
    }
    Ok(())
}

/// Header of a PNG.
#[derive(Debug, Clone, Copy)]
pub(super) struct PngHeader {
    pub(super) width: u32,
    pub(super) height: u32,
    depth: u8,
    colour: u8,
}

impl PngHeader {
    /// Parses the header in an `IHDR` chunk.
    pub(super) fn parse(data: &[u8]) -> Option<PngHeader> {
        let number = |at: usize| Some(u32::from_be_bytes(*data.get(at..)?.first_chunk()?));
        let (width, height) = (number(0)?, number(4)?);
        Some(PngHeader { width, height, depth: *data.get(8)?, colour: *data.get(9)? })
    }

    /// Returns the number of samples of a pixel.
    fn samples(&self) -> u64 {
        match self.colour {
            2 => 3,
            4 => 2,
            6 => 4,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_checked_before_the_decoder() {
        let limits = DecodeLimits::default();
        let error = |size| check_sides(size, &limits).expect_err("it is refused");
        assert!(matches!(error((1, 50_000_000)), DecodeError::TooSmall { .. }));
        assert!(matches!(error((16, 3_000_000)), DecodeError::TooLong { .. }));
        assert!(matches!(error((8_000, 6_251)), DecodeError::TooManyPixels { .. }));
        for size in [(16, 65_535), (8_000, 6_250), (4_032, 3_024)] {
            assert_eq!(check_sides(size, &limits), Ok(()), "{size:?}");
        }
    }

    /// Sizes in bytes that encoders wrote.
    #[test]
    fn what_encoders_write_is_plausible() {
        let (phone, large) = ((4_032, 3_024), (8_064, 6_048));
        let check = |size: (u32, u32), bytes| {
            check_plausible(size, u64::from(size.0) * u64::from(size.1), bytes)
        };
        // White in AVIF and lossless WebP; at 49 megapixels noise in the dark, a gradient, a hand
        // at the worst quality, and white in HEIC.
        for (size, bytes) in [
            (phone, 925),
            (phone, 38),
            (large, 5_273),
            (large, 5_867),
            (large, 30_936),
            (large, 11_508),
        ] {
            assert_eq!(check(size, bytes), Ok(()), "{bytes} bytes for {size:?}");
        }
        for bytes in [38, 996, 1_105] {
            let refused = check(large, bytes);
            assert!(matches!(refused, Err(DecodeError::Implausible { .. })), "{bytes}");
        }
        // White in JPEG, progressive, and in PNG.
        assert_eq!(check_jpeg(large, 286_605), Ok(()));
        assert_eq!(check_jpeg(large, 1_000), Err(cut_short()));
        let header = PngHeader { width: large.0, height: large.1, depth: 8, colour: 2 };
        assert_eq!(check_png(&header, 156_898), Ok(()));
        assert_eq!(check_png(&header, 100_000), Err(cut_short()));
    }
}
