//! Parts of a picture at full size, after it was decoded at a part of its size.
//!
//! Input: what [`sequential`](super::sequential) notes on its way: where in the bits each stretch
//! of units begins. Output: the pixels of a stretch. Invariant: a stretch is the same whatever else
//! is decoded; colours of fewer samples are enlarged within their blocks, so that no neighbour
//! matters.

use super::bits::{Entropy, Place};
use super::block::Codes;
use super::header::{Colours, Frame};
use super::picture::{Picture, Strip};
use super::plan::Plan;
use super::sequential::Units;

/// Units in a stretch: of 16 pixels each they are as wide as a small tile with what surrounds it,
/// and the entries of 12 megapixels take 200 kB.
pub(super) const STRETCH: usize = 8;

/// Where a stretch of units begins.
pub(super) struct Entry {
    pub(super) place: Place,
    /// The mean of each component's block before it.
    pub(super) means: [i16; 3],
}

/// What leads to the pixels of a picture at full size.
pub(in super::super) struct Detail {
    pub(super) frame: Frame,
    pub(super) colours: Colours,
    pub(super) restart: usize,
    pub(super) codes: Vec<Codes>,
    pub(super) plans: Vec<Plan>,
    pub(super) entropy: Entropy,
    /// In rows, from the left to the right.
    pub(super) entries: Vec<Entry>,
}

impl Detail {
    /// Width and height in pixels of a stretch that the picture does not cut off.
    pub(in super::super) fn stretch_size(&self) -> (usize, usize) {
        let (width, height) = self.frame.unit_pixels(1);
        (STRETCH * width, height)
    }

    /// How many stretches there are across and down.
    pub(in super::super) fn stretches(&self) -> (usize, usize) {
        let (across, down) = self.frame.units();
        (across.div_ceil(STRETCH), down)
    }

    /// The pixels of a stretch, as far as the picture reaches; `None` where there is no such
    /// stretch.
    pub(in super::super) fn stretch(&self, column: usize, row: usize) -> Option<Picture> {
        let (across, down) = self.stretches();
        if column >= across || row >= down {
            return None;
        }
        let entry = self.entries.get(row * across + column)?;
        let units = STRETCH.min(self.frame.units().0 - column * STRETCH);
        let mut strip = Strip::of(&self.frame, 1, units);
        let mut place = Units::from(&self.entropy, self.restart, entry);
        place.read(0, units, &self.plans, &self.codes, &mut strip)?;
        let (width, height) = self.stretch_size();
        let left = |side: usize, passed: usize, most: usize| (side - passed).min(most);
        let (whole_width, whole_height) = self.frame.size;
        let size =
            (left(whole_width, column * width, width), left(whole_height, row * height, height));
        let mut picture = Picture::of(size);
        picture.fill(&strip, self.colours);
        Some(picture)
    }
}
