//! How the blocks of a component become pixels.
//!
//! Input: the headers and by how much the picture is reduced. Output: a [`Plan`]. Of a component
//! with fewer samples than brightness has, more frequencies are kept, and at full size its blocks
//! become larger: all components have one sample for each pixel, and none is repeated.

use super::block::{Block, Layout};
use super::header::Headers;
use super::transform::{Transform, scales, transform};

/// How the blocks of a component become pixels.
pub(super) struct Plan {
    pub(super) layout: Layout,
    scales: [f32; 64],
    transform: Transform,
    /// Blocks in a unit, across and down.
    pub(super) blocks: (usize, usize),
    /// Pixels of a block.
    pub(super) pixels: (usize, usize),
}

impl Plan {
    /// For a component, with the quantizers as they stand.
    pub(super) fn of(headers: &Headers<'_>, component: usize, factor: usize) -> Option<Plan> {
        let frame = headers.frame()?;
        let unit = frame.unit_pixels(factor);
        let blocks = frame.components.get(component)?.blocks;
        let pixels = (unit.0 / blocks.0, unit.1 / blocks.1);
        Some(Plan {
            layout: Layout::of(pixels.0.min(8), pixels.1.min(8)),
            scales: scales(&headers.quantizers(component)?, pixels.0, pixels.1),
            transform: transform(pixels.0, pixels.1)?,
            blocks,
            pixels,
        })
    }

    /// Writes the pixels of a block to rows that are `stride` apart.
    #[inline(always)]
    pub(super) fn write(&self, block: &Block, (to, stride): (&mut [u8], usize)) {
        (self.transform)(block, &self.scales, to, stride);
    }
}
