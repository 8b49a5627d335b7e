//! Decoding of untrusted photos into upright RGB pictures.
//!
//! ```no_run
//! use tilesight_stills::{DecodeLimits, Photo};
//!
//! let bytes = std::fs::read("hand.heic")?;
//! let photo = Photo::decode(&bytes, &DecodeLimits::default())?;
//! let (width, height) = photo.size();
//! println!("{width} x {height}, first pixel {:?}", photo.image().get_pixel(0, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The kind of a file follows from its bytes, never from a name or a declared type.
//!
//! | format | decoded |
//! |---|---|
//! | JPEG | baseline and progressive; also at a half or a quarter of its size, or area by area |
//! | PNG, WebP | the pictures that the `image` crate decodes; of an animation the first frame |
//! | HEIC | HEVC pictures and grids of them, turned and cropped as the file says |
//! | AVIF | AV1 pictures and grids of them, turned and cropped as the file says |
//!
//! Colours are brought to sRGB, by the file's profile or by what it says instead: code points of
//! HEIC, AVIF and PNG, `gAMA` and `cHRM` of a PNG, Adobe RGB in the Exif block of a JPEG.
//!
//! # Limits
//! [`DecodeLimits`] bounds a file before it is decoded (`limits.rs`). By default: 20 MB, 50
//! megapixels, a gigabyte of memory (`memory.rs`), 64 scans of a JPEG, 2 MiB of metadata, and 8,192
//! parts of a HEIC or AVIF.
//! Independently of these, a side has 16 to 65,535 pixels, and a file with few bytes may not claim
//! many pixels.
//!
//! # Hostile files
//! - Nothing is allocated in proportion to what a file *claims* before the claim has been checked.
//!   The order of work is: the size of the file; its kind; scans, boxes and metadata; the sides
//!   that the header claims, and whether the coded bytes can be that many pixels; only then the
//!   decoder.
//! - Inspecting a file takes time linear in its bytes. What makes decoding slow is counted before:
//!   pixels, scans, the passes over the pictures of a HEIC or AVIF, and the prefix codes of a
//!   lossless WebP. The work is bounded by the size of the file and by the size that it shows: a
//!   file with two sizes, a frame beyond its canvas, or bytes that are named twice are refused.
//! - Every defect is a [`DecodeError`]: a panic of a decoder is caught, and error texts contain no
//!   path and at most 160 characters of a decoder's message.
//! - All of this crate is safe Rust, and so are the decoders. Fuzz targets (`stills`, `jpeg` and
//!   `pictures`) run them on damaged files.
//!
//! # Parts
//! [`Photo`] is a decoded picture, and [`PhotoInPart`] one at the resolution that it is examined
//! at. [`without_metadata`] strips a photo before it is stored, [`jpeg_preview`] makes a small JPEG
//! of it, [`check_size`] checks the limits alone, [`DecodingCost`] is what decoding will take, and
//! [`resample`] changes the size of pictures.

mod area;
mod coded;
mod colour;
mod content;
mod error;
mod file_kind;
mod gamut;
mod heif;
mod jpeg;
mod limits;
mod memory;
mod orientation;
mod parts;
mod preview;
mod profile;
mod reduce_params;
mod reduced;
pub mod resample;
mod still;
mod strip;
mod survey;
mod webp;
mod ycbcr;

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, RgbImage};

pub use area::Area;
use colour::Colour;
use content::Content;
pub use error::DecodeError;
pub use file_kind::FileKind;
use gamut::ToSrgb;
use limits::MIN_SIDE;
pub use limits::{DecodeLimits, MAX_BYTES_PER_PIXEL};
use orientation::turn_upright;
use parts::Parts;
pub use preview::{jpeg_preview, to_jpeg};
pub use reduce_params::ReduceParams;
use reduced::ReducedPhoto;
pub use strip::without_metadata;
use survey::Survey;

/// A decoded photo, upright, in RGB.
#[derive(Debug, Clone)]
pub struct Photo {
    pixels: Pixels,
}

#[derive(Debug, Clone)]
enum Pixels {
    Whole(RgbImage),
    /// Pixels that are decoded when they are accessed.
    Parts(Arc<Parts>),
}

