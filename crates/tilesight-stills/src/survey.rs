//! Inspection of a picture file before any decoder sees it: kind, size, scans, metadata.
//!
//! Input: the bytes. Output: the decoder that may read them, or an error. The survey walks the
//! segments of a JPEG, the chunks of a PNG or WebP, the boxes of a HEIC or AVIF, and allocates
//! nothing except the stripped copy of a PNG and lists of boxes.
//! Invariant: every loop moves forward at least one byte, so the survey takes linear time.

use memchr::memchr;

use super::error::cut_short;
use super::heif::Still;
use super::limits::{self, PngHeader};
use super::{DecodeError, DecodeLimits, FileKind};

/// Kind of a file that may be decoded.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Survey<'a> {
    Jpeg,
    /// A PNG with only the chunks that the decoder needs. Compressed profiles and texts are left
    /// out: decoding a 130 KB file with a 128 MiB profile costs the profile's full size even when
    /// the file is only probed.
    Png(Vec<u8>),
    WebP,
    /// A parsed HEIC or AVIF.
    Still(Still<'a>),
}

impl<'a> Survey<'a> {
    /// Detects the kind of a file, and checks what is cheap to count and expensive to decode.
    pub(super) fn new(bytes: &'a [u8], limits: &DecodeLimits) -> Result<Survey<'a>, DecodeError> {
        if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
            survey_jpeg(bytes, limits).map(|()| Survey::Jpeg)
        } else if bytes.starts_with(PNG_SIGNATURE) {
            strip_png(bytes, limits).map(Survey::Png)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            survey_webp(bytes, limits).map(|()| Survey::WebP)
        } else {
            Survey::parse_still(bytes, limits).unwrap_or_else(|| Err(unsupported(bytes)))
        }
    }

    /// Returns the name of the kind.
    pub(super) fn kind(&self) -> String {
        match self {
            Survey::Jpeg => "JPEG".to_owned(),
            Survey::Png(_) => "PNG".to_owned(),
            Survey::WebP => "WebP".to_owned(),
            Survey::Still(still) => still.coding.file_kind().to_string(),
        }
    }

    /// Like [`Survey::new`], but only for HEIC and AVIF; `None` for other kinds.
    pub(super) fn parse_still(
        bytes: &'a [u8],
        limits: &DecodeLimits,
    ) -> Option<Result<Survey<'a>, DecodeError>> {
        is_still(bytes).then(|| survey_still(bytes, limits).map(Survey::Still))
    }
}

const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Maximum number of colours in a PNG's palette, three bytes each. With a palette that is not whole
/// colours the decoder panics.
const MAX_COLOURS: usize = 256;

/// Returns whether one of a file's brands, its own or a compatible one, is that of HEIC, HEIF or
/// AVIF.
fn is_still(bytes: &[u8]) -> bool {
    const BRANDS: [&[u8; 4]; 12] = [
        b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"mif2", b"msf1", b"miaf",
        b"avif", b"avis",
    ];
    let (Some(b"ftyp"), Some(&[0, 0, _, length])) = (bytes.get(4..8), bytes.first_chunk()) else {
        return false;
    };
    // The brands in the first 255 bytes are enough; the second four bytes are a version.
    let brands = bytes.get(8..usize::from(length).min(bytes.len())).unwrap_or_default();
    let (brands, _) = brands.as_chunks::<4>();
    let named = brands.iter().enumerate().filter(|(at, _)| *at != 1);
    named.into_iter().any(|(_, brand)| BRANDS.contains(&brand))
}

/// Returns the error for bytes that are not of a supported kind.
fn unsupported(bytes: &[u8]) -> DecodeError {
    let kind = match bytes.get(4..8) {
        Some(b"ftyp") => FileKind::Video,
        _ => match bytes {
            [] => FileKind::Empty,
            [b'G', b'I', b'F', b'8', ..] => FileKind::Gif,
            [b'B', b'M', ..] => FileKind::Bmp,
            [b'I', b'I', 0x2a, 0, ..] | [b'M', b'M', 0, 0x2a, ..] => FileKind::TiffOrRaw,
            [b'%', b'P', b'D', b'F', ..] => FileKind::Pdf,
            [0xff, 0x0a, ..] | [0, 0, 0, 0x0c, b'J', b'X', b'L', ..] => FileKind::JpegXl,
            _ => FileKind::Other,
        },
    };
    DecodeError::Unsupported { kind }
}

