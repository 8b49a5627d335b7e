//! The coefficients of one block of a sequential scan.
//!
//! Input: a place in the bits, the codes, and which coefficients the wanted pixels need. Output: a
//! [`Block`] of these. Invariant: the others are passed but not kept.

use super::bits::Bits;
use super::huffman::{Code, END, Kind, Numbers, Skips};

/// The order in which a file has the coefficients of a block: their places in rows of eight.
pub(super) const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// Where the coefficients go that nobody asks for.
const UNUSED: u8 = 64;

/// Which coefficients are kept, and where.
pub(super) struct Layout {
    /// The place in a block by the place in the file; beyond the last coefficient it is unused.
    slots: [u8; 256],
    /// The place in the file of the last one that is kept.
    last: u8,
    /// How many are kept.
    pub(super) size: usize,
}

impl Layout {
    /// For blocks of so many coefficients across and down, column by column.
    pub(super) fn of(width: usize, height: usize) -> Layout {
        let mut layout = Layout { slots: [UNUSED; 256], last: 0, size: width * height };
        for (place, natural) in ZIGZAG.into_iter().enumerate() {
            let (row, column) = (usize::from(natural / 8), usize::from(natural % 8));
            if row < height && column < width {
                layout.slots[place] = (column * height + row) as u8;
                layout.last = place as u8;
            }
        }
        layout
    }

    /// The place in a block of a coefficient.
    #[inline(always)]
    pub(super) fn slot(&self, place: u8) -> usize {
        usize::from(self.slots[usize::from(place)] & 127)
    }
}

/// The coefficients of a block.
pub(super) struct Block {
    /// Those that are kept, followed by a place for the others.
    pub(super) values: [i16; 128],
    /// Whether all but the first are zero.
    pub(super) is_flat: bool,
}

impl Block {
    pub(super) const EMPTY: Block = Block { values: [0; 128], is_flat: true };

    /// Forgets the coefficients of a block of `size`; of two fixed lengths, which is faster.
    #[inline(always)]
    fn clear(&mut self, size: usize) {
        if size <= 16 {
            self.values[..16].fill(0);
        } else {
            self.values[..64].fill(0);
        }
    }
}

/// The codes of a component's blocks.
pub(super) struct Codes {
    means: Numbers,
    coefficients: Numbers,
    skips: Skips,
}

impl Codes {
    pub(super) fn of(means: Code, coefficients: Code) -> Codes {
        let skips = Skips::of(&coefficients);
        let means = Numbers::of(means, Kind::Mean);
        Codes { means, coefficients: Numbers::of(coefficients, Kind::Coefficient), skips }
    }

    /// Reads a block; `mean` is that of the component's block before it. `None` where the bits
    /// mean nothing.
    #[inline(always)]
    pub(super) fn read(
        &self,
        bits: &mut Bits<'_>,
        layout: &Layout,
        mean: &mut i16,
        block: &mut Block,
    ) -> Option<()> {
        let mut here = *bits;
        block.clear(layout.size);
        here.refill();
        let (difference, advance) = self.means.read(&mut here);
        if advance != 1 {
            return None;
        }
        *mean = mean.wrapping_add(difference);
        block.values[0] = *mean;
        let (value, mut place) = self.coefficients.read(&mut here);
        block.is_flat = place == END;
        block.values[layout.slot(place)] = value;
        while place < layout.last {
            // A code has up to 16 bits, and a coefficient up to 10: there are enough for two.
            here.refill();
            for _ in 0..2 {
                let (value, advance) = self.coefficients.read(&mut here);
                place = place.wrapping_add(advance);
                block.values[layout.slot(place)] = value;
                if place >= layout.last {
                    break;
                }
            }
        }
        while place < 63 {
            here.refill_if_low();
            place = match self.skips.pass(place, &mut here) {
                Some(next) => next,
                None => place.wrapping_add(self.coefficients.read(&mut here).1),
            };
        }
        *bits = here;
        (place == 63 || place >= END).then_some(())
    }
}
