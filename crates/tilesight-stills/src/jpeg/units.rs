//! Units of a scan that has all components, decoded from any entry on.
//!
//! Input: the bits of a scan, and optionally the [`StretchStart`] to start at. Output: blocks,
//! written to a [`Strip`].

use super::bits::{BitPosition, Entropy, Intervals};
use super::block::{Block, Codes};
use super::picture::Strip;
use super::plan::ConversionPlan;

/// State at the start of a stretch of units.
pub(super) struct StretchStart {
    pub(super) place: BitPosition,
    /// Mean of each component's last block before the stretch.
    pub(super) means: [i16; 3],
}

/// Units of a scan, read one after the other.
pub(super) struct UnitReader<'a> {
    pub(super) intervals: Intervals<'a>,
    /// Mean of each component's last block.
    means: [i16; 3],
}

impl<'a> UnitReader<'a> {
    pub(super) fn new(intervals: Intervals<'a>) -> UnitReader<'a> {
        UnitReader { intervals, means: [0; 3] }
    }

    /// Starts at an entry.
    pub(super) fn resume(
        entropy: &'a Entropy,
        restart: usize,
        entry: &StretchStart,
    ) -> UnitReader<'a> {
        let intervals = Intervals::resume(entropy, restart, entry.place);
        UnitReader { intervals, means: entry.means }
    }

    pub(super) fn entry(&self) -> StretchStart {
        StretchStart { place: self.intervals.place(), means: self.means }
    }

    /// Reads `count` units into a strip; `None` if the bits are not a valid code, or if there are
    /// too few units.
    pub(super) fn read(
        &mut self,
        first: usize,
        count: usize,
        plans: &[ConversionPlan],
        codes: &[Codes],
        strip: &mut Strip,
    ) -> Option<()> {
        let mut block = Block::EMPTY;
        for unit in first..first + count {
            if self.intervals.begin_unit()? {
                self.means = [0; 3];
            }
            for (at, (plan, codes)) in plans.iter().zip(codes).enumerate() {
                for y in 0..plan.blocks.1 {
                    for x in 0..plan.blocks.0 {
                        let bits = &mut self.intervals.bits;
                        let mean = &mut self.means[at];
                        codes.read(bits, &plan.layout, mean, &mut block)?;
                        let place = (unit * plan.blocks.0 + x, y);
                        plan.write(&block, strip.block(at, plan, place));
                    }
                }
            }
        }
        Some(())
    }
}
