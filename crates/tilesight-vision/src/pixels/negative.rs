//! Recognises dark sets that their lightness does not show, by the names of their tiles.
//!
//! Input: a photo with its detections and their names. Output: the photo's negative, if the tiles
//! are named with more confidence in it; it then takes the place of the photo. Invariant: no tile
//! is classified twice if the tiles are named with confidence as they are.

use tilesight_stills::Photo;

use super::body;
use super::classify::classify_negative;
use super::detect::Detection;
use super::seen_tile::SeenTile;
use crate::networks::{Model, ModelError};
use crate::params::{DetectParams, NegativeParams, VisibilityParams};

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
    if !model.manifest().classifier.to_light {
        return Ok(None);
    }
    let clear = detections.iter().filter(|tile| tile.score >= VisibilityParams::DEFAULT.dim);
    let mut sample: Vec<(&Detection, &SeenTile)> =
        clear.filter_map(|tile| Some((tile, find_seen(tile, tiles)?))).collect();
    sample.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
    sample.truncate(DetectParams::DEFAULT.judged_tiles);
    let as_is = certainty(sample.iter().map(|(_, seen)| *seen));
    if sample.len() < PARAMS.min_tiles || as_is >= PARAMS.named_well {
        return Ok(None);
    }
    let chosen: Vec<Detection> = sample.iter().map(|(tile, _)| **tile).collect();
    let inverted = classify_negative(photo, &chosen, model)?;
    if certainty(inverted.iter()) - as_is < PARAMS.min_gain {
        return Ok(None);
    }
    Ok(body::negative(photo))
}

/// Returns the seen tile of a detection. Tiles that were joined from two halves have no detection
/// of their own.
fn find_seen<'a>(tile: &Detection, tiles: &'a [SeenTile]) -> Option<&'a SeenTile> {
    let quad = tile.quad.upright();
    tiles.iter().find(|seen| seen.quad == quad)
}

/// Returns the mean logarithm of the probabilities of the tiles' names.
fn certainty<'a>(tiles: impl ExactSizeIterator<Item = &'a SeenTile>) -> f32 {
    let count = tiles.len().max(1) as f32;
    tiles.map(|tile| tile.faces.top().1.max(f32::MIN_POSITIVE).ln()).sum::<f32>() / count
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;
    use crate::Faces;
    use crate::geometry::Quad;
    use crate::networks::fake::WatchedModel;

    /// Returns a row of tiles whose names have this probability, with their detections.
    fn row(p: f32) -> (Vec<Detection>, Vec<SeenTile>) {
        let face = |code: &str| code.parse().ok();
        let tile = |n: u8| {
            let quad = Quad::rectangle(40.0 * f32::from(n), 10.0, 30.0, 40.0);
            let faces = Faces::from_weights([(face("1m"), p), (face("2m"), 1.0 - p)]);
            let turns = [1.0, 0.0, 0.0, 0.0];
            let seen =
                SeenTile { quad, score: 0.9, inside: 1.0, faces, turns, red: 0.0, likeness: None };
            (Detection { quad, score: 0.9, face_up: 1.0 }, seen)
        };
        (0..6).map(tile).unzip()
    }

    #[test]
    fn only_photos_named_poorly_are_tried_in_the_negative() {
        let photo = Photo::from_rgb(RgbImage::from_pixel(260, 60, Rgb([40, 110, 30])));
        let photo = photo.expect("large enough");
        for (p, to_light, crops) in [(0.95, true, 0), (0.6, false, 0), (0.6, true, 6)] {
            let model = WatchedModel::to_light(to_light);
            let (detections, tiles) = row(p);
            let found = better_negative(&photo, &detections, &tiles, &model).expect("it runs");
            assert_eq!(model.crops(), crops, "{p}, {to_light}");
            // The painted model names whatever it sees with confidence.
            assert_eq!(found.is_some(), crops > 0, "{p}, {to_light}");
        }
    }
}
