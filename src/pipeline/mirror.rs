//! Recognises photos that are mirrored: selfie cameras show players the mirror that they know.
//!
//! In the mirror left and right change places, so that claims would be read from the wrong players, and a character may look
//! like another. Input: the photo and its seen tiles. Output: the tiles as they lie in truth, seen in the photo turned
//! back, where that names them better; else nothing. Invariant: nothing is looked at twice where the tiles are named with
//! confidence as they are, and a photo that is named as well in both ways stays as it came.

use image::imageops::flip_horizontal;

use super::classify::{SeenTile, classify};
use super::decode::Photo;
use super::detect::Detection;
use super::geometry::{Point, Quad};
use super::model::{Model, ModelError};
use super::params::VisibilityParams;
use super::rejoin::rejoin;
use crate::tile::{Dragon, Face, Suit, Tile};

/// Where the mean probability of the names of lopsided tiles is above this, the photo is not mirrored. Of the photos
/// and scenes that were mirrored to measure it, those above are hardly to be told from straight ones by any limit.
const SURE: f32 = 0.985;

/// The mean probability must be better by this in the photo turned back. With the votes below 1 of 400 real photos is
/// taken for mirrored, and 89 of 160 mirrored photos and scenes are recognised.
const BETTER: f32 = 0.03;

/// A tile's name speaks for one of the two when its probability differs by this; at least so many tiles must speak
/// for the mirror, and this many times as many as against it: a single bad tile must not turn a hand.
const SPEAKS: f32 = 0.05;
const VOICES: usize = 3;
const MAJORITY: usize = 3;

/// The tiles as the photo turned back shows them, in its own pixels, if the photo is mirrored.
///
/// # Errors
/// [`ModelError`] when a network does not run.
pub fn turned_back(
    photo: &Photo,
    detections: &[Detection],
    tiles: &[SeenTile],
    model: &dyn Model,
) -> Result<Option<Vec<SeenTile>>, ModelError> {
    let named: Vec<&SeenTile> = tiles.iter().filter(|tile| is_lopsided(tile)).collect();
    if named.len() < VOICES || mean(named.iter().map(|tile| tile.faces.top().1)) >= SURE {
        return Ok(None);
    }
    // A crop along corners that run the other way round shows the tile in the mirror: no photo is copied for it.
    let backwards = |tile: &&SeenTile| Detection {
        quad: backwards(&tile.quad),
        score: tile.score,
        face_up: 1.0,
    };
    let looked_at: Vec<Detection> = named.iter().map(backwards).collect();
    let seen = classify(photo, &looked_at, model)?;
    let pairs: Vec<(f32, f32)> = named
        .iter()
        .zip(&seen)
        .map(|(as_is, back)| (as_is.faces.top().1, back.faces.top().1))
        .collect();
    if !is_better(&pairs) {
        return Ok(None);
    }
    let width = photo.size().0 as f32;
    let Ok(back) = Photo::from_rgb(flip_horizontal(photo.image())) else { return Ok(None) };
    let detections: Vec<Detection> = detections
        .iter()
        .map(|tile| Detection { quad: mirrored(&tile.quad, width), ..*tile })
        .collect();
    let seen = classify(&back, &detections, model)?;
    rejoin(&back, seen, model).map(Some)
}

/// A tile as it lies in the photo that came.
pub(super) fn into_mirror(tile: SeenTile, width: u32) -> SeenTile {
    let [upright, right, down, left] = tile.turns;
    SeenTile {
        quad: mirrored(&tile.quad, width as f32),
        turns: [upright, left, down, right],
        ..tile
    }
}

/// An outline in the mirror, its corners clockwise again and its top the top.
fn mirrored(quad: &Quad, width: f32) -> Quad {
    backwards(&quad.map(|corner| Point::new(width - corner.x, corner.y)))
}

/// The same outline with its corners in the other direction, its top the top.
fn backwards(quad: &Quad) -> Quad {
    let [a, b, c, d] = quad.0;
    Quad([b, a, d, c])
}

/// Whether this is clearly a tile that shows a character which the mirror changes; dots, bamboos and the other dragons
/// are the same in it, or are drawn either way.
fn is_lopsided(tile: &SeenTile) -> bool {
    let changes = |tile: Tile| {
        tile.suit() == Some(Suit::Characters)
            || tile.is_wind()
            || tile.dragon() == Some(Dragon::Green)
    };
    tile.score >= VisibilityParams::DEFAULT.dim
        && tile.faces.best().and_then(Face::tile).is_some_and(changes)
}

/// Whether tiles, each with the probability of its name as it is and turned back, are better turned back.
fn is_better(pairs: &[(f32, f32)]) -> bool {
    let gain = mean(pairs.iter().map(|(as_is, back)| back - as_is));
    let voices =
        |speaks: fn(f32) -> bool| pairs.iter().filter(|(as_is, back)| speaks(back - as_is)).count();
    let (pro, contra) = (voices(|gain| gain > SPEAKS), voices(|gain| gain < -SPEAKS));
    gain >= BETTER && pro >= VOICES && pro >= MAJORITY * contra
}

fn mean(values: impl ExactSizeIterator<Item = f32>) -> f32 {
    let count = values.len().max(1) as f32;
    values.sum::<f32>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_hand_is_turned_back_only_by_many_voices() {
        let plain = [(0.99, 0.98); 10];
        let with = |voices: &[(f32, f32)]| is_better(&[&plain[..], voices].concat());
        assert!(with(&[(0.6, 0.98), (0.7, 0.99), (0.5, 0.97), (0.4, 0.9)]));
        assert!(!with(&[(0.1, 0.98), (0.1, 0.99)]), "two voices");
        assert!(!with(&[(0.1, 0.99)]), "one voice");
        assert!(
            !with(&[(0.6, 0.98), (0.7, 0.99), (0.5, 0.97), (0.9, 0.5), (0.9, 0.8)]),
            "two against three"
        );
        assert!(
            !with(&[(0.92, 0.985), (0.92, 0.985), (0.92, 0.985), (0.92, 0.985)]),
            "hardly better"
        );
        assert!(!with(&[]));
    }
}
