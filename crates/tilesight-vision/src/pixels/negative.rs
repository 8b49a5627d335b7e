//! Recognises dark sets that their lightness does not show, by the names of their tiles.
//!
//! Input: a photo with its detections and their names. Output: the photo's negative, if the tiles
//! are named with more confidence in it; it then takes the place of the photo. Invariant: no tile
//! is classified twice if the tiles are named with confidence as they are.

use tilesight_stills::Photo;

use super::body::invert;
use super::classify::{SeenTile, classify_negative};
use super::detect::Detection;
use crate::networks::{Model, ModelError};
use crate::params::NegativeParams;

const PARAMS: NegativeParams = NegativeParams::DEFAULT;

/// Returns the negative of a photo whose tiles are named clearly better in it.
///
/// # Errors
/// [`ModelError`] if the network does not run.
pub(crate) fn better_negative(
    photo: &Photo,
    detections: &[Detection],
    tiles: &[SeenTile],
    model: &dyn Model,
) -> Result<Option<Photo>, ModelError> {
    if !model.manifest().classifier.to_light || certainty(tiles.iter()) >= PARAMS.named_well {
        return Ok(None);
    }
    // Tiles that were joined from two halves have no detection of their own.
    let seen_as = |tile: &Detection| {
        let quad = tile.quad.upright();
        tiles.iter().find(|seen| seen.quad == quad)
    };
    let mut sample: Vec<(&Detection, &SeenTile)> =
        detections.iter().filter_map(|tile| Some((tile, seen_as(tile)?))).collect();
    sample.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
    sample.truncate(PARAMS.sample_tiles);
    if sample.len() < PARAMS.min_tiles {
        return Ok(None);
    }
    let chosen: Vec<Detection> = sample.iter().map(|(tile, _)| **tile).collect();
    let inverted = classify_negative(photo, &chosen, model)?;
    let gain = certainty(inverted.iter()) - certainty(sample.iter().map(|(_, seen)| *seen));
    if gain < PARAMS.min_gain {
        return Ok(None);
    }
    let mut image = photo.image().clone();
    invert(&mut image);
    Ok(Photo::from_rgb(image).ok())
}

/// Returns the mean logarithm of the probabilities of the tiles' names.
fn certainty<'a>(tiles: impl ExactSizeIterator<Item = &'a SeenTile>) -> f32 {
    let count = tiles.len().max(1) as f32;
    tiles.map(|tile| tile.faces.top().1.max(f32::MIN_POSITIVE).ln()).sum::<f32>() / count
}
