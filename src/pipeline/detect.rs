//! Finds the tiles of a photo: where each face lies, as a quad, and whether it is face up.
//!
//! Input: an upright [`Photo`] and a [`Model`]. Output: [`Detection`]s in the photo's pixels. The
//! photo goes through the network at several sizes ([`pyramid`]), because tiles that fill the
//! picture are found at 160 pixels and small ones at 640; small tiles are looked at again in a
//! [`close_up()`]; what several sizes found is merged ([`merge()`]). Invariant: every quad is
//! convex, clockwise, and no two of them cover each other.

mod close_up;
mod merge;
mod peaks;
mod view;

use serde::Serialize;

use super::decode::Photo;
use super::geometry::{Point, Quad, median};
use super::model::{Model, ModelError};
use super::params::{DetectParams, ReduceParams};

use close_up::{close_up, replace};
pub use merge::merge;
pub use peaks::inside;
use peaks::{is_plausible, peaks, tile_at};
use view::View;
pub use view::pyramid;

const PARAMS: DetectParams = DetectParams::DEFAULT;

/// A tile that the detector saw.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Detection {
    /// The outline of the tile's printed face or of its back, corners clockwise.
    pub quad: Quad,
    /// The detector's heat, 0 to 1.
    pub score: f32,
    /// The probability that the tile is face up.
    pub face_up: f32,
}

impl Detection {
    /// The same in a photo that is so many times larger.
    #[must_use]
    pub(super) fn scaled(self, factor: f32) -> Detection {
        Detection { quad: self.quad.scaled(factor), ..self }
    }
}

/// Whether the tiles have too few pixels in a photo that was reduced.
pub(super) fn is_narrow(found: &[Detection]) -> bool {
    let confident = found.iter().filter(|tile| tile.score >= PARAMS.confident);
    let width = median(confident.map(|tile| tile.quad.short_side()));
    width.is_some_and(|width| width < ReduceParams::DEFAULT.min_tile)
}

/// Finds the tiles of a photo.
///
/// The sizes between the largest and the smallest are for tiles that fill much of the picture. The
/// smallest tells whether there are such, for a quarter of the work: of a hand in a row they would
/// show nothing.
///
/// # Errors
/// [`ModelError::Failed`] when the network does not run.
pub fn detect(photo: &Photo, model: &dyn Model) -> Result<Vec<Detection>, ModelError> {
    let largest = model.manifest().detector.sizes.first().copied().unwrap_or_default();
    let found = merge(search_pyramid(photo, model)?);
    match close_up(photo, &found, largest) {
        Some(view) => Ok(replace(found, search(photo, &view, PARAMS.min_width, model)?)),
        None => Ok(found),
    }
}

/// What the network finds at the sizes of the pyramid that can show something.
fn search_pyramid(photo: &Photo, model: &dyn Model) -> Result<Vec<Detection>, ModelError> {
    let mut levels = levels(photo, model);
    let Some(smallest) = levels.pop() else { return Ok(Vec::new()) };
    let mut found = search(photo, &smallest.view, PARAMS.min_width, model)?;
    let widest = found.iter().map(|tile| tile.quad.short_side()).fold(0.0, f32::max);
    found.retain(|tile| tile.quad.short_side() >= smallest.min_width);
    for (n, level) in levels.iter().enumerate() {
        if n == 0 || widest >= PARAMS.preview_width * level.min_width {
            found.extend(search(photo, &level.view, level.min_width, model)?);
        }
    }
    Ok(found)
}

/// The whole photo at one size of the pyramid.
struct Level {
    view: View,
    /// Tiles narrower than this, in the photo's pixels, are seen better at a larger size.
    min_width: f32,
}

/// The pyramid's levels, the largest first.
fn levels(photo: &Photo, model: &dyn Model) -> Vec<Level> {
    let spec = &model.manifest().detector;
    let level = |((cells, step), &min_width): ((_, Point), &f32)| Level {
        min_width: PARAMS.min_width.max(min_width * step.x.max(step.y)),
        view: View { cells, origin: Point::default(), step },
    };
    pyramid(photo, &spec.sizes).into_iter().zip(&spec.min_width).map(level).collect()
}

/// What the network finds in one view, in the photo's pixels.
fn search(
    photo: &Photo,
    view: &View,
    min_width: f32,
    model: &dyn Model,
) -> Result<Vec<Detection>, ModelError> {
    let spec = &model.manifest().detector;
    let maps = model.detect(&view.cells)?;
    let cells = peaks(&maps.heat, spec.threshold);
    let tiles = cells.into_iter().filter_map(|(x, y)| tile_at(&maps, x, y, spec.stride));
    let tiles = tiles.map(|tile| Detection { quad: tile.quad.map(|p| view.to_photo(p)), ..tile });
    Ok(tiles.filter(|tile| is_plausible(tile, photo, min_width)).collect())
}
