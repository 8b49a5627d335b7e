//! Conversion of a component's blocks to pixels.
//!
//! Input: the headers and the factor by which the picture is reduced. Output: a [`ConversionPlan`].
//! For a component with fewer samples than brightness, more frequencies are kept, and at full size
//! its blocks become larger: all components have one sample for each pixel, and no sample is
//! repeated.

use super::block::{Block, BlockLayout};
use super::header::Headers;
use super::transform::{Transform, scales, transform};

/// Plan for the conversion of a component's blocks to pixels.
pub(super) struct ConversionPlan {
    pub(super) layout: BlockLayout,
    scales: [f32; 64],
    transform: Transform,
    /// Number of blocks in a unit, across and down.
    pub(super) blocks: (usize, usize),
    /// Width and height of a block in pixels.
    pub(super) pixels: (usize, usize),
}

impl ConversionPlan {
    /// Creates the plan for a component, with the quantizers that are currently in effect.
    pub(super) fn new(
        headers: &Headers<'_>,
        component: usize,
        factor: usize,
    ) -> Option<ConversionPlan> {
        let frame = headers.frame()?;
        let unit = frame.unit_pixels(factor);
        let blocks = frame.components.get(component)?.blocks;
        let pixels = (unit.0 / blocks.0, unit.1 / blocks.1);
        Some(ConversionPlan {
            layout: BlockLayout::new(pixels.0.min(8), pixels.1.min(8)),
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
