//! Colour information of a file: its profile, or code points that name a gamut and a curve.
//!
//! Input: what the segments and chunks of a file contain. Output: a [`Colour`], by the precedence
//! of each format. Nothing is converted here. Invariant: no profile of more than [`MAX_PROFILE`]
//! bytes is assembled or unpacked, whatever the file claims; one that is larger or incomplete is
//! ignored, as most software does.

use std::borrow::Cow;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::profile;

/// Maximum size of a profile in bytes. Those of cameras, phones and editors have 0.5 to 4 kB, those
/// of measured screens up to some hundred. Larger ones consist of tables for printers, which are
/// not used.
pub(super) const MAX_PROFILE: usize = 1 << 19;

/// Colour by code points (ITU-T H.273).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodePoints {
    pub(super) primaries: u16,
    pub(super) transfer: u16,
    pub(super) matrix: u16,
    pub(super) full_range: bool,
}

impl CodePoints {
    /// Code point for an unspecified value.
    pub(super) const UNSPECIFIED: u16 = 2;
}

/// Colour information of a file. If that of a HEIC or AVIF is missing, that of its coded picture
/// counts; pictures of other formats are then sRGB.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Colour<'a> {
    /// Profile of the International Color Consortium, which takes precedence.
    pub(super) profile: Option<Cow<'a, [u8]>>,
    pub(super) code_points: Option<CodePoints>,
}

/// Colour information of a JPEG, collected from its segments.
#[derive(Debug, Default)]
pub(super) struct JpegColour<'a> {
    /// Pieces of the profile by their numbers, which begin at 1.
    pieces: Vec<(u8, &'a [u8])>,
    /// Number of pieces that the first one names.
    count: u8,
    is_adobe_rgb: bool,
}

impl<'a> JpegColour<'a> {
    /// Beginning of a segment with a piece of a profile (ICC.1:2022, annex B.4).
    pub(super) const PROFILE: &'static [u8] = b"ICC_PROFILE\0";

    /// Adds the content of an application segment.
    pub(super) fn add(&mut self, marker: u8, data: &'a [u8]) {
        match marker {
            0xe1 if data.starts_with(b"Exif\0\0") => {
                self.is_adobe_rgb = names_adobe_rgb(&data[6..]);
            }
            0xe2 => {
                let piece = data.strip_prefix(Self::PROFILE);
                if let Some((&[number, count], piece)) = piece.and_then(<[u8]>::split_first_chunk) {
                    self.count = if self.pieces.is_empty() { count } else { self.count };
                    self.pieces.push((number, piece));
                }
            }
            _ => {}
        }
    }

    /// Returns the colour: the profile if all its pieces are there, or else that of the Exif block.
    pub(super) fn finish(mut self) -> Colour<'a> {
        self.pieces.sort_by_key(|(number, _)| *number);
        let numbers = self.pieces.iter().map(|(number, _)| *number);
        let is_whole = !self.pieces.is_empty() && numbers.eq(1..=self.count);
        let size: usize = self.pieces.iter().map(|(_, piece)| piece.len()).sum();
        let embedded = match self.pieces[..] {
            _ if !is_whole || size > MAX_PROFILE => None,
            [(_, piece)] => Some(Cow::Borrowed(piece)),
            _ => Some(Cow::Owned(
                self.pieces.iter().flat_map(|(_, piece)| *piece).copied().collect(),
            )),
        };
        let profile = match embedded {
            None if self.is_adobe_rgb => profile::adobe_rgb().map(Cow::Owned),
            embedded => embedded,
        };
        Colour { profile, code_points: None }
    }
}

/// Returns whether an Exif block names Adobe RGB, as cameras do that embed no profile: the index of
/// its interoperability directory is then `R03` (DCF 2.0, option files).
fn names_adobe_rgb(tiff: &[u8]) -> bool {
    const EXIF: u16 = 0x8769;
    const INTEROPERABILITY: u16 = 0xa005;
    const INDEX: u16 = 1;
    let Some(tiff) = Tiff::parse(tiff) else { return false };
    let first = tiff.number(4, 4);
    let index = first.and_then(|first| {
        let exif = tiff.number(tiff.value(first, EXIF)?, 4)?;
        let interoperability = tiff.number(tiff.value(exif, INTEROPERABILITY)?, 4)?;
        let at = tiff.value(interoperability, INDEX)?;
        tiff.bytes.get(at..at + 3)
    });
    index == Some(b"R03")
}

