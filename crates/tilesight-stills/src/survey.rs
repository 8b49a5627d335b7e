//! Inspection of a picture file before any decoder sees it: kind, size, scans, metadata, colour,
//! and the memory that decoding needs.
//!
//! Input: the bytes. Output: a [`Survey`], or an error. The survey walks the segments of a JPEG,
//! the chunks of a PNG or WebP, the boxes of a HEIC or AVIF, and allocates nothing except the
//! stripped copy of a PNG, lists of chunks and boxes, and a profile.
//! Invariant: every loop moves forward at least one byte, so the survey takes linear time; the size
//! that it finds is the size that is decoded.

use memchr::memchr;

use super::coded;
use super::colour::{JpegColour, PngColour};
use super::content::{Content, JpegContent, JpegFrame, PngContent};
use super::error::cut_short;
use super::heif::{Still, contradicts};
use super::limits::{self, PngHeader};
use super::memory;
use super::webp::WebP;
use super::{DecodeError, DecodeLimits, FileKind};

/// A file that may be decoded.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Survey<'a> {
    pub(super) content: Content<'a>,
    /// Maximum number of bytes that decoding holds at one time, besides those of the file.
    pub(super) memory: u64,
}

impl<'a> Survey<'a> {
    /// Detects the kind of a file, and checks what is cheap to count and expensive to decode.
    pub(super) fn new(bytes: &'a [u8], limits: &DecodeLimits) -> Result<Survey<'a>, DecodeError> {
        let content = if bytes.starts_with(JPEG_SIGNATURE) {
            Content::Jpeg(survey_jpeg(bytes, limits)?)
        } else if bytes.starts_with(PNG_SIGNATURE) {
            Content::Png(strip_png(bytes, limits)?)
        } else if is_webp(bytes) {
            Content::WebP(WebP::parse(bytes, limits)?)
        } else if is_still(bytes) {
            Content::Still(survey_still(bytes, limits)?)
        } else {
            return Err(unsupported(bytes));
        };
        let memory = memory::needed(&content, bytes.len());
        if memory > limits.memory {
            let (width, height) = content.size();
            let needed = memory;
            let limit = limits.memory;
            return Err(DecodeError::TooMuchMemory { width, height, needed, limit });
        }
        Ok(Survey { content, memory })
    }
}

impl Content<'_> {
    /// Returns the name of the kind.
    pub(super) fn kind(&self) -> String {
        match self {
            Content::Jpeg(_) => "JPEG".to_owned(),
            Content::Png(_) => "PNG".to_owned(),
            Content::WebP(_) => "WebP".to_owned(),
            Content::Still(still) => still.coding.file_kind().to_string(),
        }
    }

    /// Returns width and height as stored; zeros without a header.
    pub(super) fn size(&self) -> (u32, u32) {
        match self {
            Content::Jpeg(jpeg) => jpeg.frame.map_or((0, 0), |frame| frame.size),
            Content::Png(png) => png.header.map_or((0, 0), |header| (header.width, header.height)),
            Content::WebP(webp) => webp.size,
            Content::Still(still) => still.size,
        }
    }
}

const JPEG_SIGNATURE: &[u8] = &[0xff, 0xd8, 0xff];

const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Maximum number of colours in a PNG's palette, three bytes each. With a palette that is not whole
/// colours the decoder panics.
const MAX_COLOURS: usize = 256;

/// Returns whether one of a file's brands, its own or a compatible one, is that of HEIC, HEIF or
/// AVIF.
pub(super) fn is_still(bytes: &[u8]) -> bool {
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

fn is_webp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")
}

/// Returns whether the first bytes of a file are those of a picture.
pub(super) fn begins_as_picture(bytes: &[u8]) -> bool {
    let is_supported = bytes.starts_with(JPEG_SIGNATURE)
        || bytes.starts_with(PNG_SIGNATURE)
        || is_webp(bytes)
        || is_still(bytes);
    let is_other = matches!(kind_of(bytes), FileKind::Gif | FileKind::TiffOrRaw | FileKind::JpegXl);
    is_supported || is_other
}

/// Returns the error for bytes that are not of a supported kind.
fn unsupported(bytes: &[u8]) -> DecodeError {
    DecodeError::Unsupported { kind: kind_of(bytes) }
}

