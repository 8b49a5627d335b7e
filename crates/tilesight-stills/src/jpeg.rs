//! Decoding of JPEG files at a half or a quarter of their size, and of parts of them at full size.
//!
//! A JPEG stores blocks of eight by eight pixels as frequencies. Without the high frequencies the
//! result is a smaller picture, as sharp as one that was decoded in full and shrunk, for less than
//! half of the work. Libraries with this feature take half as long again, and keep nothing that
//! allows decoding a part of the picture later. Input: the bytes of a file. Output: the rows of a
//! [`Picture`], not yet upright, and the [`Detail`] for its parts. The modules in the order of the
//! work: [`header`], [`bits`], [`huffman`], [`block`], [`sequential`] or [`progressive`],
//! [`transform`], [`picture`]. Invariants: an unusual or broken file gives `None`, never a guess;
//! the work is linear in the bytes of the file and in the pixels that its header claims, which the
//! caller has limited.

mod bits;
mod block;
mod detail;
mod header;
mod huffman;
mod picture;
mod plan;
mod progressive;
mod sequential;
mod transform;
mod units;

pub(super) use detail::Detail;
use header::{Colours, Headers, Scan};
pub(super) use picture::Picture;

/// A JPEG, read up to its first scan.
pub(super) struct Jpeg<'a> {
    headers: Headers<'a>,
    first: Scan,
    colours: Colours,
}

impl<'a> Jpeg<'a> {
    /// Reads the headers.
    pub(super) fn open(bytes: &'a [u8]) -> Option<Jpeg<'a>> {
        let mut headers = Headers::parse(bytes)?;
        let first = headers.next_scan()??;
        let colours = headers.colours()?;
        Some(Jpeg { headers, first, colours })
    }

    /// Returns width and height in pixels, as stored.
    pub(super) fn size(&self) -> (u32, u32) {
        self.headers.frame().map_or((0, 0), |frame| (frame.size.0 as u32, frame.size.1 as u32))
    }

    /// Returns the content of the Exif block.
    pub(super) fn exif(&self) -> Option<&'a [u8]> {
        self.headers.exif
    }