/// Directories of a TIFF.
struct Tiff<'a> {
    bytes: &'a [u8],
    is_little_endian: bool,
}

impl<'a> Tiff<'a> {
    fn parse(bytes: &'a [u8]) -> Option<Tiff<'a>> {
        let is_little_endian = match bytes.first_chunk()? {
            b"II*\0" => true,
            b"MM\0*" => false,
            _ => return None,
        };
        Some(Tiff { bytes, is_little_endian })
    }

    /// Reads a number of at most four bytes.
    fn number(&self, at: usize, length: usize) -> Option<usize> {
        let bytes = self.bytes.get(at..at.checked_add(length)?)?;
        let mut number = 0;
        for at in 0..length {
            let place = if self.is_little_endian { length - 1 - at } else { at };
            number = number << 8 | usize::from(bytes[place]);
        }
        Some(number)
    }

    /// Returns the position of the value of an entry with this tag, if the value is in the entry.
    fn value(&self, directory: usize, tag: u16) -> Option<usize> {
        let entries = self.number(directory, 2)?;
        (0..entries)
            .map(|entry| directory + 2 + 12 * entry)
            .find(|&at| self.number(at, 2) == Some(usize::from(tag)))
            .map(|at| at + 8)
    }
}

/// Colour information of a PNG, collected from its chunks (PNG, third edition, 11.3.2).
#[derive(Debug, Default)]
pub(super) struct PngColour<'a> {
    code_points: Option<CodePoints>,
    profile: Option<&'a [u8]>,
    is_srgb: bool,
    /// Exponent of the samples, times 100,000.
    gamma: Option<u32>,
    /// White, red, green and blue, each as x and y, times 100,000.
    chromaticities: Option<[u32; 8]>,
}

impl<'a> PngColour<'a> {
    /// Adds the content of a chunk.
    pub(super) fn add(&mut self, kind: &[u8], data: &'a [u8]) {
        match (kind, data) {
            (b"cICP", &[primaries, transfer, matrix, range]) => {
                let [primaries, transfer, matrix] = [primaries, transfer, matrix].map(u16::from);
                let full_range = range != 0;
                self.code_points = Some(CodePoints { primaries, transfer, matrix, full_range });
            }
            (b"iCCP", _) => self.profile = self.profile.or(Some(data)),
            (b"sRGB", _) => self.is_srgb = true,
            (b"gAMA", _) => self.gamma = numbers(data).map(|[gamma]| gamma),
            (b"cHRM", _) => self.chromaticities = numbers(data),
            _ => {}
        }
    }

    /// Returns the colour: of several the one that takes precedence.
    pub(super) fn finish(self) -> Colour<'a> {
        if self.code_points.is_some() {
            return Colour { profile: None, code_points: self.code_points };
        }
        let profile = match self.profile {
            Some(chunk) => unpacked(chunk),
            None if self.is_srgb => None,
            None => profile::chromaticity_profile(self.gamma, self.chromaticities),
        };
        Colour { profile: profile.map(Cow::Owned), code_points: None }
    }
}

/// Unpacks a profile behind its name, a zero byte and the method of compression.
fn unpacked(chunk: &[u8]) -> Option<Vec<u8>> {
    let name = chunk.iter().take(80).position(|&byte| byte == 0)?;
    let packed = chunk.get(name + 1..)?.strip_prefix(&[0])?;
    decompress_to_vec_zlib_with_limit(packed, MAX_PROFILE).ok()
}

