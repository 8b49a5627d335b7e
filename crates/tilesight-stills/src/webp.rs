//! Inspection of a WebP before the decoder sees it: the pictures that it will decode, their sizes,
//! and the prefix codes of lossless ones.
//!
//! Input: the bytes. Output: a [`WebP`], which borrows the coded pictures. The decoder takes the
//! first picture of a simple file, the picture of an extended one, or the first frame of an
//! animation (<https://developers.google.com/speed/webp/docs/riff_container>). Invariants: every
//! picture that is decoded has the size that the file shows, or that of a frame within it; every
//! loop moves forward.

mod lossless;

use super::DecodeError;
use super::colour::{Colour, MAX_PROFILE};
use super::error::cut_short;
use super::heif::contradicts;
use super::limits::{self, DecodeLimits};

pub(super) use lossless::MAX_CODE_BYTES;

/// Length of the beginning of a file: `RIFF`, a length, `WEBP`.
pub(super) const HEAD: usize = 12;

/// Length of a frame's position, size and duration before its chunks.
const FRAME_HEAD: usize = 16;

/// A chunk: its kind, and its content.
type Chunk<'a> = (&'a [u8; 4], &'a [u8]);

/// Iterator over the chunks of a RIFF list.
#[derive(Debug, Clone)]
pub(super) struct Chunks<'a> {
    rest: &'a [u8],
}

impl<'a> Chunks<'a> {
    pub(super) fn new(list: &'a [u8]) -> Chunks<'a> {
        Chunks { rest: list }
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<Chunk<'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (head, rest) = std::mem::take(&mut self.rest).split_first_chunk::<8>()?;
        let (kind, length) = head.split_first_chunk::<4>().expect("eight bytes");
        let length = u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
        let Some(data) = rest.get(..length) else { return Some(Err(cut_short())) };
        // Chunks are padded to even lengths; the padding of the last one may be missing.
        self.rest = rest.get(length + (length & 1)..).unwrap_or_default();
        Some(Ok((kind, data)))
    }
}

/// A WebP whose claims were checked.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct WebP<'a> {
    /// Width and height that the file shows.
    pub(super) size: (u32, u32),
    /// Coded pictures that the decoder may decode: one, and its opacity.
    coded: Vec<CodedPicture<'a>>,
    pub(super) is_animated: bool,
    pub(super) colour: Colour<'a>,
}

/// A coded picture, or the opacity of one.
#[derive(Debug, PartialEq, Eq)]
struct CodedPicture<'a> {
    kind: CodedKind,
    size: (u32, u32),
    data: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodedKind {
    Lossy,
    Lossless,
    Opacity,
}

