//! Recognises mirrored photos: selfie cameras save what players see in a mirror.
//!
//! A mirror exchanges left and right, so that claims would be read as from the wrong players, and
//! one character may look like another. Input: the photo and its seen tiles. Output: the tiles as
//! they really lie, seen in the photo flipped back, if that names them better; otherwise no tiles.
//! Invariant: no tile is classified twice if no names of the flipped tiles could tell a mirror, and
//! a photo that is named equally well both ways stays unchanged.

use image::imageops::flip_horizontal;
use tilesight_core::tile::{Dragon, Face, Suit, Tile};
use tilesight_stills::Photo;

use super::classify::classify;
use super::detect::Detection;
use super::name_tiles;
use super::seen_tile::SeenTile;
use crate::geometry::{Point, Quad};
use crate::networks::{Model, ModelError};
use crate::params::{DetectParams, MirrorParams, VisibilityParams};

const PARAMS: MirrorParams = MirrorParams::DEFAULT;

/// Returns the tiles as the photo flipped back shows them, in its own pixels, if the photo is
/// mirrored.
///
/// # Errors
/// [`ModelError`] if a network cannot run.
pub(crate) fn turned_back(
    photo: &Photo,
    detections: &[Detection],
    tiles: &[SeenTile],
    model: &dyn Model,
) -> Result<Option<Vec<SeenTile>>, ModelError> {
    let mut asymmetric: Vec<&SeenTile> = tiles.iter().filter(|tile| is_asymmetric(tile)).collect();
    asymmetric.sort_by(|a, b| b.score.total_cmp(&a.score));
    asymmetric.truncate(DetectParams::DEFAULT.judged_tiles);
    // A name that becomes certain gains most.
    let most: Vec<f32> = asymmetric.iter().map(|tile| 1.0 - tile.faces.top().1).collect();
    if !is_mirrored(&most) || !is_mirrored(&gains(photo, &asymmetric, model)?) {
        return Ok(None);
    }
    let width = photo.size().0 as f32;
    let Ok(back) = Photo::from_rgb(flip_horizontal(photo.image())) else { return Ok(None) };
    let detections: Vec<Detection> = detections
        .iter()
        .map(|tile| Detection { quad: mirrored(&tile.quad, width), ..*tile })
        .collect();
    name_tiles(&back, &detections, model).map(Some)
}

/// Returns, for each tile, the probability of its name when flipped minus that of its name as it
/// is.
///
/// A crop whose corners run in the other direction shows the tile flipped, so the photo need not be
/// copied.
fn gains(photo: &Photo, tiles: &[&SeenTile], model: &dyn Model) -> Result<Vec<f32>, ModelError> {
    let flipped: Vec<Detection> = tiles
        .iter()
        .map(|tile| Detection { quad: backwards(&tile.quad), score: tile.score, face_up: 1.0 })
        .collect();
    let seen = classify(photo, &flipped, model)?;
    let pairs = tiles.iter().zip(&seen);
    Ok(pairs.map(|(as_is, back)| back.faces.top().1 - as_is.faces.top().1).collect())
}

/// Returns a tile as it lies in the mirrored photo.
pub(crate) fn into_mirror(tile: SeenTile, width: u32) -> SeenTile {
    let [upright, right, down, left] = tile.turns;
    SeenTile {
        quad: mirrored(&tile.quad, width as f32),
        turns: [upright, left, down, right],
        ..tile
    }
}

/// Mirrors an outline. Its corners run clockwise again, and its top is still the top.
fn mirrored(quad: &Quad, width: f32) -> Quad {
    backwards(&quad.map(|corner| Point::new(width - corner.x, corner.y)))
}

/// Reverses the direction of an outline's corners. Its top is still the top.
fn backwards(quad: &Quad) -> Quad {
    let [a, b, c, d] = quad.0;
    Quad([b, a, d, c])
}

/// Returns whether this is clearly a tile whose character changes in a mirror.
fn is_asymmetric(tile: &SeenTile) -> bool {
    tile.score >= VisibilityParams::DEFAULT.dim
        && tile.faces.best().and_then(Face::tile).is_some_and(changes_in_mirror)
}