/// Reads numbers of four bytes, if there are just as many.
fn numbers<const COUNT: usize>(data: &[u8]) -> Option<[u32; COUNT]> {
    let (numbers, []) = data.as_chunks::<4>() else { return None };
    let numbers: &[[u8; 4]; COUNT] = numbers.try_into().ok()?;
    Some(numbers.map(u32::from_be_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(number: u8, count: u8, data: &[u8]) -> Vec<u8> {
        [JpegColour::PROFILE, &[number, count], data].concat()
    }

    fn profile(pieces: &[Vec<u8>]) -> Option<Vec<u8>> {
        let mut colour = JpegColour::default();
        pieces.iter().for_each(|piece| colour.add(0xe2, piece));
        colour.finish().profile.map(Cow::into_owned)
    }

    #[test]
    fn a_profile_in_pieces_is_joined_in_their_order_or_ignored() {
        assert_eq!(profile(&[piece(1, 1, b"whole")]), Some(b"whole".to_vec()));
        assert_eq!(profile(&[piece(2, 2, b"b"), piece(1, 2, b"a")]), Some(b"ab".to_vec()));
        for wrong in [
            vec![piece(1, 2, b"a")],
            vec![piece(1, 2, b"a"), piece(1, 2, b"a")],
            vec![piece(0, 1, b"a")],
            vec![piece(1, 1, b"a"), piece(2, 1, b"b")],
            vec![piece(1, 1, &[0; MAX_PROFILE + 1])],
            vec![b"ICC_PROFILE\0\x01".to_vec()],
            vec![],
        ] {
            assert_eq!(profile(&wrong), None);
        }
    }

    /// Returns an Exif block whose interoperability directory has an index.
    fn exif(index: &[u8; 4], is_little_endian: bool) -> Vec<u8> {
        let number = |value: u32, length: usize| {
            let bytes = value.to_be_bytes();
            let mut bytes = bytes[4 - length..].to_vec();
            if is_little_endian {
                bytes.reverse();
            }
            bytes
        };
        let directory = |tag: u32, value: &[u8]| {
            [&number(1, 2), &number(tag, 2), &number(4, 2), &number(1, 4), value, &[0; 4]].concat()
        };
        let head: &[u8] = if is_little_endian { b"II*\0" } else { b"MM\0*" };
        let (exif, interoperability) = (8 + 18, 8 + 36);
        [
            head,
            &number(8, 4),
            &directory(0x8769, &number(exif, 4)),
            &directory(0xa005, &number(interoperability, 4)),
            &directory(1, index),
        ]
        .concat()
    }

    #[test]
    fn cameras_that_embed_no_profile_name_adobe_rgb_in_exif() {
        for is_little_endian in [true, false] {
            assert!(names_adobe_rgb(&exif(b"R03\0", is_little_endian)));
            assert!(!names_adobe_rgb(&exif(b"R98\0", is_little_endian)));
        }
        let whole = exif(b"R03\0", true);
        for length in 0..whole.len() - 8 {
            assert!(!names_adobe_rgb(&whole[..length]), "{length}");
        }
        // A directory that leads to itself.
        let circle = b"II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\0\0\0\0";
        assert!(!names_adobe_rgb(circle));
    }

    #[test]
    fn chunks_of_a_png_take_precedence_in_the_order_of_the_standard() {
        let packed = |data: &[u8]| {
            let packed = miniz_oxide::deflate::compress_to_vec_zlib(data, 6);
            [b"name\0\0", packed.as_slice()].concat()
        };
        let profile = packed(b"profile");
        let linear = 100_000_u32.to_be_bytes();
        let colour = |chunks: &[(&[u8], &[u8])]| {
            let mut colour = PngColour::default();
            chunks.iter().for_each(|(kind, data)| colour.add(kind, data));
            let Colour { profile, code_points } = colour.finish();
            (profile.map(Cow::into_owned), code_points.map(|points| points.primaries))
        };
        let all: [(&[u8], &[u8]); 4] =
            [(b"gAMA", &linear), (b"sRGB", &[0]), (b"iCCP", &profile), (b"cICP", &[12, 13, 0, 1])];
        assert_eq!(colour(&all), (None, Some(12)));
        assert_eq!(colour(&all[..3]), (Some(b"profile".to_vec()), None));
        assert_eq!(colour(&all[..2]), (None, None));
        assert!(colour(&all[..1]).0.is_some_and(|profile| profile.len() > 128));
        for broken in [&b"name\0\0garbage"[..], b"", b"no end", &packed(&vec![0; MAX_PROFILE + 1])]
        {
            assert_eq!(colour(&[(b"iCCP", broken)]), (None, None));
        }
    }
}
