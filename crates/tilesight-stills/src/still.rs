//! Decoding of a photo in a HEIC or AVIF file to upright pixels.
//!
//! Input: a [`Still`] whose claims have been checked. Output: 8-bit RGB in sRGB. Tiles are decoded
//! one after the other into the picture, so a grid needs the memory of only one cell besides the
//! picture.

use image::metadata::Orientation;
use image::{RgbImage, imageops};

use super::DecodeError;
use super::coded;
use super::gamut::ToSrgb;
use super::heif::{Step, Still};
use super::orientation::turn_upright;
use super::ycbcr::{Mixture, RgbRows};

/// Decodes a photo.
pub(super) fn decode(still: &Still<'_>) -> Result<RgbImage, DecodeError> {
    let image = decode_tiles(still)?;
    Ok(still.steps.iter().fold(image, step))
}

fn decode_tiles(still: &Still<'_>) -> Result<RgbImage, DecodeError> {
    let mut canvas = None;
    let mut to_srgb = None;
    for (at, cell) in (0_u32..).zip(&still.cells) {
        let planes = coded::decode(still, cell)?;
        let points = still.colour.code_points.unwrap_or(planes.code_points);
        let mixture = Mixture::new(still, points, &planes)?;
        // Nothing is allocated for a picture whose first cell cannot be decoded.
        let canvas = canvas.get_or_insert_with(|| RgbImage::new(still.size.0, still.size.1));
        let to_srgb =
            to_srgb.get_or_insert_with(|| ToSrgb::new(&still.colour, Some(planes.code_points)));
        let left = at % still.columns * still.cell_size.0;
        let top = at / still.columns * still.cell_size.1;
        let width = still.cell_size.0.min(still.size.0 - left) as usize;
        let height = still.cell_size.1.min(still.size.1 - top) as usize;
        let stride = still.size.0 as usize * 3;
        let mut rows = RgbRows::new(&planes, mixture);
        let lines = canvas.chunks_exact_mut(stride).skip(top as usize).take(height);
        for (y, line) in lines.enumerate() {
            let line = &mut line[left as usize * 3..][..width * 3];
            rows.write(y, line);
            if let Some(to_srgb) = to_srgb {
                to_srgb.apply(line);
            }
        }
    }
    canvas.ok_or_else(super::error::cut_short)
}

/// Applies a transformation that the container specifies.
fn step(image: RgbImage, step: &Step) -> RgbImage {
    match *step {
        Step::Crop { part: (left, top, width, height), .. } => {
            imageops::crop_imm(&image, left, top, width, height).to_image()
        }
        // The container turns anticlockwise, orientations clockwise.
        Step::Rotate(1) => turn_upright(image, Orientation::Rotate270),
        Step::Rotate(2) => turn_upright(image, Orientation::Rotate180),
        Step::Rotate(_) => turn_upright(image, Orientation::Rotate90),
        Step::MirrorColumns => turn_upright(image, Orientation::FlipHorizontal),
        Step::MirrorRows => turn_upright(image, Orientation::FlipVertical),
    }
}
