//! Limits on a photo, and the checks of what a picture's header claims, made before anything is
//! decoded: its sides, its pixels, and whether the number of coded bytes is plausible for them.
//!
//! Input: width and height, and the number of bytes that code the pixels. Output: nothing, or a
//! [`DecodeError`]. Decoding 49 megapixels took 2.9 s of a core, whether the file had 996 bytes or
//! twenty million. Invariant: no photo that a camera or an encoder wrote is refused. Claims that a
//! format rules out make a file broken; for claims that a format allows, the limit was measured.

use super::DecodeError;
use super::error::cut_short;
use super::heif::contradicts;

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
    /// Maximum number of bytes that decoding holds at one time, besides those of the file.
    pub memory: u64,
}

impl Default for DecodeLimits {
    fn default() -> DecodeLimits {
        DecodeLimits {
            bytes: 20_000_000,
            pixels: 50_000_000,
            scans: 64,
            metadata: 2 << 20,
            parts: 8192,
            memory: 1_000_000_000,
        }
    }
}

/// Number of bytes that are enough to decode a pixel of any usual file (`memory.rs`): AVIF with all
/// colours takes most, 21 with 8 bits; HEIC 17, PNG with 16 bits 11, JPEG 3 to 9.
pub const MAX_BYTES_PER_PIXEL: u64 = 20;