impl<'a> WebP<'a> {
    /// Walks the chunks of a file that begins with `RIFF` and `WEBP`.
    pub(super) fn parse(bytes: &'a [u8], limits: &DecodeLimits) -> Result<WebP<'a>, DecodeError> {
        let chunks = Chunks::new(bytes.get(HEAD..).unwrap_or_default());
        let mut metadata = 0;
        for chunk in chunks.clone() {
            let (kind, data) = chunk?;
            if let Some(claimed) = size_of(kind, data) {
                limits::check_sides(claimed, limits)?;
            }
            if !matches!(kind, b"VP8 " | b"VP8L" | b"VP8X" | b"ALPH" | b"ANMF" | b"ANIM") {
                limits::add_metadata(&mut metadata, data.len(), limits)?;
            }
        }
        let mut chunks = chunks.flatten();
        let (kind, data) = chunks.next().ok_or_else(cut_short)?;
        let size = size_of(kind, data).ok_or_else(cut_short)?;
        let webp = if kind == b"VP8X" {
            WebP::extended(&chunks, size, is_animated(data))?
        } else {
            let coded = vec![CodedPicture::new(kind, data, size)?];
            WebP { size, coded, is_animated: false, colour: Colour::default() }
        };
        let pixels = u64::from(size.0) * u64::from(size.1);
        let coded_bytes = webp.coded.iter().map(|picture| picture.data.len()).sum();
        limits::check_plausible(size, pixels, limits::FREE_WEBP_PIXELS, coded_bytes)?;
        Ok(webp)
    }

    /// Returns the picture of an extended file, or the first frame of an animation. Of several
    /// chunks of a kind the first one counts.
    fn extended(
        chunks: &(impl Iterator<Item = Chunk<'a>> + Clone),
        size: (u32, u32),
        is_animated: bool,
    ) -> Result<WebP<'a>, DecodeError> {
        let coded = if is_animated {
            first_frame(first_chunk(chunks, b"ANMF").ok_or_else(cut_short)?, size)?
        } else {
            let mut pictures = Vec::new();
            for kind in [b"VP8 ", b"VP8L", b"ALPH"] {
                if let Some(data) = first_chunk(chunks, kind) {
                    pictures.push(CodedPicture::new(kind, data, size)?);
                }
            }
            pictures
        };
        let profile =
            first_chunk(chunks, b"ICCP").filter(|data| data.len() <= MAX_PROFILE).map(Into::into);
        Ok(WebP { size, coded, is_animated, colour: Colour { profile, code_points: None } })
    }

    /// Returns whether a picture of the file is lossless, or its opacity is coded like one.
    pub(super) fn is_lossless(&self) -> bool {
        self.coded.iter().any(|picture| picture.kind != CodedKind::Lossy)
    }

    /// Checks that the prefix codes of lossless pictures take no more than [`MAX_CODE_BYTES`].
    pub(super) fn check_codes(&self) -> Result<(), DecodeError> {
        self.coded.iter().try_for_each(|picture| match picture.kind {
            CodedKind::Lossy => Ok(()),
            CodedKind::Lossless => lossless::check_codes(picture.data, None),
            // The lowest bits of the first byte say whether the rest is coded.
            CodedKind::Opacity => match picture.data.split_first() {
                Some((head, rest)) if head & 3 == 1 => {
                    lossless::check_codes(rest, Some(picture.size))
                }
                _ => Ok(()),
            },
        })
    }
}

impl<'a> CodedPicture<'a> {
    /// Returns a coded picture, if it has the size of its place.
    fn new(
        kind: &[u8; 4],
        data: &'a [u8],
        size: (u32, u32),
    ) -> Result<CodedPicture<'a>, DecodeError> {
        if size_of(kind, data).is_some_and(|claimed| claimed != size) {
            return Err(contradicts("its size"));
        }
        let kind = match kind {
            b"VP8L" => CodedKind::Lossless,
            b"ALPH" => CodedKind::Opacity,
            b"VP8 " => CodedKind::Lossy,
            _ => return Err(contradicts("its coding")),
        };
        Ok(CodedPicture { kind, size, data })
    }
}

/// Returns whether the flags of an extended file say that it is an animation.
fn is_animated(header: &[u8]) -> bool {
    const ANIMATION: u8 = 0x02;
    header.first().is_some_and(|flags| flags & ANIMATION != 0)
}

/// Returns the coded pictures of a frame: a lossy or lossless one, or opacity and a lossy one.
///
/// The decoder would decode pictures of any size before it compares them with the frame.
fn first_frame(frame: &[u8], canvas: (u32, u32)) -> Result<Vec<CodedPicture<'_>>, DecodeError> {
    let (head, list) = frame.split_at_checked(FRAME_HEAD).ok_or_else(cut_short)?;
    let left = number(head, 0, 3).ok_or_else(cut_short)? * 2;
    let top = number(head, 3, 3).ok_or_else(cut_short)? * 2;
    let width = number(head, 6, 3).ok_or_else(cut_short)? + 1;
    let height = number(head, 9, 3).ok_or_else(cut_short)? + 1;
    let size = (width, height);
    if left + size.0 > canvas.0 || top + size.1 > canvas.1 {
        return Err(contradicts("its size"));
    }
    let chunks = Chunks::new(list);
    let begins_with_opacity =
        chunks.clone().next().is_some_and(|chunk| chunk.is_ok_and(|(kind, _)| kind == b"ALPH"));
    let count = if begins_with_opacity { 2 } else { 1 };
    let pictures = chunks.take(count).map(|chunk| {
        let (kind, data) = chunk?;
        CodedPicture::new(kind, data, size)
    });
    let coded: Vec<CodedPicture<'_>> = pictures.collect::<Result<_, _>>()?;
    let is_whole = coded.len() == count
        && coded[count - 1].kind != CodedKind::Opacity
        && (count == 1 || coded[1].kind == CodedKind::Lossy);
    if is_whole { Ok(coded) } else { Err(contradicts("its coding")) }
}

/// Returns the content of the first chunk of a kind.
fn first_chunk<'a>(
    chunks: &(impl Iterator<Item = Chunk<'a>> + Clone),
    wanted: &[u8; 4],
) -> Option<&'a [u8]> {
    chunks.clone().find(|(kind, _)| *kind == wanted).map(|(_, data)| data)
}