/// Returns whether the character of a tile changes in a mirror. Dots, bamboos and the other dragons
/// are symmetric, or are drawn either way.
fn changes_in_mirror(tile: Tile) -> bool {
    tile.suit() == Some(Suit::Characters) || tile.is_wind() || tile.dragon() == Some(Dragon::Green)
}

/// Returns whether tiles whose names gain this much probability when flipped are clearly better
/// flipped. Where these gains do not suffice, smaller ones do not either.
fn is_mirrored(gains: &[f32]) -> bool {
    let pro = gains.iter().filter(|&&gain| gain > PARAMS.vote_gain).count();
    let contra = gains.iter().filter(|&&gain| gain < -PARAMS.vote_gain).count();
    mean(gains.iter().copied()) >= PARAMS.min_gain && pro >= PARAMS.min_votes * contra.max(1)
}

fn mean(values: impl ExactSizeIterator<Item = f32>) -> f32 {
    let count = values.len().max(1) as f32;
    values.sum::<f32>() / count
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;
    use crate::Faces;
    use crate::networks::fake::WatchedModel;

    #[test]
    fn the_mirror_of_the_mirror_is_the_tile() {
        let quad = Quad(
            [(10.0, 5.0), (30.0, 8.0), (28.0, 40.0), (8.0, 36.0)].map(|(x, y)| Point::new(x, y)),
        );
        let there = mirrored(&quad, 100.0);
        assert!(there.area() > 0.0, "the corners run clockwise");
        assert_eq!(there.0[0], Point::new(70.0, 8.0));
        assert_eq!(mirrored(&there, 100.0), quad);
    }

    #[test]
    fn a_hand_is_flipped_only_by_many_votes() {
        let is_mirrored = |pairs: &[(f32, f32)]| {
            let plain = [(0.99, 0.98); 10];
            let gains = plain.iter().chain(pairs).map(|(as_is, back)| back - as_is);
            is_mirrored(&gains.collect::<Vec<f32>>())
        };
        assert!(is_mirrored(&[(0.6, 0.98), (0.7, 0.99), (0.5, 0.97), (0.4, 0.9)]));
        assert!(!is_mirrored(&[(0.1, 0.98), (0.1, 0.99)]), "two votes");
        assert!(!is_mirrored(&[(0.1, 0.99)]), "one vote");
        let contested = [(0.6, 0.98), (0.7, 0.99), (0.5, 0.97), (0.9, 0.5), (0.9, 0.8)];
        assert!(!is_mirrored(&contested), "two against three");
        assert!(!is_mirrored(&[(0.92, 0.985); 4]), "hardly better");
        assert!(!is_mirrored(&[]));
    }

    /// Returns the number of crops that are classified flipped, of west winds with names of these
    /// probabilities.
    fn count_flipped(probabilities: &[f32]) -> usize {
        let photo = Photo::from_rgb(RgbImage::from_pixel(400, 80, Rgb([40, 120, 60])));
        let tiles: Vec<SeenTile> = probabilities.iter().enumerate().map(west_wind).collect();
        let model = WatchedModel::default();
        turned_back(&photo.expect("large enough"), &[], &tiles, &model).expect("it runs");
        model.crops()
    }

    fn west_wind((n, &p): (usize, &f32)) -> SeenTile {
        SeenTile {
            quad: Quad::rectangle(40.0 * n as f32, 10.0, 30.0, 40.0),
            score: 0.9,
            inside: 1.0,
            faces: Faces::from_weights([("W".parse().ok(), p), ("N".parse().ok(), 1.0 - p)]),
            turns: [1.0, 0.0, 0.0, 0.0],
            red: 0.0,
            likeness: None,
        }
    }

    #[test]
    fn tiles_are_classified_flipped_only_if_their_names_can_gain_enough() {
        assert_eq!(count_flipped(&[0.96; 8]), 0, "none can vote");
        assert_eq!(count_flipped(&[0.6, 0.6, 0.999, 0.999, 0.999]), 0, "two can vote");
        assert_eq!(
            count_flipped(&[0.94, 0.94, 0.94, 0.999, 0.999, 0.999, 0.999, 0.999]),
            0,
            "mean"
        );
        assert_eq!(count_flipped(&[0.9, 0.9, 0.9, 0.999]), 4);
    }
}
