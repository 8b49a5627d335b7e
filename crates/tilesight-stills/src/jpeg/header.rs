//! Headers of a JPEG: its size, its components, and the tables that its scans use.
//!
//! Input: the bytes. Output: [`Headers`] at the first scan, and each [`Scan`] with the tables in
//! effect there. Invariant: `None` for files that are not supported here (twelve bits, arithmetic
//! coding, lossless and hierarchical files, four colours, unusual sampling) and for files that
//! contradict themselves; nothing is allocated in proportion to what the file claims.

use super::block::ZIGZAG;
use super::huffman::Code;

/// A component of a picture: brightness or a colour.
#[derive(Clone, Copy)]
pub(super) struct Component {
    id: u8,
    /// Number of the component's blocks in a unit, across and down.
    pub(super) blocks: (usize, usize),
    quantizers: u8,
}

/// Meaning of the components.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Colours {
    Grey,
    /// Brightness, and the differences of blue and of red from grey.
    YCbCr,
    Rgb,
}

/// Description of the picture in its frame header.
pub(super) struct Frame {
    /// Width and height in pixels.
    pub(super) size: (usize, usize),
    pub(super) is_progressive: bool,
    /// Components; there are one or three.
    pub(super) components: Vec<Component>,
}

impl Frame {
    /// Returns the number of blocks of the first component in a unit, across and down. The other
    /// components have one block each.
    fn unit(&self) -> (usize, usize) {
        self.components[0].blocks
    }

    /// Returns the size of the picture, reduced by a factor.
    pub(super) fn reduced_size(&self, factor: usize) -> (usize, usize) {
        (self.size.0.div_ceil(factor), self.size.1.div_ceil(factor))
    }

    /// Returns the number of pixels of the reduced picture in a unit, across and down.
    pub(super) fn unit_pixels(&self, factor: usize) -> (usize, usize) {
        let (across, down) = self.unit();
        (across * 8 / factor, down * 8 / factor)
    }

    /// Returns the number of blocks of a component that the picture needs, across and down.
    pub(super) fn blocks(&self, component: usize) -> (usize, usize) {
        let own = self.components[component].blocks;
        let unit = self.unit();
        let width = (self.size.0 * own.0).div_ceil(unit.0);
        let height = (self.size.1 * own.1).div_ceil(unit.1);
        (width.div_ceil(8), height.div_ceil(8))
    }

    /// Returns the number of units across and down; the last ones may reach beyond the picture.
    pub(super) fn units(&self) -> (usize, usize) {
        let (across, down) = self.unit();
        (self.size.0.div_ceil(8 * across), self.size.1.div_ceil(8 * down))
    }
}

/// A Huffman code as it is in the file: the number of symbols of each length, and the symbols.
#[derive(Clone)]
struct RawCode<'a> {
    counts: &'a [u8; 16],
    symbols: &'a [u8],
}

/// A component in a scan.
#[derive(Clone, Copy)]
pub(super) struct ScanComponent {
    /// Index of the component in the frame.
    pub(super) component: usize,
    /// Indices of the component's two codes, for means and for coefficients.
    pub(super) codes: (usize, usize),
}

/// A scan: some components, and some bits of their coefficients.
pub(super) struct Scan {
    pub(super) parts: Vec<ScanComponent>,
    /// First and last coefficient.
    pub(super) band: (u8, u8),
    /// Lowest bit of the coefficients from earlier scans, 0 for no earlier scan, and the lowest bit
    /// in this one.
    pub(super) bits: (u8, u8),
}