    /// Decodes the picture at a half or a quarter of its size, rounded up, and passes a few rows at
    /// a time to `write`, with the index of the first one. Returns the [`Detail`] for decoding
    /// parts at full size, if all coefficients are in one scan; `None` if the file is unusual or
    /// broken, which may only be detected at its end.
    pub(super) fn decode_reduced(
        self,
        factor: usize,
        write: &mut dyn FnMut(usize, &Picture),
    ) -> Option<Option<Detail>> {
        let frame = self.headers.frame()?;
        if frame.is_progressive || self.first.parts.len() < frame.components.len() {
            progressive::decode(self, factor, write).map(|()| None)
        } else {
            sequential::decode(self, factor, write).map(Some)
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use image::RgbImage;

    use super::*;
    use crate::{DecodeLimits, Photo};

    const FILES: [&str; 15] = [
        "sequential-420",
        "sequential-422",
        "sequential-440",
        "sequential-444",
        "sequential-grey",
        "sequential-rgb",
        "progressive-420",
        "progressive-422",
        "progressive-440",
        "progressive-grey",
        "restart-420",
        "restart-progressive-420",
        "apart-420",
        "apart-restart-422",
        "narrow-420",
    ];

    /// Reads a file of the test data.
    pub(crate) fn file(name: &str) -> Vec<u8> {
        let path = format!("{}/../../tests/data/jpeg/{name}.jpg", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(path).expect("it is there")
    }

    fn decode_reduced(bytes: &[u8], factor: usize) -> Option<Picture> {
        let jpeg = Jpeg::open(bytes)?;
        let mut whole = Picture { size: (0, 0), pixels: Vec::new() };
        jpeg.decode_reduced(factor, &mut |top, rows| {
            assert_eq!(top, whole.size.1, "rows come in order");
            whole.size = (rows.size.0, top + rows.size.1);
            whole.pixels.extend(&rows.pixels);
        })?;
        Some(whole)
    }

    /// Returns the mean difference in levels between a reduced picture and the averaged pixels of
    /// the full one.
    fn difference(part: &Picture, whole: &RgbImage, factor: u32) -> f64 {
        let mut sum = 0.0;
        for (at, levels) in part.pixels.as_chunks::<3>().0.iter().enumerate() {
            let (x, y) = ((at % part.size.0) as u32 * factor, (at / part.size.0) as u32 * factor);
            let mut means = [0.0; 3];
            for n in 0..factor * factor {
                let at = (x + n % factor, y + n / factor);
                let inside = (at.0.min(whole.width() - 1), at.1.min(whole.height() - 1));
                let pixel = whole.get_pixel(inside.0, inside.1).0;
                for (mean, level) in means.iter_mut().zip(pixel) {
                    *mean += f64::from(level) / f64::from(factor * factor);
                }
            }
            let differences = means.iter().zip(levels).map(|(a, b)| (a - f64::from(*b)).abs());
            sum += differences.sum::<f64>();
        }
        sum / part.pixels.len() as f64
    }

    #[test]
    fn a_part_shows_what_the_image_library_shows() {
        for name in FILES {
            let bytes = file(name);
            // The image library confuses the colours of components in separate scans.
            let interleaved = name.replace("apart-restart", "sequential");
            let interleaved = file(&interleaved.replace("apart", "sequential"));
            let whole = Photo::decode(&interleaved, &DecodeLimits::default()).expect("it decodes");
            for factor in [2, 4] {
                let part = decode_reduced(&bytes, factor as usize).expect(name);
                let (width, height) = whole.size();
                let size = (width.div_ceil(factor) as usize, height.div_ceil(factor) as usize);
                assert_eq!(part.size, size, "{name}");
                // The low frequencies are a little sharper than the mean. libjpeg's result differs
                // by as much.
                let found = difference(&part, whole.image(), factor);
                assert!(found < 3.0, "{name} by {factor}: {found}");
            }
        }
    }

    #[test]
    fn the_order_of_scans_changes_nothing() {
        for (one, other) in [
            ("sequential-420", "progressive-420"),
            ("sequential-420", "restart-420"),
            ("sequential-420", "restart-progressive-420"),
            ("sequential-422", "progressive-422"),
            ("sequential-440", "progressive-440"),
            ("sequential-grey", "progressive-grey"),
        ] {
            for factor in [2, 4] {
                assert!(
                    decode_reduced(&file(one), factor) == decode_reduced(&file(other), factor),
                    "{other}"
                );
            }
        }
    }

    /// Returns the position behind a marker.
    fn behind(bytes: &[u8], marker: u8) -> usize {
        bytes.windows(2).position(|pair| pair == [0xff, marker]).expect("it is there") + 2
    }

    #[test]
    fn unusual_and_broken_files_are_left_to_others() {
        let whole = file("sequential-420");
        let (frame, scan, codes) =
            (behind(&whole, 0xc0), behind(&whole, 0xda), behind(&whole, 0xc4));
        for (at, value, what) in [
            (frame - 1, 0xc9, "arithmetic coding"),
            (frame - 1, 0xc3, "lossless"),
            (frame + 2, 12, "twelve bits"),
            (frame + 4, 0, "a height of a few pixels"),
            (frame + 7, 4, "four components"),
            (frame + 9, 0x41, "four blocks across"),
            (frame + 12, 0x21, "colours that are twice as wide"),
            (frame + 10, 3, "missing quantizers"),
            (scan + 3, 9, "an unknown component"),
            (scan + 4, 0x33, "missing codes"),
            (scan + 10, 40, "not all coefficients"),
            (codes + 3, 5, "five codes of one bit"),
        ] {
            let mut bytes = whole.clone();
            assert_ne!(bytes[at], value, "{what}");
            bytes[at] = value;
            assert!(decode_reduced(&bytes, 2).is_none(), "{what}");
        }
        assert!(decode_reduced(&whole, 2).is_some());
        assert!(decode_reduced(&whole, 3).is_none(), "no such size");
        assert!(decode_reduced(b"", 2).is_none());
    }

    #[test]
    fn truncated_files_are_left_to_others() {
        for name in ["sequential-420", "restart-420", "progressive-422", "apart-restart-422"] {
            let whole = file(name);
            for length in (0..whole.len() - 1).step_by(61) {
                assert!(decode_reduced(&whole[..length], 4).is_none(), "{name} {length}");
                // The end marker is present, but not the data before it.
                let mut bytes = whole[..length].to_vec();
                bytes.extend([0xff, 0xd9]);
                let is_sequential = !name.starts_with("progressive");
                assert!(!is_sequential || decode_reduced(&bytes, 4).is_none(), "{name} {length}");
            }
        }
    }

    #[test]
    fn no_damage_makes_it_panic() {
        for name in FILES {
            let whole = file(name);
            for n in 0..60 {
                let mut bytes = whole.clone();
                let at = n * 7919 % bytes.len();
                // Half of the changes are in the headers, where a byte has the most effect.
                let at = if n % 2 == 0 { at % 700 } else { at };
                bytes[at] ^= 1 << (n % 8);
                let _ = decode_reduced(&bytes, 4);
            }
        }
    }
}