/// Adds to a count of metadata bytes, and rejects more than the limit.
fn add_metadata(total: &mut usize, bytes: usize, limits: &DecodeLimits) -> Result<(), DecodeError> {
    *total = total.saturating_add(bytes);
    if *total > limits.metadata {
        return Err(DecodeError::TooMuchMetadata { limit: limits.metadata });
    }
    Ok(())
}

/// Walks a JPEG's segments up to its end marker, and counts scans and application segments.
///
/// A file without the end marker is incomplete: decoders would fill the rest with grey, and the
/// hand would be read from half a photo.
fn survey_jpeg(bytes: &[u8], limits: &DecodeLimits) -> Result<(), DecodeError> {
    let (mut at, mut scans, mut metadata) = (2, 0, 0);
    loop {
        at = next_marker(bytes, at).ok_or_else(cut_short)?;
        let marker = bytes[at + 1];
        at += 2;
        match marker {
            0xd9 => return Ok(()),
            // Restart markers, a second start marker and TEM have no length.
            0xd0..=0xd8 | 0x01 => continue,
            0xda => scans += 1,
            // Frame headers. The other three markers of this range are tables and an extension.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                check_frame(bytes.get(at..).unwrap_or_default(), bytes.len(), limits)?;
            }
            _ => {}
        }
        if scans > limits.scans {
            return Err(DecodeError::TooManyScans { limit: limits.scans });
        }
        let length = bytes.get(at..at + 2).ok_or_else(cut_short)?;
        let length = usize::from(u16::from_be_bytes([length[0], length[1]]));
        if matches!(marker, 0xe0..=0xef | 0xfe) {
            add_metadata(&mut metadata, length, limits)?;
        }
        at += length.max(2);
    }
}

/// Checks the size in a JPEG's frame header: length, precision, height, width.
fn check_frame(header: &[u8], bytes: usize, limits: &DecodeLimits) -> Result<(), DecodeError> {
    let &[_, _, _, top, bottom, left, right] = header.first_chunk().ok_or_else(cut_short)?;
    let side = |high, low| u32::from(u16::from_be_bytes([high, low]));
    let size = (side(left, right), side(top, bottom));
    limits::check_sides(size, limits)?;
    limits::check_jpeg(size, bytes)
}

/// Parses a HEIC or AVIF, and checks its size against the bytes of its cells.
fn survey_still<'a>(bytes: &'a [u8], limits: &DecodeLimits) -> Result<Still<'a>, DecodeError> {
    let still = Still::parse(bytes, limits)?;
    limits::check_sides(still.size, limits)?;
    // Each cell is decoded as a whole, even if the picture shows only a part of it.
    let cell = u64::from(still.cell_size.0) * u64::from(still.cell_size.1);
    let decoded = cell.saturating_mul(still.cells.len() as u64);
    let coded = still.cells.iter().map(|cell| cell.data.len()).sum();
    limits::check_plausible(still.size, decoded, coded)?;
    Ok(still)
}

/// Returns the position of the next marker: 0xff followed by neither a stuffed zero nor another
/// 0xff.
pub(super) fn next_marker(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr(0xff, bytes.get(at..)?)?;
        match bytes.get(at + 1)? {
            0x00 => at += 2,
            0xff => at += 1,
            _ => return Some(at),
        }
    }
}

/// Copies a PNG without the chunks that do not change its pixels or its orientation.
fn strip_png(bytes: &[u8], limits: &DecodeLimits) -> Result<Vec<u8>, DecodeError> {
    const KEPT: [&[u8]; 6] = [b"IHDR", b"PLTE", b"tRNS", b"eXIf", b"IDAT", b"IEND"];
    let mut stripped = PNG_SIGNATURE.to_vec();
    let (mut at, mut metadata) = (PNG_SIGNATURE.len(), 0);
    let (mut header, mut packed) = (None, 0_usize);
    loop {
        let head = bytes.get(at..at + 8).ok_or_else(cut_short)?;
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let kind = &head[4..8];
        // A chunk is its length, its kind, its data and a checksum.
        let end =
            at.checked_add(length).and_then(|end| end.checked_add(12)).ok_or_else(cut_short)?;
        let chunk = bytes.get(at..end).ok_or_else(cut_short)?;
        if kind == b"PLTE" && (!length.is_multiple_of(3) || length > MAX_COLOURS * 3) {
            return Err(DecodeError::Broken(format!("a palette has no {length} bytes")));
        }
        match kind {
            b"IDAT" => packed += length,
            _ => add_metadata(&mut metadata, length, limits)?,
        }
        if kind == b"IHDR" && header.is_none() {
            header = PngHeader::parse(&chunk[8..]);
            if let Some(PngHeader { width, height, .. }) = header {
                limits::check_sides((width, height), limits)?;
            }
        }
        if KEPT.contains(&kind) {
            stripped.extend_from_slice(chunk);
        }
        if kind == b"IEND" {
            header.map_or(Ok(()), |header| limits::check_png(&header, packed))?;
            return Ok(stripped);
        }
        at = end;
    }
}