/// A photo at the resolution that it is examined at, which may be lower than its own.
#[derive(Debug)]
pub struct PhotoInPart {
    /// The pixels to examine.
    pub photo: Photo,
    /// Width and height of the photo itself, upright.
    pub size: (u32, u32),
    /// Number of the photo's own pixels along one side of a pixel in `photo`; 1 at full size.
    pub factor: f32,
    /// Access to the pixels at full size, if the file allows partial decoding.
    parts: Option<Arc<Parts>>,
    /// The photo at full size, once it was decoded.
    full: OnceLock<Photo>,
}

impl PhotoInPart {
    /// Wraps a photo at full size.
    #[must_use]
    pub fn from_whole(photo: Photo) -> PhotoInPart {
        PhotoInPart { size: photo.size(), photo, factor: 1.0, parts: None, full: OnceLock::new() }
    }

    /// Decodes a photo at the smallest size that shows tiles of a usual size well.
    ///
    /// # Errors
    /// Same as [`Photo::decode`].
    pub fn decode(bytes: &[u8], limits: &DecodeLimits) -> Result<PhotoInPart, DecodeError> {
        let content = check_and_survey(bytes, limits)?.content;
        if let Content::Jpeg(jpeg) = &content
            && let Some(reduced) = reduced::decode_reduced(bytes, &jpeg.colour, limits)
        {
            let photo = Photo::from_rgb(reduced.image)?;
            let ReducedPhoto { size, factor, parts, .. } = reduced;
            let parts = parts.map(Arc::new);
            let factor = factor as f32;
            return Ok(PhotoInPart { photo, size, factor, parts, full: OnceLock::new() });
        }
        Ok(PhotoInPart::from_whole(Photo::decode_surveyed(&content, bytes, limits)?))
    }

    /// Returns the photo at full size, which is decoded once. If the file allows partial decoding,
    /// areas are decoded when they are accessed.
    ///
    /// # Errors
    /// Same as [`Photo::decode`].
    pub fn decode_full(&self, bytes: &[u8], limits: &DecodeLimits) -> Result<&Photo, DecodeError> {
        if let Some(full) = self.full.get() {
            return Ok(full);
        }
        let full = match &self.parts {
            Some(parts) => Photo { pixels: Pixels::Parts(Arc::clone(parts)) },
            None => Photo::decode(bytes, limits)?,
        };
        Ok(self.full.get_or_init(|| full))
    }
}

impl Photo {
    /// Decodes the bytes of a photo within limits and turns it upright.
    ///
    /// # Errors
    /// [`DecodeError`] describes the defect of the file.
    pub fn decode(bytes: &[u8], limits: &DecodeLimits) -> Result<Photo, DecodeError> {
        Photo::decode_surveyed(&check_and_survey(bytes, limits)?.content, bytes, limits)
    }

    /// Decodes a JPEG at a half or a quarter of its size, by `factor`, and turns it upright; `None`
    /// for other files and for JPEG files that are broken, unusual or beyond the limits.
    /// [`Photo::decode`] returns the reason.
    #[must_use]
    pub fn decode_reduced(factor: u32, bytes: &[u8], limits: &DecodeLimits) -> Option<Photo> {
        let Content::Jpeg(jpeg) = check_and_survey(bytes, limits).ok()?.content else {
            return None;
        };
        let reduced = reduced::decode_reduced_by(factor, bytes, &jpeg.colour, limits)?;
        Photo::from_rgb(reduced.image).ok()
    }

    /// Returns a photo whose pixels are decoded when they are accessed; `None` for files other than
    /// JPEG, for JPEG files with several scans, and for those that [`Photo::decode_reduced`]
    /// returns `None` for.
    #[must_use]
    pub fn decode_in_parts(bytes: &[u8], limits: &DecodeLimits) -> Option<Photo> {
        let Content::Jpeg(jpeg) = check_and_survey(bytes, limits).ok()?.content else {
            return None;
        };
        let parts = reduced::decode_reduced_by(4, bytes, &jpeg.colour, limits)?.parts?;
        let (width, height) = parts.size();
        (width.min(height) >= MIN_SIDE).then(|| Photo { pixels: Pixels::Parts(Arc::new(parts)) })
    }

