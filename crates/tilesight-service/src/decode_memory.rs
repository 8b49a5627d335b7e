//! Memory that decoding takes: all of it, and the share of each photo.
//!
//! Input: the limits, and the bytes of a photo. Output: numbers of units, which the service takes
//! with a worker, and [`DecodeMemory`] without. Invariant: the shares of the photos that are
//! decoded at the same time are never more than all of it.

use std::sync::Arc;

use tilesight_stills::{DecodeLimits, DecodingCost, MAX_BYTES_PER_PIXEL};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Minimum number of bytes for decoding: a phone's HEIC or AVIF of 12 megapixels takes some 240 MB.
pub const MIN_DECODE_MEMORY: u64 = 256_000_000;

/// Unit in which memory is counted: a quarter of a mebibyte, so that 32 bits suffice.
const MEMORY_UNIT: u64 = 1 << 18;

/// Memory for all decoding, and how much of it a photo takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemoryBudget {
    /// Limits on each photo; its memory is that of all photos together.
    pub(crate) limits: DecodeLimits,
    /// Maximum number of pixels, if a setting limits them too.
    pub(crate) pixels: Option<u64>,
}

impl MemoryBudget {
    /// Returns all of the memory, in units of [`MEMORY_UNIT`].
    pub(crate) fn total(self) -> u32 {
        u32::try_from(self.limits.memory / MEMORY_UNIT).unwrap_or(u32::MAX).max(1)
    }

    /// Returns the share of a photo, in units of [`MEMORY_UNIT`]: the memory that decoding it
    /// holds, or its share of the pixels, if that is larger.
    ///
    /// A file that is refused before it is decoded takes the minimum. The header decides, read as
    /// the decoder reads it, so that the size that admits a photo is the size that is decoded.
    pub(crate) fn share(self, photo: &[u8]) -> u32 {
        let DecodingCost { pixels, memory } = DecodingCost::from_header(photo, &self.limits);
        let of_pixels = self.pixels.map_or(0, |all| {
            let bytes =
                u128::from(pixels) * u128::from(self.limits.memory) / u128::from(all.max(1));
            u64::try_from(bytes).unwrap_or(u64::MAX)
        });
        let units = memory.max(of_pixels).div_ceil(MEMORY_UNIT);
        u32::try_from(units).unwrap_or(u32::MAX).max(1)
    }

    /// Returns the number of bytes and of pixels that a number of units is enough for.
    pub(crate) fn enough_for(self, units: u32) -> (u64, u64) {
        let bytes = u64::from(units) * MEMORY_UNIT;
        let pixels = match self.pixels {
            Some(pixels) => u64::from(units) * pixels / u64::from(self.total()),
            None => bytes / MAX_BYTES_PER_PIXEL,
        };
        (bytes, pixels)
    }
}

/// Memory that the photos which this process decodes at the same time share.
#[derive(Debug)]
pub struct DecodeMemory {
    budget: MemoryBudget,
    free: Arc<Semaphore>,
}

impl DecodeMemory {
    /// Creates the memory that the limits allow, all of it free.
    #[must_use]
    pub fn new(limits: DecodeLimits) -> DecodeMemory {
        let budget = MemoryBudget { limits, pixels: None };
        DecodeMemory { budget, free: Arc::new(Semaphore::new(budget.total() as usize)) }
    }

    /// Waits for the share of a photo, in the order of the calls, so that a large photo is not
    /// passed over. The decoder refuses a photo that needs more than all of the memory.
    pub async fn take(&self, photo: &[u8]) -> OwnedSemaphorePermit {
        let share = self.budget.share(photo).min(self.budget.total());
        let taken = Arc::clone(&self.free).acquire_many_owned(share).await;
        taken.expect("the semaphore is never closed")
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, RgbImage};

    use super::*;

    fn budget() -> MemoryBudget {
        MemoryBudget { limits: DecodeLimits::default(), pixels: None }
    }

    fn photo(side: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        RgbImage::new(side, side).write_to(&mut bytes, format).expect("encodes");
        bytes.into_inner()
    }

    #[test]
    fn a_photo_takes_the_memory_that_decoding_it_holds() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
            let shares = [16, 512, 2048].map(|side| budget().share(&photo(side, format)));
            assert!(shares[0] < shares[1] && shares[1] < shares[2], "{format:?}: {shares:?}");
            // Four megapixels of three bytes, and their copy in RGB.
            assert!((96..400).contains(&shares[2]), "{format:?}: {shares:?}");
        }
        assert_eq!(budget().share(b"no photo"), 1);
    }

    #[test]
    fn a_false_size_is_not_believed() {
        let whole = photo(2048, ImageFormat::Jpeg);
        let frame = whole.windows(2).position(|two| two == [0xff, 0xc0]).expect("a frame");
        let mut small = whole[frame..frame + 19].to_vec();
        small[5..9].copy_from_slice(&[0, 16, 0, 16]);
        let two_frames = [&whole[..frame], &small, &whole[frame..]].concat();
        assert_eq!(budget().share(&two_frames), 1, "it is refused before it is decoded");
    }

    #[tokio::test]
    async fn photos_that_do_not_fit_together_wait_for_each_other() {
        let large = photo(512, ImageFormat::Png);
        let usual = DecodeLimits::default();
        let memory = 3 * DecodingCost::from_header(&large, &usual).memory / 2;
        let memory = DecodeMemory::new(DecodeLimits { memory, ..usual });
        let first = memory.take(&large).await;
        let mut second = std::pin::pin!(memory.take(&large));
        let waiting = std::future::poll_fn(|context| {
            std::task::Poll::Ready(second.as_mut().poll(context).is_pending())
        });
        assert!(waiting.await, "there is room for one only");
        drop(first);
        drop(second.await);
        assert_eq!(memory.free.available_permits(), memory.budget.total() as usize);
    }

    #[test]
    fn a_setting_may_limit_the_pixels_too() {
        let large = photo(2048, ImageFormat::Png);
        let pixels = Some(4 * 2048 * 2048);
        let limited = MemoryBudget { pixels, ..budget() };
        assert_eq!(limited.share(&large), (limited.limits.memory / 4).div_ceil(MEMORY_UNIT) as u32);
        let (_, pixels) = limited.enough_for(limited.total());
        assert_eq!(pixels, 4 * 2048 * 2048);
    }
}