impl DecodeLimits {
    /// Creates limits; absent ones are the defaults. The default of the memory is at least what the
    /// pixels take.
    #[must_use]
    pub fn new(bytes: Option<usize>, pixels: Option<u64>, memory: Option<u64>) -> DecodeLimits {
        let usual = DecodeLimits::default();
        let pixels = pixels.unwrap_or(usual.pixels);
        let needed = usual.memory.max(pixels.saturating_mul(MAX_BYTES_PER_PIXEL));
        DecodeLimits {
            bytes: bytes.unwrap_or(usual.bytes),
            pixels,
            memory: memory.unwrap_or(needed),
            ..usual
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

/// Number of pixels of a WebP that are accepted regardless of the number of bytes: a phone's usual
/// 12 megapixels plus a margin. Decoding them costs no more than decoding an ordinary photo.
pub(super) const FREE_WEBP_PIXELS: u64 = 16_000_000;

/// Number of pixels of a HEIC or AVIF that are accepted regardless of the number of bytes. Each
/// takes its time even where it shows nothing: a white AVIF of 16 megapixels took 3 s. A white one
/// of 12 megapixels, 925 bytes, and noise in the dark at 49 (below) are accepted.
pub(super) const FREE_STILL_PIXELS: u64 = 6_000_000;

/// Maximum number of further pixels per coded byte. Measured on 49 megapixels (libaom, x265 and
/// libwebp, 2026-11-25): a photo of a hand has 1,577 pixels a byte in AVIF at the worst quality,
/// and the maximum in HEIC is 4,238, for a white picture. Noise in the dark has 9,249 in AVIF at a
/// usual quality, which fits thanks to the free pixels. A flat AVIF has 44,000 and a flat lossless
/// WebP a million: only empty pictures reach such ratios.
const MAX_PIXELS_PER_BYTE: u64 = 8192;

/// Maximum number of pixels in the cells of a grid for each pixel of the picture. Only the last
/// column and row reach beyond it, so that phones' grids have at most 1.1.
const MAX_DECODED: u64 = 2;

/// Number of pixels in cells that are accepted regardless of the picture's size: a cell of a phone
/// has a quarter of a megapixel, whatever small picture is cut from it.
pub(super) const FREE_DECODED_PIXELS: u64 = 1_000_000;

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

/// Number of pixels of a PNG that are accepted regardless of the number of bytes, and of further
/// ones for each compressed byte. A white PNG in colour has 311 pixels a byte; one with a bit for
/// each pixel has 8,000, and 49 megapixels in 6 kB took 2 s to show.
const FREE_PNG_PIXELS: u64 = 6_000_000;
const MAX_PNG_PIXELS_PER_BYTE: u64 = 1024;

/// Checks that the compressed data of a PNG can be unpacked to its rows, and that it has at least
/// the bytes that a photo of this size needs.
pub(super) fn check_png(header: &PngHeader, packed: usize) -> Result<(), DecodeError> {
    let bits = u64::from(header.width) * header.samples() * u64::from(header.depth);
    let rows = u64::from(header.height).saturating_mul(bits.div_ceil(8));
    let max_rows = (packed as u64).saturating_mul(MAX_INFLATED);
    if rows > max_rows {
        return Err(cut_short());
    }
    let PngHeader { width, height, .. } = *header;
    let max_pixels = (packed as u64).saturating_mul(MAX_PNG_PIXELS_PER_BYTE);
    if u64::from(width) * u64::from(height) > max_pixels.saturating_add(FREE_PNG_PIXELS) {
        return Err(DecodeError::Implausible { width, height, bytes: packed });
    }
    Ok(())
}

/// Checks that a WebP, HEIC or AVIF has at least the bytes that a photo of this size needs, beyond
/// a number of free pixels.
pub(super) fn check_plausible(
    (width, height): (u32, u32),
    decoded: u64,
    free: u64,
    bytes: usize,
) -> Result<(), DecodeError> {
    let max_pixels = (bytes as u64).saturating_mul(MAX_PIXELS_PER_BYTE).saturating_add(free);
    if decoded > max_pixels {
        return Err(DecodeError::Implausible { width, height, bytes });
    }
    Ok(())
}

/// Checks that the cells of a picture have not many more pixels than the picture.
pub(super) fn check_decoded((width, height): (u32, u32), decoded: u64) -> Result<(), DecodeError> {
    let shown = u64::from(width) * u64::from(height);
    if decoded > MAX_DECODED * shown + FREE_DECODED_PIXELS {
        return Err(contradicts("the size of its tiles"));
    }
    Ok(())
}

/// Header of a PNG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PngHeader {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) depth: u8,
    pub(super) colour: u8,
}

impl PngHeader {
    /// Parses the header in an `IHDR` chunk.
    pub(super) fn parse(data: &[u8]) -> Option<PngHeader> {
        let (width, rest) = data.split_first_chunk()?;
        let (height, rest) = rest.split_first_chunk()?;
        let &[depth, colour, ..] = rest else { return None };
        Some(PngHeader {
            width: u32::from_be_bytes(*width),
            height: u32::from_be_bytes(*height),
            depth,
            colour,
        })
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

/// Adds to a count of metadata bytes, and rejects more than the limit.
pub(super) fn add_metadata(
    total: &mut usize,
    bytes: usize,
    limits: &DecodeLimits,
) -> Result<(), DecodeError> {
    *total = total.saturating_add(bytes);
    if *total > limits.metadata {
        return Err(DecodeError::TooMuchMetadata { limit: limits.metadata });
    }
    Ok(())
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
    fn sizes_that_encoders_write_are_plausible() {
        let (phone, large) = ((4_032, 3_024), (8_064, 6_048));
        let check = |size: (u32, u32), free: u64, bytes| {
            check_plausible(size, u64::from(size.0) * u64::from(size.1), free, bytes)
        };
        // White in AVIF and lossless WebP; at 49 megapixels noise in the dark, a gradient, a hand
        // at the worst quality, and white in HEIC.
        for (size, free, bytes) in [
            (phone, FREE_STILL_PIXELS, 925),
            (phone, FREE_WEBP_PIXELS, 38),
            (large, FREE_STILL_PIXELS, 5_273),
            (large, FREE_STILL_PIXELS, 5_867),
            (large, FREE_STILL_PIXELS, 30_936),
            (large, FREE_STILL_PIXELS, 11_508),
        ] {
            assert_eq!(check(size, free, bytes), Ok(()), "{bytes} bytes for {size:?}");
        }
        for (size, free, bytes) in [
            (large, FREE_WEBP_PIXELS, 38),
            (large, FREE_STILL_PIXELS, 996),
            (large, FREE_STILL_PIXELS, 1_105),
            ((4_000, 4_000), FREE_STILL_PIXELS, 855),
        ] {
            let refused = check(size, free, bytes);
            assert!(matches!(refused, Err(DecodeError::Implausible { .. })), "{bytes}");
        }
        // White in JPEG, progressive, and in PNG.
        assert_eq!(check_jpeg(large, 286_605), Ok(()));
        assert_eq!(check_jpeg(large, 1_000), Err(cut_short()));
        let header = PngHeader { width: large.0, height: large.1, depth: 8, colour: 2 };
        assert_eq!(check_png(&header, 156_898), Ok(()));
        assert_eq!(check_png(&header, 100_000), Err(cut_short()));
        // Black with a bit for each pixel.
        let bits = PngHeader { width: 7_000, height: 7_000, depth: 1, colour: 0 };
        let refused = check_png(&bits, 5_965);
        assert!(matches!(refused, Err(DecodeError::Implausible { .. })), "{refused:?}");
        let phone = PngHeader { width: 4_032, height: 3_024, ..bits };
        assert_eq!(check_png(&phone, 6_100), Ok(()));
        assert_eq!(check_decoded((16, 16), 49_000_000), Err(contradicts("the size of its tiles")));
        assert_eq!(check_decoded((64, 64), 512 * 512), Ok(()));
        assert_eq!(check_decoded(large, 49_000_000), Ok(()));
    }
}