/// Reads a number of at most four bytes, the lowest first.
fn number(data: &[u8], at: usize, bytes: usize) -> Option<u32> {
    let part = data.get(at..at + bytes)?;
    Some(part.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
}

/// Reads width and height in a chunk: the canvas, or a lossy or lossless picture.
fn size_of(kind: &[u8], data: &[u8]) -> Option<(u32, u32)> {
    const SIDE: u32 = (1 << 14) - 1;
    match kind {
        // Flags precede the canvas.
        b"VP8X" => Some((number(data, 4, 3)? + 1, number(data, 7, 3)? + 1)),
        // A frame tag and a start code precede the size.
        b"VP8 " => Some((number(data, 6, 2)? & SIDE, number(data, 8, 2)? & SIDE)),
        // After a signature of one byte, both sides share four bytes.
        b"VP8L" => {
            let sides = number(data, 1, 4)?;
            Some(((sides & SIDE) + 1, (sides >> 14 & SIDE) + 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).expect("short");
        let padding: &[u8] = if data.len() % 2 == 1 { &[0] } else { &[] };
        [&kind[..], &length.to_le_bytes(), data, padding].concat()
    }

    fn webp(chunks: &[Vec<u8>]) -> Vec<u8> {
        [&b"RIFF\0\0\0\0WEBP"[..], &chunks.concat()].concat()
    }

    fn three_bytes(number: u32) -> [u8; 3] {
        let [a, b, c, _] = number.to_le_bytes();
        [a, b, c]
    }

    fn canvas(flags: u8, (width, height): (u32, u32)) -> Vec<u8> {
        chunk(
            b"VP8X",
            &[&[flags, 0, 0, 0][..], &three_bytes(width - 1), &three_bytes(height - 1)].concat(),
        )
    }

    fn lossy((width, height): (u16, u16)) -> Vec<u8> {
        let sides = [width.to_le_bytes(), height.to_le_bytes()].concat();
        chunk(b"VP8 ", &[&[0; 3][..], b"\x9d\x01\x2a", &sides, &[0; 20]].concat())
    }

    fn frame((left, top): (u32, u32), (width, height): (u32, u32), chunks: &[Vec<u8>]) -> Vec<u8> {
        let head = [left / 2, top / 2, width - 1, height - 1].map(three_bytes).concat();
        chunk(b"ANMF", &[&head[..], &[0; 4], &chunks.concat()].concat())
    }

    fn parsed(bytes: &[u8]) -> Result<(u32, u32), DecodeError> {
        WebP::parse(bytes, &DecodeLimits::default()).map(|webp| webp.size)
    }

    #[test]
    fn a_picture_has_the_size_that_the_file_shows() {
        assert_eq!(parsed(&webp(&[lossy((64, 32))])), Ok((64, 32)));
        assert_eq!(parsed(&webp(&[canvas(0, (64, 32)), lossy((64, 32))])), Ok((64, 32)));
        let wrong = parsed(&webp(&[canvas(0, (64, 32)), lossy((4000, 4000))]));
        assert_eq!(wrong, Err(contradicts("its size")));
        assert_eq!(parsed(&webp(&[])), Err(cut_short()));
    }

    #[test]
    fn a_frame_lies_within_its_canvas_and_has_its_own_size() {
        let animation =
            |frame: Vec<u8>| parsed(&webp(&[canvas(2, (64, 64)), chunk(b"ANIM", &[0; 6]), frame]));
        let small = [lossy((32, 16))];
        assert_eq!(animation(frame((32, 48), (32, 16), &small)), Ok((64, 64)));
        let opacity = [chunk(b"ALPH", &[0; 513]), lossy((32, 16))];
        assert_eq!(animation(frame((0, 0), (32, 16), &opacity)), Ok((64, 64)));
        for (wrong, what) in [
            (frame((34, 48), (32, 16), &small), "its size"),
            (frame((0, 0), (16_384, 16_384), &[lossy((16_383, 16_383))]), "its size"),
            (frame((0, 0), (32, 16), &[lossy((16_383, 16_383))]), "its size"),
            (frame((0, 0), (32, 16), &[chunk(b"ALPH", &[0]), lossy((64, 64))]), "its size"),
            (frame((0, 0), (32, 16), &[chunk(b"ALPH", &[0]), chunk(b"ALPH", &[0])]), "its coding"),
            (frame((0, 0), (32, 16), &[chunk(b"ALPH", &[0])]), "its coding"),
            (frame((0, 0), (32, 16), &[chunk(b"EXIF", &[0])]), "its coding"),
            (frame((0, 0), (32, 16), &[]), "its coding"),
        ] {
            assert_eq!(animation(wrong), Err(contradicts(what)));
        }
    }
}
