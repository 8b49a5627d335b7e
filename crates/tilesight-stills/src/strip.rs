//! Removal of everything but the pixels from a photo, before a service stores it.
//!
//! Input: the bytes of a photo. Output: a file of the same kind whose compressed pixels are
//! identical byte for byte, so that it is read in the same way and no second compression loses
//! anything. Of the metadata only the orientation is written, and the primaries and curves of a
//! profile if the colours are not those of sRGB. Locations, serial numbers, thumbnails, the rest of
//! a profile, comments and data after the end (where phones store a film) are left out.
//! Invariants: a list names what is copied, and everything else is left out; files that [`Survey`]
//! rejects before decoding are rejected here too.

use image::metadata::Orientation;
use miniz_oxide::deflate::compress_to_vec_zlib;

use super::colour::{CodePoints, Colour, JpegColour};
use super::content::{Content, PngContent};
use super::error::cut_short;
use super::survey::{Survey, next_marker, segment_length};
use super::{DecodeError, DecodeLimits, gamut, webp};

/// Copies a photo without its metadata.
///
/// # Errors
/// [`DecodeError`], as far as it can be detected without decoding the pixels.
pub fn without_metadata(bytes: &[u8], limits: &DecodeLimits) -> Result<Vec<u8>, DecodeError> {
    if bytes.len() > limits.bytes {
        return Err(DecodeError::TooLarge { bytes: bytes.len(), limit: limits.bytes });
    }
    match Survey::new(bytes, limits)?.content {
        Content::Jpeg(jpeg) => strip_jpeg(bytes, gamut::needed_profile(&jpeg.colour)),
        Content::Png(png) => strip_png(&png),
        Content::WebP(webp) => strip_webp(bytes, gamut::needed_profile(&webp.colour).as_deref()),
        Content::Still(still) => still.to_file(),
    }
}

/// Returns an Exif block with only the orientation; `None` if the pixels are upright.
fn exif(orientation: Option<Orientation>) -> Option<Vec<u8>> {
    let orientation = orientation.filter(|&turned| turned != Orientation::NoTransforms)?;
    // TIFF, little-endian: one entry, 0x0112, of one 16-bit number.
    let mut block = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    block.extend([orientation.to_exif(), 0, 0, 0, 0, 0, 0, 0]);
    Some(block)
}

/// Copies the segments that decoders need, up to the end of the first picture.
fn strip_jpeg(bytes: &[u8], profile: Option<Vec<u8>>) -> Result<Vec<u8>, DecodeError> {
    let kept = Vec::with_capacity(bytes.len());
    let mut copy = JpegCopy { kept, profile, ..JpegCopy::default() };
    let mut at = 2;
    loop {
        let found = next_marker(bytes, at).ok_or_else(cut_short)?;
        // Between segments there are compressed pixels; before the first scan there is padding.
        if copy.scanned {
            copy.kept.extend_from_slice(&bytes[at..found]);
        }
        let marker = bytes[found + 1];
        at = found + 2;
        match marker {
            0xd9 => return Ok(copy.finish()),
            0xd0..=0xd8 | 0x01 => copy.kept.extend([0xff, marker]),
            _ => {
                let length = segment_length(bytes, at)?.max(2);
                let segment = bytes.get(at..at + length).ok_or_else(cut_short)?;
                copy.take(marker, segment);
                at += length;
            }
        }
    }
}

/// A JPEG that is being copied.
#[derive(Debug, Default)]
struct JpegCopy {
    kept: Vec<u8>,
    orientation: Option<Orientation>,
    profile: Option<Vec<u8>>,
    /// Whether the compressed pixels have begun.
    scanned: bool,
}

impl JpegCopy {
    const EXIF: &[u8] = b"Exif\0\0";

    /// Copies a segment, which begins with its length, if decoders need it.
    fn take(&mut self, marker: u8, segment: &[u8]) {
        let data = &segment[2..];
        match marker {
            // The first twelve bytes of Adobe's segment define how colours are stored.
            0xee if data.starts_with(b"Adobe") && data.len() >= 12 => {
                self.kept.extend([0xff, marker, 0, 14]);
                self.kept.extend_from_slice(&data[..12]);
            }
            // Decoders use the last block before the pixels.
            0xe1 if data.starts_with(Self::EXIF) && !self.scanned => {
                self.orientation = Orientation::from_exif_chunk(&data[Self::EXIF.len()..]);
            }
            // Decoders of a broken file stop at any segment within the pixels, so an empty comment
            // replaces it.
            0xe0..=0xef | 0xfe if self.scanned => self.kept.extend([0xff, 0xfe, 0, 2]),
            0xe0..=0xef | 0xfe => {}
            _ => {
                self.kept.extend([0xff, marker]);
                self.kept.extend_from_slice(segment);
            }
        }
        self.scanned |= marker == 0xda;
    }