    fn decode_surveyed(
        content: &Content<'_>,
        bytes: &[u8],
        limits: &DecodeLimits,
    ) -> Result<Photo, DecodeError> {
        // The decoders' libraries are safe Rust and return errors; a panic of one of them is an
        // error as well. Only the picture is written to, and it is dropped with the panic.
        let decoded = catch_unwind(AssertUnwindSafe(|| decode_content(content, bytes, limits)));
        let image = decoded.unwrap_or_else(|_| {
            Err(DecodeError::Broken(format!("the {} decoder gave up", content.kind())))
        })?;
        Photo::from_rgb(image)
    }

    /// Creates a photo from pixels that are already upright.
    ///
    /// # Errors
    /// [`DecodeError::TooSmall`] when the picture is too small to show a tile.
    pub fn from_rgb(image: RgbImage) -> Result<Photo, DecodeError> {
        let (width, height) = image.dimensions();
        if width.min(height) < MIN_SIDE {
            return Err(DecodeError::TooSmall { width, height });
        }
        Ok(Photo { pixels: Pixels::Whole(image) })
    }

    /// Creates a photo from rows of red, green, blue and opacity, one byte each, as browsers
    /// provide them; transparent pixels keep their colour.
    ///
    /// # Errors
    /// Same as [`Photo::from_rgb`]; also [`DecodeError::TooManyPixels`] beyond the limits, and
    /// [`DecodeError::Broken`] when there are not four bytes for each pixel.
    pub fn from_rgba(
        (width, height): (u32, u32),
        bytes: &[u8],
        limits: &DecodeLimits,
    ) -> Result<Photo, DecodeError> {
        if u64::from(width) * u64::from(height) > limits.pixels {
            return Err(DecodeError::TooManyPixels { width, height, limit: limits.pixels });
        }
        let rgb = bytes.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        match RgbImage::from_raw(width, height, rgb) {
            Some(image) if bytes.len() as u64 == 4 * u64::from(width) * u64::from(height) => {
                Photo::from_rgb(image)
            }
            _ => Err(DecodeError::Broken("there are not four bytes for each pixel".to_owned())),
        }
    }

    /// Returns all pixels, decoding those that are not decoded yet.
    #[must_use]
    pub fn image(&self) -> &RgbImage {
        match &self.pixels {
            Pixels::Whole(image) => image,
            Pixels::Parts(parts) => parts.whole(),
        }
    }

    /// Calls `look` with a picture of the photo's size in which the pixels of the area are decoded;
    /// other pixels may be black.
    pub fn with_area<T>(&self, area: Area, look: impl FnOnce(&RgbImage) -> T) -> T {
        match &self.pixels {
            Pixels::Whole(image) => look(image),
            Pixels::Parts(parts) => parts.with_area(area, look),
        }
    }

    /// Returns width and height in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        match &self.pixels {
            Pixels::Whole(image) => image.dimensions(),
            Pixels::Parts(parts) => parts.size(),
        }
    }
}

/// Returns whether a file is a HEIC or AVIF, which few browsers show.
#[must_use]
pub fn is_heic_or_avif(bytes: &[u8]) -> bool {
    survey::is_still(bytes)
}

/// Returns whether the first bytes of a file, at least 32 of them, are those of a picture: one that
/// is decoded, or one of a kind that [`DecodeError::Unsupported`] names.
#[must_use]
pub fn begins_as_picture(beginning: &[u8]) -> bool {
    survey::begins_as_picture(beginning)
}

/// Resources that decoding a file takes, according to its header.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DecodingCost {
    /// Number of pixels of the picture.
    pub pixels: u64,
    /// Maximum number of bytes that decoding holds at one time, besides those of the file.
    pub memory: u64,
}

impl DecodingCost {
    /// Returns the cost of a file; nothing for one that is refused before anything is decoded.
    #[must_use]
    pub fn from_header(bytes: &[u8], limits: &DecodeLimits) -> DecodingCost {
        let survey = check_and_survey(bytes, limits);
        survey.map_or_else(
            |_| DecodingCost::default(),
            |Survey { content, memory }| {
                let (width, height) = content.size();
                DecodingCost { pixels: u64::from(width) * u64::from(height), memory }
            },
        )
    }
}

