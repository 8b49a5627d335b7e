//! Recognises photos that are mirrored: selfie cameras show players the mirror that they know.
//!
//! In the mirror left and right change places, so that claims would be read from the wrong players, and a character may look
//! like another. Input: the photo and its seen tiles. Output: the tiles as they lie in truth, seen in the photo turned
//! back, where that names them better; else nothing. Invariant: nothing is looked at twice where the tiles are named with
//! confidence as they are, and a photo that is named as well in both ways stays as it came.

use image::imageops::flip_horizontal;

use super::classify::{SeenTile, Sort, classify};
use super::decode::Photo;
use super::detect::Detection;
use super::geometry::{Point, Quad};
use super::layout::DIM;
use super::model::{Model, ModelError};
use super::rejoin::rejoin;

/// Where the mean probability of the playing tiles' names is above this, the photo is not mirrored. Of 159 photos and
/// scenes 112 are below it in the mirror, and of those that hardly any letter or number of a set tells, the rest.
const SURE: f32 = 0.985;

/// The mean probability must be better by this in the photo turned back: then 2 of 159 photos and scenes that are not
/// mirrored would be taken for it by this alone, and two thirds of the mirrored ones are found.
const BETTER: f32 = 0.015;

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
    let named: Vec<&SeenTile> = tiles.iter().filter(|tile| is_clear(tile)).collect();
    if named.len() < VOICES || mean(named.iter().map(|tile| tile.faces.top().1)) >= SURE {
        return Ok(None);
    }
    let width = photo.size().0 as f32;
    let Ok(back) = Photo::from_rgb(flip_horizontal(photo.image())) else { return Ok(None) };
    let looked_at: Vec<Detection> = named
        .iter()
        .map(|tile| Detection {
            quad: mirrored(&tile.quad, width),
            score: tile.score,
            face_up: 1.0,
        })
        .collect();
    let seen = classify(&back, &looked_at, model)?;
    let pairs: Vec<(f32, f32)> = named
        .iter()
        .zip(&seen)
        .map(|(as_is, back)| (as_is.faces.top().1, back.faces.top().1))
        .collect();
    if !is_better(&pairs) {
        return Ok(None);
    }
    let detections: Vec<Detection> = detections
        .iter()
        .map(|tile| Detection { quad: mirrored(&tile.quad, width), ..tile.clone() })
        .collect();
    let seen = classify(&back, &detections, model)?;
    rejoin(&back, seen, model).map(Some)
}

/// A tile as it lies in the photo that came.
pub(super) fn as_it_came(tile: SeenTile, width: u32) -> SeenTile {
    let [upright, right, down, left] = tile.turns;
    SeenTile {
        quad: mirrored(&tile.quad, width as f32),
        turns: [upright, left, down, right],
        ..tile
    }
}

/// An outline in the mirror, its corners clockwise again and its top the top.
fn mirrored(quad: &Quad, width: f32) -> Quad {
    let [a, b, c, d] = quad.map(|corner| Point::new(width - corner.x, corner.y)).0;
    Quad([b, a, d, c])
}

fn is_clear(tile: &SeenTile) -> bool {
    tile.score >= DIM && tile.faces.sort().0 == Sort::Playing
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
        assert!(with(&[(0.6, 0.98), (0.7, 0.99), (0.5, 0.97)]));
        assert!(!with(&[(0.1, 0.99)]), "one voice");
        assert!(
            !with(&[(0.6, 0.98), (0.7, 0.99), (0.5, 0.97), (0.9, 0.5), (0.9, 0.8)]),
            "two against three"
        );
        assert!(!with(&[(0.93, 0.985), (0.93, 0.985), (0.93, 0.985)]), "hardly better");
        assert!(!with(&[]));
    }
}