/// Returns the kind of a file that is not supported, by its first bytes.
fn kind_of(bytes: &[u8]) -> FileKind {
    match bytes.get(4..8) {
        // Raw photos of Canon are in the container of films.
        Some(b"ftyp") if bytes.get(8..12) == Some(b"crx ") => FileKind::TiffOrRaw,
        Some(b"ftyp") => FileKind::Video,
        _ => match bytes {
            [] => FileKind::Empty,
            [b'G', b'I', b'F', b'8', ..] => FileKind::Gif,
            [b'B', b'M', ..] => FileKind::Bmp,
            [b'I', b'I', 0x2a, 0, ..] | [b'M', b'M', 0, 0x2a, ..] => FileKind::TiffOrRaw,
            _ if bytes.starts_with(b"FUJIFILMCCD-RAW") => FileKind::TiffOrRaw,
            // Raw photos of Panasonic and of Olympus.
            [b'I', b'I', 0x55, 0, ..] | [b'I', b'I', b'R', b'O', ..] => FileKind::TiffOrRaw,
            [b'%', b'P', b'D', b'F', ..] => FileKind::Pdf,
            [0xff, 0x0a, ..] | [0, 0, 0, 0x0c, b'J', b'X', b'L', ..] => FileKind::JpegXl,
            _ => FileKind::Other,
        },
    }
}

/// Walks a JPEG's segments up to its end marker, and counts scans and application segments.
///
/// A file without the end marker is incomplete: decoders would fill the rest with grey, and the
/// hand would be read from half a photo.
fn survey_jpeg<'a>(bytes: &'a [u8], limits: &DecodeLimits) -> Result<JpegContent<'a>, DecodeError> {
    let mut at = 2;
    let mut scans = 0;
    let mut metadata = 0;
    let mut colour = JpegColour::default();
    let mut frame = None;
    loop {
        at = next_marker(bytes, at).ok_or_else(cut_short)?;
        let marker = bytes[at + 1];
        at += 2;
        match marker {
            0xd9 => return Ok(JpegContent { frame, colour: colour.finish() }),
            // Restart markers, a second start marker and TEM have no length.
            0xd0..=0xd8 | 0x01 => continue,
            0xda => scans += 1,
            // Frame headers. The other three markers of this range are tables and an extension.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                let header = bytes.get(at..).unwrap_or_default();
                let found = JpegFrame::parse(marker, header, bytes.len(), limits)?;
                // Of two frames, programs believe the first or the last.
                if frame.replace(found).is_some() {
                    return Err(contradicts("its size"));
                }
            }
            _ => {}
        }
        if scans > limits.scans {
            return Err(DecodeError::TooManyScans { limit: limits.scans });
        }
        let length = segment_length(bytes, at)?;
        if matches!(marker, 0xe0..=0xef | 0xfe) {
            limits::add_metadata(&mut metadata, length, limits)?;
            if scans == 0 {
                colour.add(marker, bytes.get(at + 2..at + length).unwrap_or_default());
            }
        }
        at += length.max(2);
    }
}

impl JpegFrame {
    /// Reads and checks a frame header: length, precision, height, width, number of components.
    fn parse(
        marker: u8,
        header: &[u8],
        bytes: usize,
        limits: &DecodeLimits,
    ) -> Result<JpegFrame, DecodeError> {
        let &[_, _, _, top, bottom, left, right, components] =
            header.first_chunk().ok_or_else(cut_short)?;
        let width = u16::from_be_bytes([left, right]);
        let height = u16::from_be_bytes([top, bottom]);
        let size = (u32::from(width), u32::from(height));
        limits::check_sides(size, limits)?;
        limits::check_jpeg(size, bytes)?;
        Ok(JpegFrame { size, components, is_progressive: marker == 0xc2 })
    }
}

/// Parses a HEIC or AVIF, and checks its size against the bytes of its cells, and its cells and
/// their frames against its size.
fn survey_still<'a>(bytes: &'a [u8], limits: &DecodeLimits) -> Result<Still<'a>, DecodeError> {
    let still = Still::parse(bytes, limits)?;
    limits::check_sides(still.size, limits)?;
    let decoded = still.decoded_pixels();
    limits::check_decoded(still.size, decoded)?;
    // Cells may share bytes, but all of them have no more than the file.
    let of_cells: usize = still.cells.iter().map(|cell| cell.data.len()).sum();
    let coded = of_cells.min(bytes.len());
    limits::check_plausible(still.size, decoded, limits::FREE_STILL_PIXELS, coded)?;
    coded::check_passes(&still, limits)?;
    Ok(still)
}