/// Checks a photo's bytes and pixels against the limits. Other defects are only found by decoding
/// it.
///
/// # Errors
/// [`DecodeError`] when the photo exceeds the limits.
pub fn check_size(bytes: &[u8], limits: &DecodeLimits) -> Result<(), DecodeError> {
    use DecodeError::{TooLarge, TooLong, TooManyPixels, TooMuchMemory};
    match check_and_survey(bytes, limits) {
        Err(
            error
            @ (TooLarge { .. } | TooLong { .. } | TooManyPixels { .. } | TooMuchMemory { .. }),
        ) => Err(error),
        _ => Ok(()),
    }
}

/// Determines the kind of a file whose size and claims are within the limits.
fn check_and_survey<'a>(bytes: &'a [u8], limits: &DecodeLimits) -> Result<Survey<'a>, DecodeError> {
    if bytes.len() > limits.bytes {
        return Err(DecodeError::TooLarge { bytes: bytes.len(), limit: limits.bytes });
    }
    Survey::new(bytes, limits)
}

/// Decodes a picture with the decoder of its format.
fn decode_content(
    content: &Content<'_>,
    bytes: &[u8],
    limits: &DecodeLimits,
) -> Result<RgbImage, DecodeError> {
    match content {
        Content::Jpeg(jpeg) => {
            open(JpegDecoder::new(Cursor::new(bytes)), &jpeg.colour, content.size(), limits)
        }
        Content::Png(png) => {
            let decoder = PngDecoder::new(Cursor::new(&png.chunks));
            open(decoder, &png.colour, content.size(), limits)
        }
        Content::WebP(webp) => {
            webp.check_codes()?;
            open(WebPDecoder::new(Cursor::new(bytes)), &webp.colour, content.size(), limits)
        }
        Content::Still(still) => still::decode(still),
    }
}

/// Checks the header's claims, decodes the picture, turns it upright and converts it to 8-bit RGB
/// in sRGB.
fn open<D: ImageDecoder>(
    decoder: Result<D, ImageError>,
    colour: &Colour<'_>,
    size: (u32, u32),
    limits: &DecodeLimits,
) -> Result<RgbImage, DecodeError> {
    let mut decoder = decoder.map_err(to_decode_error)?;
    // The survey has checked the header's claims, but a decoder might interpret the header
    // differently. The size that admitted the photo is the size that is decoded.
    if decoder.dimensions() != size {
        return Err(heif::contradicts("its size"));
    }
    // The limit on pixels bounds the output to eight bytes (16-bit RGBA) each; the decoder may
    // need as much again for its coefficients.
    let mut allocation = image::Limits::no_limits();
    allocation.max_alloc = Some(limits.pixels * 16);
    decoder.set_limits(allocation).map_err(to_decode_error)?;
    // A picture with an unreadable Exif block is accepted: most software ignores the block too.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let decoded = DynamicImage::from_decoder(decoder).map_err(to_decode_error)?;
    let mut image = turn_upright(decoded.into_rgb8(), orientation);
    if let Some(mut to_srgb) = ToSrgb::new(colour, None) {
        to_srgb.apply(&mut image);
    }
    Ok(image)
}

/// Runs a library on a part of a file; a panic of the library is no result. The work writes to
/// nothing that is used afterwards.
fn unless_it_panics<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}

/// Converts a decoder's error, without the decoder's name or any path.
fn to_decode_error(error: ImageError) -> DecodeError {
    match error {
        ImageError::Unsupported(_) => DecodeError::Unsupported { kind: FileKind::Variant },
        ImageError::Decoding(error) => DecodeError::Broken(first_line(&error.to_string())),
        _ => DecodeError::Broken("it ends too early or contradicts itself".to_owned()),
    }
}

/// Returns at most 160 characters of the first line: decoders quote the file.
fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(160).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_at_full_size_is_decoded_once() {
        let limits = DecodeLimits::default();
        let bytes = jpeg::tests::file("progressive-420");
        let photo = Photo::decode(&bytes, &limits).expect("a photo");
        let part = PhotoInPart::from_whole(photo.clone());
        assert!(part.decode_full(&bytes[..9], &limits).is_err(), "an error is not kept");
        let full = part.decode_full(&bytes, &limits).expect("a photo");
        assert!(full.image() == photo.image());
        let again = part.decode_full(&[], &limits).expect("it is kept");
        assert!(std::ptr::eq(full, again));
    }
}
