//! Memory that decoding a file needs, according to its header.
//!
//! Input: the content of a file, before it is decoded. Output: the maximum number of bytes that
//! decoding holds at one time, until only the upright picture is left. The numbers of bytes per
//! pixel are those of the decoders in use; a test counts what they allocate for every kind of file
//! (`tests/memory.rs`). Invariant: the size is the one that is decoded, and no number is too small.

use super::coded;
use super::content::{Content, JpegContent, PngContent};
use super::webp::{MAX_CODE_BYTES, WebP};

/// Number of bytes of a pixel in RGB.
const RGB: u64 = 3;

/// Number of bytes for tables, headers and small copies, whatever the size.
const BASE: u64 = 2 << 20;

/// Maximum ratio of the size of the tables of a lossless WebP's prefix codes to that of the file.
const CODES_PER_BYTE: u64 = 512;

/// Returns the maximum number of bytes that decoding holds, besides those of the file.
pub(super) fn needed(content: &Content<'_>, file: usize) -> u64 {
    let (width, height) = content.size();
    let pixels = u64::from(width) * u64::from(height);
    let file = file as u64;
    let held = match content {
        Content::Jpeg(jpeg) => jpeg_bytes(jpeg, pixels, file),
        Content::Png(png) => png_bytes(png, pixels, file),
        Content::WebP(webp) => webp_bytes(webp, pixels, file),
        // The canvas, with the samples of one cell or with its turned copy.
        Content::Still(still) => file + RGB * pixels + (RGB * pixels).max(coded::held_bytes(still)),
    };
    BASE + held
}

/// The file is copied, and so are its coefficients if they come in several scans; the pixels are
/// copied when they are turned, or brought to RGB.
fn jpeg_bytes(jpeg: &JpegContent<'_>, pixels: u64, file: u64) -> u64 {
    let Some(frame) = jpeg.frame else { return file };
    let samples = u64::from(frame.components);
    let coefficients = if frame.is_progressive { 2 * samples } else { 0 };
    2 * file + pixels * (samples.max(RGB) + coefficients.max(RGB))
}

/// The file is copied without its metadata; the samples are brought to RGB, and then turned.
fn png_bytes(png: &PngContent<'_>, pixels: u64, file: u64) -> u64 {
    let Some(header) = png.header else { return file };
    let depth = if header.depth == 16 { 2 } else { 1 };
    let colours = match header.colour {
        0 => 1,
        4 => 2,
        _ => RGB,
    };
    let samples = colours + u64::from(png.has_transparency || header.colour == 6);
    2 * file + pixels * (depth * samples + RGB)
}

fn webp_bytes(webp: &WebP<'_>, pixels: u64, file: u64) -> u64 {
    let codes = if webp.is_lossless() { (CODES_PER_BYTE * file).min(MAX_CODE_BYTES) } else { 0 };
    // Brightness and colours in blocks of 16, or four bytes; opacity as a picture of its own; the
    // canvas of an animation.
    let canvas = if webp.is_animated { 4 } else { 0 };
    codes + file + pixels * (12 + canvas)
}
