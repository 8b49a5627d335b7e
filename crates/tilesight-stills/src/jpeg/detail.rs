//! Decoding of parts of a picture at full size, after it was decoded at a reduced size.
//!
//! Input: the position in the bits at which each stretch of units begins, recorded by
//! [`sequential`](super::sequential). Output: the pixels of a stretch. Invariant: a stretch is the
//! same whatever else is decoded. Colours with fewer samples are enlarged within their blocks, so
//! that no neighbour matters.

use super::bits::Entropy;
use super::block::Codes;
use super::header::{Colours, Frame};
use super::picture::{Picture, Strip};
use super::plan::ConversionPlan;
use super::units::{StretchStart, UnitReader};

/// Number of units in a stretch: with 16 pixels each, a stretch is as wide as a small tile with its
/// surroundings, and the entries of 12 megapixels take 200 kB.
pub(super) const STRETCH: usize = 8;

/// Data needed to decode a picture's pixels at full size.
pub(in super::super) struct Detail {
    pub(super) frame: Frame,
    pub(super) colours: Colours,
    pub(super) restart: usize,
    pub(super) codes: Vec<Codes>,
    pub(super) plans: Vec<ConversionPlan>,
    pub(super) entropy: Entropy,
    /// Entries row by row, from left to right.
    pub(super) entries: Vec<StretchStart>,
}

impl Detail {
    /// Returns width and height in pixels of a stretch that the picture's edge does not cut off.
    pub(in super::super) fn stretch_size(&self) -> (usize, usize) {
        let (width, height) = self.frame.unit_pixels(1);
        (STRETCH * width, height)
    }

    /// Returns the number of stretches across and down.
    pub(in super::super) fn stretches(&self) -> (usize, usize) {
        let (across, down) = self.frame.units();
        (across.div_ceil(STRETCH), down)
    }

    /// Decodes the pixels of a stretch, as far as the picture reaches; `None` if there is no such
    /// stretch.
    pub(in super::super) fn stretch(&self, column: usize, row: usize) -> Option<Picture> {
        let (across, down) = self.stretches();
        if column >= across || row >= down {
            return None;
        }
        let entry = self.entries.get(row * across + column)?;
        let units = STRETCH.min(self.frame.units().0 - column * STRETCH);
        let mut strip = Strip::new(&self.frame, 1, units);
        let mut place = UnitReader::resume(&self.entropy, self.restart, entry);
        place.read(0, units, &self.plans, &self.codes, &mut strip)?;
        let (width, height) = self.stretch_size();
        let (whole_width, whole_height) = self.frame.size;
        let left_width = whole_width - column * width;
        let left_height = whole_height - row * height;
        let mut picture = Picture::new((left_width.min(width), left_height.min(height)));
        picture.fill(&strip, self.colours);
        Some(picture)
    }
}
