//! Coefficients of one block of a sequential scan.
//!
//! Input: a position in the bits, the codes, and the coefficients that the requested pixels need.
//! Output: a [`Block`] with these coefficients. Invariant: the others are skipped and not kept.

use super::bits::Bits;
use super::huffman::{Code, END, Kind, Numbers, Skips};

/// Order of a block's coefficients in a file: their indices in rows of eight.
pub(super) const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// Slot for coefficients that are not needed.
const UNUSED: u8 = 64;

/// Selection of the coefficients that are kept, and their slots.
pub(super) struct BlockLayout {
    /// Slot of each coefficient by its index in the file; beyond the last coefficient the slot is
    /// unused.
    slots: [u8; 256],
    /// Index in the file of the last coefficient that is kept.
    last: u8,
    /// Number of coefficients that are kept.
    pub(super) size: usize,
}

impl BlockLayout {
    /// Keeps `width` by `height` coefficients, stored column by column.
    pub(super) fn new(width: usize, height: usize) -> BlockLayout {
        let mut layout = BlockLayout { slots: [UNUSED; 256], last: 0, size: width * height };
        for (place, natural) in ZIGZAG.into_iter().enumerate() {
            let row = usize::from(natural / 8);
            let column = usize::from(natural % 8);
            if row < height && column < width {
                layout.slots[place] = (column * height + row) as u8;
                layout.last = place as u8;
            }
        }
        layout
    }

    /// Returns the slot of a coefficient in a block.
    #[inline(always)]
    pub(super) fn slot(&self, place: u8) -> usize {
        usize::from(self.slots[usize::from(place)] & 127)
    }
}

/// Coefficients of a block.
pub(super) struct Block {
    /// Coefficients that are kept, followed by a slot for the others.
    pub(super) values: [i16; 128],
    /// Whether all coefficients but the first are zero.
    pub(super) is_flat: bool,
}

impl Block {
    pub(super) const EMPTY: Block = Block { values: [0; 128], is_flat: true };

    /// Clears the coefficients of a block of `size`. One of two fixed lengths is cleared, which is
    /// faster.
    #[inline(always)]
    fn clear(&mut self, size: usize) {
        if size <= 16 {
            self.values[..16].fill(0);
        } else {
            self.values[..64].fill(0);
        }
    }
}

/// Codes of a component's blocks.
pub(super) struct Codes {
    means: Numbers,
    coefficients: Numbers,
    skips: Skips,
}

impl Codes {
    pub(super) fn new(means: Code, coefficients: Code) -> Codes {
        let skips = Skips::new(&coefficients);
        let means = Numbers::new(means, Kind::Mean);
        Codes { means, coefficients: Numbers::new(coefficients, Kind::Coefficient), skips }
    }

    /// Reads a block; `mean` is that of the component's previous block. Returns `None` if the bits
    /// are not a valid code.
    #[inline(always)]
    pub(super) fn read(
        &self,
        bits: &mut Bits<'_>,
        layout: &BlockLayout,
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
            // A code has up to 16 bits, and a coefficient up to 10: the buffer holds enough for two
            // of each.
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