/// Walks a WebP's chunks: counts everything that is not pixels, and checks the sizes that they
/// claim.
fn survey_webp(bytes: &[u8], limits: &DecodeLimits) -> Result<(), DecodeError> {
    let (mut at, mut metadata) = (12, 0);
    let (mut size, mut coded) = (None, 0_usize);
    while let Some(head) = bytes.get(at..at + 8) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let data = bytes.get(at + 8..).unwrap_or_default();
        if let Some(claimed) = size_of_webp(&head[..4], data) {
            limits::check_sides(claimed, limits)?;
            size = size.or(Some(claimed));
        }
        if matches!(&head[..4], b"VP8 " | b"VP8L" | b"VP8X" | b"ALPH" | b"ANMF" | b"ANIM") {
            coded = coded.saturating_add(length);
        } else {
            add_metadata(&mut metadata, length, limits)?;
        }
        // Chunks are padded to even lengths.
        at = at.saturating_add(8).saturating_add(length).saturating_add(length & 1);
    }
    if at > bytes.len() + 1 {
        return Err(cut_short());
    }
    let pixels = |(width, height): (u32, u32)| u64::from(width) * u64::from(height);
    size.map_or(Ok(()), |size| limits::check_plausible(size, pixels(size), coded))
}

/// Reads width and height in a chunk of a WebP: the canvas, or a lossy or lossless picture.
fn size_of_webp(kind: &[u8], data: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize, bytes: usize| {
        let part = data.get(at..at + bytes)?;
        Some(part.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    };
    const SIDE: u32 = (1 << 14) - 1;
    match kind {
        // Flags precede the canvas.
        b"VP8X" => Some((number(4, 3)? + 1, number(7, 3)? + 1)),
        // A frame tag and a start code precede the size.
        b"VP8 " => Some((number(6, 2)? & SIDE, number(8, 2)? & SIDE)),
        // After a signature of one byte, both sides share four bytes.
        b"VP8L" => {
            let sides = number(1, 4)?;
            Some(((sides & SIDE) + 1, (sides >> 14 & SIDE) + 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(bytes: &[u8]) -> Result<Survey<'_>, DecodeError> {
        Survey::new(bytes, &DecodeLimits::default())
    }

    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let mut chunk = (data.len() as u32).to_be_bytes().to_vec();
        chunk.extend_from_slice(kind);
        chunk.extend_from_slice(data);
        chunk.extend([0; 4]);
        chunk
    }

    /// Returns a PNG skeleton of a size, with a palette and compressed pixels of the given numbers
    /// of bytes.
    fn png_of((width, height): (u32, u32), palette: usize, packed: usize) -> Vec<u8> {
        let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 3, 0, 0, 0]].concat();
        let chunks = [
            chunk(b"IHDR", &header),
            chunk(b"PLTE", &vec![0; palette]),
            chunk(b"IDAT", &vec![0; packed]),
            chunk(b"IEND", &[]),
        ];
        [PNG_SIGNATURE.to_vec(), chunks.concat()].concat()
    }

    /// Returns a small PNG with a palette of the given number of bytes.
    fn png(palette: usize) -> Vec<u8> {
        png_of((64, 64), palette, 50)
    }

    #[test]
    fn claims_are_checked_in_every_format() {
        use DecodeError::{Implausible, TooLong, TooManyPixels, TooSmall};
        let refused = |bytes: &[u8]| survey(bytes).expect_err("it is refused");
        assert!(matches!(refused(&png_of((1, 50_000_000), 0, 50_000)), TooSmall { .. }));
        assert!(matches!(refused(&png_of((20, 2_000_000), 0, 50_000)), TooLong { .. }));
        assert_eq!(refused(&png_of((7_000, 7_000), 0, 1_000)), cut_short());
        let frame = |width: u16, height: u16| {
            let mut frame = vec![0xff, 0xd8, 0xff, 0xc0, 0, 8, 8];
            frame.extend(height.to_be_bytes());
            frame.extend(width.to_be_bytes());
            frame.extend([3, 0xff, 0xd9]);
            frame
        };
        assert!(matches!(refused(&frame(65_535, 65_535)), TooManyPixels { .. }));
        assert!(matches!(refused(&frame(65_535, 2)), TooSmall { .. }));
        assert_eq!(refused(&frame(7_000, 7_000)), cut_short());
        let webp = |kind: &[u8], data: &[u8]| {
            let length = u32::try_from(data.len()).expect("short").to_le_bytes();
            [b"RIFF\0\0\0\0WEBP", kind, &length, data].concat()
        };
        let sides = (7_000_u32 - 1) | (7_000 - 1) << 14;
        let lossless = [&[0x2f][..], &sides.to_le_bytes(), &[0; 33]].concat();
        assert!(matches!(refused(&webp(b"VP8L", &lossless)), Implausible { width: 7_000, .. }));
        let lossy = [&[0; 3][..], b"\x9d\x01\x2a", &[0, 16, 8, 0], &[0; 20]].concat();
        assert!(matches!(refused(&webp(b"VP8 ", &lossy)), TooSmall { width: 4_096, height: 8 }));
        let canvas = [&[0; 4][..], &[0xff; 6]].concat();
        assert!(matches!(refused(&webp(b"VP8X", &canvas)), TooManyPixels { .. }));
    }

    #[test]
    fn a_palette_has_whole_colours_and_256_at_most() {
        for length in [0, 3, 48, 768] {
            assert!(survey(&png(length)).is_ok(), "{length} bytes");
        }
        for length in [1, 49, 50, 769, 771] {
            let refused = survey(&png(length)).expect_err("it is no palette").to_string();
            let expected = format!("the picture is broken: a palette has no {length} bytes");
            assert_eq!(refused, expected);
        }
    }

    /// Returns a JPEG skeleton: start, the given segments, end.
    fn jpeg(segments: &[(u8, usize)]) -> Vec<u8> {
        let mut bytes = vec![0xff, 0xd8];
        for &(marker, length) in segments {
            bytes.extend([0xff, marker]);
            bytes.extend(u16::try_from(length + 2).expect("fits").to_be_bytes());
            bytes.extend(vec![0; length]);
        }
        bytes.extend([0xff, 0xd9]);
        bytes
    }

    #[test]
    fn kinds_are_named_by_their_bytes() {
        for (bytes, name) in [
            (&b""[..], "an empty file"),
            (b"\0\0\0\x18ftypisom\0\0\0\0", "a video"),
            (b"GIF89a", "GIF"),
            (b"%PDF-1.7", "PDF"),
            (b"hello", "this kind of file"),
        ] {
            match survey(bytes) {
                Err(DecodeError::Unsupported { kind }) => assert_eq!(kind.to_string(), name),
                other => panic!("{name}: {other:?}"),
            }
        }
    }

    #[test]
    fn scans_and_metadata_are_counted() {
        assert_eq!(survey(&jpeg(&[(0xe1, 100), (0xda, 10)])), Ok(Survey::Jpeg));
        assert_eq!(survey(&jpeg(&vec![(0xda, 6); 64])), Ok(Survey::Jpeg));
        assert_eq!(
            survey(&jpeg(&vec![(0xda, 6); 65])),
            Err(DecodeError::TooManyScans { limit: 64 })
        );
        assert_eq!(
            survey(&jpeg(&vec![(0xe2, 65_000); 33])),
            Err(DecodeError::TooMuchMetadata { limit: 2 << 20 })
        );
    }

    #[test]
    fn files_cut_short_are_broken() {
        let whole = jpeg(&[(0xe1, 100), (0xda, 10)]);
        for length in 3..whole.len() - 1 {
            assert_eq!(survey(&whole[..length]), Err(cut_short()), "{length}");
        }
    }
}
