//! Inspects a picture file before any decoder sees it: kind, scans, metadata.
//!
//! Input: the bytes. Output: which decoder may read them, or why not. It walks the segments of a
//! JPEG, the chunks of a PNG or WebP, the boxes of a HEIC or AVIF, and allocates nothing except the
//! stripped copy of a PNG and lists of boxes.
//! Invariant: every loop moves forward at least one byte, so that it takes linear time.

use memchr::memchr;

use super::heif::Still;
use super::{DecodeError, DecodeLimits, FileKind};

/// The kind of a file that may be decoded.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Survey<'a> {
    Jpeg,
    /// The PNG with only the chunks that the decoder needs. Compressed profiles and texts are left
    /// out: a 130 KB file with a 128 MiB profile costs its full size even when only probed.
    Png(Vec<u8>),
    WebP,
    /// A HEIC or AVIF, taken apart.
    Still(Still<'a>),
}

impl<'a> Survey<'a> {
    /// Detects the kind, and counts what is cheap to count and expensive to decode.
    pub(super) fn of(bytes: &'a [u8], limits: &DecodeLimits) -> Result<Survey<'a>, DecodeError> {
        if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
            survey_jpeg(bytes, limits).map(|()| Survey::Jpeg)
        } else if bytes.starts_with(PNG_SIGNATURE) {
            strip_png(bytes, limits).map(Survey::Png)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            survey_webp(bytes, limits).map(|()| Survey::WebP)
        } else {
            Survey::of_still(bytes, limits).unwrap_or_else(|| Err(unsupported(bytes)))
        }
    }

    /// The name of the kind.
    pub(super) fn kind(&self) -> String {
        match self {
            Survey::Jpeg => "JPEG".to_owned(),
            Survey::Png(_) => "PNG".to_owned(),
            Survey::WebP => "WebP".to_owned(),
            Survey::Still(still) => still.coding.file_kind().to_string(),
        }
    }

    /// The same for HEIC and AVIF alone; `None` for other kinds.
    pub(super) fn of_still(
        bytes: &'a [u8],
        limits: &DecodeLimits,
    ) -> Option<Result<Survey<'a>, DecodeError>> {
        is_still(bytes).then(|| Still::of(bytes, limits).map(Survey::Still))
    }
}

const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Colours of a PNG's palette, three bytes each. The decoder takes parts of a colour for one, and
/// panics.
const MOST_COLOURS: usize = 256;

/// Whether a file's brands are those of HEIC, HEIF or AVIF: its own, or one that it is compatible
/// with.
fn is_still(bytes: &[u8]) -> bool {
    const BRANDS: [&[u8; 4]; 12] = [
        b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"mif2", b"msf1", b"miaf",
        b"avif", b"avis",
    ];
    let (Some(b"ftyp"), Some(&[0, 0, _, length])) = (bytes.get(4..8), bytes.first_chunk()) else {
        return false;
    };
    // The brands in the first 255 bytes are enough; the second four are a version.
    let brands = bytes.get(8..usize::from(length).min(bytes.len())).unwrap_or_default();
    let (brands, _) = brands.as_chunks::<4>();
    let named = brands.iter().enumerate().filter(|(at, _)| *at != 1);
    named.into_iter().any(|(_, brand)| BRANDS.contains(&brand))
}

/// What the bytes are, when they are not one of the kinds that are read.
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

pub(super) fn cut_short() -> DecodeError {
    DecodeError::Broken("the file ends before the picture does".to_owned())
}

/// Adds to a count of metadata bytes, and rejects more than the limit.
fn add_metadata(total: &mut usize, bytes: usize, limits: &DecodeLimits) -> Result<(), DecodeError> {
    *total = total.saturating_add(bytes);
    if *total > limits.metadata {
        return Err(DecodeError::TooMuchMetadata { limit: limits.metadata });
    }
    Ok(())
}

/// Walks a JPEG's segments up to its end marker: counts scans and application segments.
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
            // Restart markers, a second start marker and TEM stand alone.
            0xd0..=0xd8 | 0x01 => continue,
            0xda => scans += 1,
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

/// The place of the next marker: 0xff followed by neither a stuffed zero nor another 0xff.
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
    loop {
        let head = bytes.get(at..at + 8).ok_or_else(cut_short)?;
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let kind = &head[4..8];
        // A chunk is its length, its kind, its data and a checksum.
        let end =
            at.checked_add(length).and_then(|end| end.checked_add(12)).ok_or_else(cut_short)?;
        let chunk = bytes.get(at..end).ok_or_else(cut_short)?;
        if kind == b"PLTE" && (!length.is_multiple_of(3) || length > MOST_COLOURS * 3) {
            return Err(DecodeError::Broken(format!("a palette has no {length} bytes")));
        }
        if kind != b"IDAT" {
            add_metadata(&mut metadata, length, limits)?;
        }
        if KEPT.contains(&kind) {
            stripped.extend_from_slice(chunk);
        }
        if kind == b"IEND" {
            return Ok(stripped);
        }
        at = end;
    }
}

/// Walks a WebP's chunks: counts everything that is not pixels.
fn survey_webp(bytes: &[u8], limits: &DecodeLimits) -> Result<(), DecodeError> {
    let (mut at, mut metadata) = (12, 0);
    while let Some(head) = bytes.get(at..at + 8) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        if !matches!(&head[..4], b"VP8 " | b"VP8L" | b"VP8X" | b"ALPH" | b"ANMF" | b"ANIM") {
            add_metadata(&mut metadata, length, limits)?;
        }
        // Chunks are padded to even lengths.
        at = at.saturating_add(8).saturating_add(length).saturating_add(length & 1);
    }
    if at > bytes.len() + 1 { Err(cut_short()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(bytes: &[u8]) -> Result<Survey<'_>, DecodeError> {
        Survey::of(bytes, &DecodeLimits::default())
    }

    /// A PNG skeleton with a palette of so many bytes.
    fn png(palette: usize) -> Vec<u8> {
        let chunk = |kind: &[u8; 4], length: usize| {
            let mut chunk = (length as u32).to_be_bytes().to_vec();
            chunk.extend_from_slice(kind);
            chunk.resize(chunk.len() + length + 4, 0);
            chunk
        };
        let chunks = [chunk(b"IHDR", 13), chunk(b"PLTE", palette), chunk(b"IEND", 0)];
        [PNG_SIGNATURE.to_vec(), chunks.concat()].concat()
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

    /// A JPEG skeleton: start, the given segments, end.
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