/// Headers, read up to a scan.
#[derive(Default)]
pub(super) struct Headers<'a> {
    bytes: &'a [u8],
    /// Position behind the data read so far.
    pub(super) at: usize,
    frame: Option<Frame>,
    quantizers: [Option<[u16; 64]>; 4],
    /// Codes for means and for coefficients.
    codes: [[Option<RawCode<'a>>; 4]; 2],
    /// Number of units between restart markers; 0 for no markers.
    pub(super) restart: usize,
    is_jfif: bool,
    adobe: Option<u8>,
    /// Content of the last Exif block.
    pub(super) exif: Option<&'a [u8]>,
}

impl<'a> Headers<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Headers<'a>> {
        bytes.starts_with(&[0xff, 0xd8]).then(|| Headers { bytes, at: 2, ..Headers::default() })
    }

    /// Returns the frame header without the rest.
    pub(super) fn into_frame(self) -> Option<Frame> {
        self.frame
    }

    /// Returns the frame header, if it was read.
    pub(super) fn frame(&self) -> Option<&Frame> {
        self.frame.as_ref()
    }

    /// Returns the bytes behind the data read so far.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Returns the quantizers of a component that are currently in effect, in rows of eight.
    pub(super) fn quantizers(&self, component: usize) -> Option<[u16; 64]> {
        let component = self.frame()?.components.get(component)?;
        *self.quantizers.get(usize::from(component.quantizers))?
    }

    /// Returns a code that is currently in effect, of kind 0 for means or 1 for coefficients.
    pub(super) fn code(&self, kind: usize, at: usize) -> Option<Code> {
        let raw = self.codes.get(kind)?.get(at)?.as_ref()?;
        Code::new(raw.counts, raw.symbols)
    }

    /// Returns the meaning of the components; `None` if the file does not define it.
    pub(super) fn colours(&self) -> Option<Colours> {
        let frame = self.frame()?;
        if frame.components.len() == 1 {
            return Some(Colours::Grey);
        }
        let named = [0, 1, 2].map(|at| frame.components[at].id) == *b"RGB";
        match (self.is_jfif, self.adobe) {
            (_, Some(1)) | (true, None) => Some(Colours::YCbCr),
            (false, None) if !named => Some(Colours::YCbCr),
            (false, Some(0)) => Some(Colours::Rgb),
            _ => None,
        }
    }

    /// Reads up to and including the header of the next scan; `Some(None)` at the end of the
    /// picture.
    pub(super) fn next_scan(&mut self) -> Option<Option<Scan>> {
        loop {
            let marker = self.marker()?;
            if marker == 0xd9 {
                return Some(None);
            }
            let segment = self.segment()?;
            match marker {
                0xc0..=0xc2 => self.read_frame(marker, segment)?,
                0xc4 => self.read_codes(segment)?,
                0xda => return self.read_scan(segment).map(Some),
                0xdb => self.read_quantizers(segment)?,
                0xdd => self.restart = usize::from(number(segment)?),
                0xe0 => self.is_jfif |= segment.starts_with(b"JFIF\0"),
                0xe1 => self.exif = segment.strip_prefix(b"Exif\0\0").or(self.exif),
                0xee if segment.starts_with(b"Adobe") => self.adobe = segment.get(11).copied(),
                0xe2..=0xef | 0xfe => {}
                _ => return None,
            }
        }
    }

    /// Reads the next marker; any number of 0xff may precede it.
    fn marker(&mut self) -> Option<u8> {
        let fill = self.rest().iter().take_while(|&&byte| byte == 0xff).count();
        let marker = *self.rest().get(fill)?;
        self.at += fill + 1;
        (fill > 0).then_some(marker)
    }

    fn segment(&mut self) -> Option<&'a [u8]> {
        let length = usize::from(number(self.rest())?);
        let segment = self.rest().get(2..length)?;
        self.at += length;
        Some(segment)
    }

    fn read_frame(&mut self, marker: u8, segment: &[u8]) -> Option<()> {
        let (&[8, _, _, _, _, count], described) = segment.split_first_chunk()? else {
            return None;
        };
        let size = (usize::from(number(&segment[3..])?), usize::from(number(&segment[1..])?));
        let (described, []) = described.as_chunks::<3>() else { return None };
        let count = usize::from(count);
        if self.frame.is_some()
            || size.0 == 0
            || size.1 == 0
            || !matches!(count, 1 | 3)
            || described.len() != count
        {
            return None;
        }
        let components = components(described)?;
        self.frame = Some(Frame { size, is_progressive: marker == 0xc2, components });
        Some(())
    }

    fn read_codes(&mut self, mut rest: &'a [u8]) -> Option<()> {
        while let Some((&target, behind)) = rest.split_first() {
            let (counts, behind) = behind.split_first_chunk::<16>()?;
            let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
            let (symbols, behind) = behind.split_at_checked(total)?;
            let codes = self.codes.get_mut(usize::from(target >> 4))?;
            *codes.get_mut(usize::from(target & 15))? = Some(RawCode { counts, symbols });
            rest = behind;
        }
        Some(())
    }

    fn read_quantizers(&mut self, mut rest: &[u8]) -> Option<()> {
        while let Some((&target, behind)) = rest.split_first() {
            let each = match target >> 4 {
                0 => 1,
                1 => 2,
                _ => return None,
            };
            let (values, behind) = behind.split_at_checked(64 * each)?;
            let mut table = [0; 64];
            for (value, natural) in values.chunks(each).zip(ZIGZAG) {
                table[usize::from(natural)] =
                    value.iter().fold(0, |sum, &byte| sum << 8 | u16::from(byte));
            }
            *self.quantizers.get_mut(usize::from(target & 15))? = Some(table);
            rest = behind;
        }
        Some(())
    }

    fn read_scan(&self, segment: &[u8]) -> Option<Scan> {
        let frame = self.frame()?;
        let (&count, rest) = segment.split_first()?;
        let (described, &[first, last, bits]) = rest.split_at_checked(2 * usize::from(count))?
        else {
            return None;
        };
        let mut parts: Vec<ScanComponent> = Vec::new();
        for &[id, codes] in described.as_chunks().0 {
            let component = frame.components.iter().position(|component| component.id == id)?;
            // Components are in the frame's order, each at most once.
            if parts.last().is_some_and(|part| part.component >= component) {
                return None;
            }
            parts.push(ScanComponent {
                component,
                codes: (usize::from(codes >> 4), usize::from(codes & 15)),
            });
        }
        if parts.is_empty() || first > last || last > 63 {
            return None;
        }
        Some(Scan { parts, band: (first, last), bits: (bits >> 4, bits & 15) })
    }
}

/// Returns the first two bytes as a number.
fn number(bytes: &[u8]) -> Option<u16> {
    bytes.first_chunk().copied().map(u16::from_be_bytes)
}

/// Reads the components of a frame: brightness may have twice as many blocks across or down.
fn components(described: &[[u8; 3]]) -> Option<Vec<Component>> {
    let mut components: Vec<Component> = described
        .iter()
        .map(|&[id, sampling, quantizers]| Component {
            id,
            blocks: (usize::from(sampling >> 4), usize::from(sampling & 15)),
            quantizers,
        })
        .collect();
    match components.as_mut_slice() {
        // A single component is not interleaved: its units are its blocks.
        [grey] if grey.blocks.0 > 0 && grey.blocks.1 > 0 => grey.blocks = (1, 1),
        [first, second, third]
            if matches!(first.blocks, (1..=2, 1..=2))
                && second.blocks == (1, 1)
                && third.blocks == (1, 1)
                && first.id != second.id
                && second.id != third.id
                && first.id != third.id => {}
        _ => return None,
    }
    Some(components)
}