/// Returns the length of a segment, which its first two bytes contain.
pub(super) fn segment_length(bytes: &[u8], at: usize) -> Result<usize, DecodeError> {
    let length = bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or_else(cut_short)?;
    Ok(usize::from(u16::from_be_bytes(*length)))
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

/// Copies a PNG without the chunks that do not change its pixels, their colour or orientation.
fn strip_png<'a>(bytes: &'a [u8], limits: &DecodeLimits) -> Result<PngContent<'a>, DecodeError> {
    const KEPT: [&[u8]; 6] = [b"IHDR", b"PLTE", b"tRNS", b"eXIf", b"IDAT", b"IEND"];
    let mut chunks = PNG_SIGNATURE.to_vec();
    let mut at = PNG_SIGNATURE.len();
    let mut metadata = 0;
    let mut header = None;
    let mut packed = 0_usize;
    let mut colour = PngColour::default();
    let mut has_transparency = false;
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
            _ => limits::add_metadata(&mut metadata, length, limits)?,
        }
        has_transparency |= kind == b"tRNS";
        colour.add(kind, &chunk[8..8 + length]);
        if kind == b"IHDR" {
            // Of two headers, programs believe the first or the last.
            if header.is_some() {
                return Err(contradicts("its size"));
            }
            header = PngHeader::parse(&chunk[8..]);
            if let Some(PngHeader { width, height, .. }) = header {
                limits::check_sides((width, height), limits)?;
            }
        }
        if KEPT.contains(&kind) {
            chunks.extend_from_slice(chunk);
        }
        if kind == b"IEND" {
            header.map_or(Ok(()), |header| limits::check_png(&header, packed))?;
            return Ok(PngContent { chunks, header, has_transparency, colour: colour.finish() });
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(bytes: &[u8]) -> Result<Content<'_>, DecodeError> {
        Survey::new(bytes, &DecodeLimits::default()).map(|survey| survey.content)
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
    fn a_file_with_two_sizes_is_refused() {
        let frame = |side: u16| {
            let side = side.to_be_bytes();
            [&[0xff, 0xc0, 0, 8, 8][..], &side, &side, &[3]].concat()
        };
        let jpeg = |frames: &[Vec<u8>]| {
            [&[0xff, 0xd8][..], &frames.concat(), &vec![0; 60_000], &[0xff, 0xd9]].concat()
        };
        let one = jpeg(&[frame(64)]);
        assert_eq!(survey(&one).map(|content| content.size()), Ok((64, 64)));
        let two = jpeg(&[frame(64), frame(7_000)]);
        assert_eq!(survey(&two), Err(contradicts("its size")));
        let png = png_of((48, 48), 0, 50);
        let header = &png[8..33];
        let two = [&png[..33], header, &png[33..]].concat();
        assert_eq!(survey(&png).map(|content| content.size()), Ok((48, 48)));
        assert_eq!(survey(&two), Err(contradicts("its size")));
    }

    #[test]
    fn a_picture_that_can_never_fit_into_memory_is_refused_by_its_header() {
        let png = png_of((4_000, 3_000), 0, 200_000);
        let memory = Survey::new(&png, &DecodeLimits::default()).expect("it fits").memory;
        let refused = |memory: u64| {
            let limits = DecodeLimits { memory, ..DecodeLimits::default() };
            Survey::new(&png, &limits).err()
        };
        assert_eq!(refused(memory), None);
        let (width, height, needed, limit) = (4_000, 3_000, memory, memory - 1);
        let expected = DecodeError::TooMuchMemory { width, height, needed, limit };
        assert_eq!(refused(limit), Some(expected));
    }

    #[test]
    fn a_palette_has_up_to_256_whole_colours() {
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
    fn beginnings_of_pictures_are_known() {
        for beginning in [
            &b"\xff\xd8\xff\xe1"[..],
            b"RIFF\x10\0\0\0WEBPVP8 ",
            b"\0\0\0\x18ftypheix\0\0\0\0mif1heix",
            b"\0\0\0\x18ftypcrx \0\0\0\x01crx isom",
            b"II*\0\x08\0\0\0",
            b"FUJIFILMCCD-RAW 0201",
        ] {
            assert!(begins_as_picture(beginning), "{beginning:?}");
        }
        for beginning in [&b""[..], b"file,seat\n", b"BM is short", b"\0\0\0\x18ftypisom\0\0\0\0"] {
            assert!(!begins_as_picture(beginning), "{beginning:?}");
        }
    }

    #[test]
    fn scans_and_metadata_are_counted() {
        let empty = || Ok(Content::Jpeg(JpegContent::default()));
        assert_eq!(survey(&jpeg(&[(0xe1, 100), (0xda, 10)])), empty());
        assert_eq!(survey(&jpeg(&vec![(0xda, 6); 64])), empty());
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