    /// Returns the whole file.
    fn finish(mut self) -> Vec<u8> {
        let mut stripped = vec![0xff, 0xd8];
        if let Some(block) = exif(self.orientation) {
            let length = u16::try_from(2 + Self::EXIF.len() + block.len()).expect("a few bytes");
            stripped.extend([0xff, 0xe1]);
            stripped.extend(length.to_be_bytes());
            stripped.extend(Self::EXIF);
            stripped.extend(block);
        }
        // A segment has at most 65,533 bytes.
        let profile = self.profile.unwrap_or_default();
        let pieces: Vec<&[u8]> = profile.chunks(65_000).collect();
        let count = u8::try_from(pieces.len()).expect("a profile has less than a megabyte");
        for (number, piece) in (1..).zip(&pieces) {
            let head = [JpegColour::PROFILE, &[number, count]].concat();
            let length = u16::try_from(2 + head.len() + piece.len()).expect("a piece of it");
            stripped.extend([0xff, 0xe2]);
            stripped.extend(length.to_be_bytes());
            stripped.extend(head);
            stripped.extend_from_slice(piece);
        }
        stripped.append(&mut self.kept);
        stripped.extend([0xff, 0xd9]);
        stripped
    }
}

/// Copies the chunks of a PNG that the survey has kept, with a new block for the orientation, and
/// chunks for colours that are not those of sRGB.
fn strip_png(png: &PngContent<'_>) -> Result<Vec<u8>, DecodeError> {
    let chunks = &png.chunks;
    let mut stripped = chunks[..8].to_vec();
    let mut at = 8;
    while let Some(head) = chunks.get(at..at + 8) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let chunk = chunks.get(at..at + length + 12).ok_or_else(cut_short)?;
        if &head[4..] != b"eXIf" {
            stripped.extend_from_slice(chunk);
            if &head[4..] == b"IHDR" {
                stripped.extend(png_colour(&png.colour));
            }
        } else if let Some(block) = exif(Orientation::from_exif_chunk(&chunk[8..8 + length])) {
            stripped.extend(png_chunk(*b"eXIf", &block));
        }
        at += length + 12;
    }
    Ok(stripped)
}

/// Returns the chunk that describes colours; nothing for those of sRGB.
fn png_colour(colour: &Colour<'_>) -> Vec<u8> {
    if let Some(points) = colour.code_points {
        let CodePoints { primaries, transfer, matrix, full_range } = points;
        // They were read from one byte each.
        let [primaries, transfer, matrix] = [primaries, transfer, matrix].map(|point| point as u8);
        return png_chunk(*b"cICP", &[primaries, transfer, matrix, u8::from(full_range)]);
    }
    let Some(profile) = gamut::needed_profile(colour) else { return Vec::new() };
    const NAME_AND_METHOD: &[u8] = b"colours\0\0";
    const LEVEL: u8 = 6;
    png_chunk(*b"iCCP", &[NAME_AND_METHOD, &compress_to_vec_zlib(&profile, LEVEL)].concat())
}

/// Returns a chunk with its checksum.
fn png_chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).expect("less than a megabyte");
    let mut chunk = length.to_be_bytes().to_vec();
    chunk.extend(kind);
    chunk.extend(data);
    let checksum = crc32fast::hash(&chunk[4..]);
    chunk.extend(checksum.to_be_bytes());
    chunk
}

/// Flags in an extended WebP's header for a profile, an Exif block and XMP.
const WEBP_ICC: u8 = 0x20;
const WEBP_EXIF: u8 = 0x08;
const WEBP_XMP: u8 = 0x04;

/// Copies the chunks of a WebP that contain pixels, and clears the flags of the others in its
/// header.
fn strip_webp(bytes: &[u8], profile: Option<&[u8]>) -> Result<Vec<u8>, DecodeError> {
    const KEPT: [&[u8]; 5] = [b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF"];
    let mut stripped = b"RIFF\0\0\0\0WEBP".to_vec();
    let mut orientation = None;
    let mut header = None;
    for chunk in webp::Chunks::new(&bytes[webp::HEAD..]) {
        let (kind, data) = chunk?;
        match kind {
            b"EXIF" if orientation.is_none() => {
                orientation = Some(Orientation::from_exif_chunk(data));
            }
            b"VP8X" if header.is_none() && !data.is_empty() => {
                header = Some(stripped.len() + 8);
                push_webp(&mut stripped, *b"VP8X", data);
                if let Some(profile) = profile {
                    push_webp(&mut stripped, *b"ICCP", profile);
                }
            }
            b"ANMF" if data.len() >= 16 => {
                let mut frame = data[..16].to_vec();
                for chunk in webp::Chunks::new(&data[16..]) {
                    let (kind, data) = chunk?;
                    if matches!(kind, b"VP8 " | b"VP8L" | b"ALPH") {
                        push_webp(&mut frame, *kind, data);
                    }
                }
                push_webp(&mut stripped, *b"ANMF", &frame);
            }
            kind if KEPT.contains(&kind.as_slice()) => push_webp(&mut stripped, *kind, data),
            _ => {}
        }
    }
    if let Some(at) = header {
        let block = exif(orientation.flatten());
        let flags = stripped[at] & !(WEBP_ICC | WEBP_EXIF | WEBP_XMP);
        let of_block = if block.is_some() { WEBP_EXIF } else { 0 };
        let of_profile = if profile.is_some() { WEBP_ICC } else { 0 };
        stripped[at] = flags | of_block | of_profile;
        if let Some(block) = block {
            push_webp(&mut stripped, *b"EXIF", &block);
        }
    }
    let length = u32::try_from(stripped.len() - 8).map_err(|_| cut_short())?;
    stripped[4..8].copy_from_slice(&length.to_le_bytes());
    Ok(stripped)
}

fn push_webp(list: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).expect("a part of a file whose own length fits");
    list.extend(kind);
    list.extend(length.to_le_bytes());
    list.extend(data);
    if data.len() % 2 == 1 {
        list.push(0);
    }
}
