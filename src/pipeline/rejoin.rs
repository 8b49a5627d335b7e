//! Puts tiles together again that were found in two halves.
//!
//! A character tile that lies sideways shows two things side by side, its number and its 萬, and the detector now and
//! then takes each for a tile. Input: the seen tiles. Output: the same, with two small neighbours that nobody can name
//! exchanged for the one tile that they make, where that one is named with confidence. Invariant: two tiles
//! of which either is named surely stay two; nothing is looked at twice in photos without such pairs.

use super::classify::{SeenTile, Sort, classify};
use super::decode::Photo;
use super::detect::Detection;
use super::geometry::{Point, Quad, median};
use super::model::{Model, ModelError};
use super::refine::refine;

/// Halves are smaller than the other tiles by these factors, as the root of their areas: the number is about two
/// fifths of a tile, the 萬 three fifths.
const HALF: std::ops::Range<f32> = 0.5..0.9;

/// Both halves together are as large as the other tiles, and as long.
const WHOLE: std::ops::Range<f32> = 0.85..1.18;
const LENGTH: std::ops::Range<f32> = 1.1..1.65;

/// A half is named with less confidence than this; the whole tile with more than the second.
const UNSURE: f32 = 0.9;
const SURE: f32 = 0.9;

/// Rejoins halves; one more look of the refiner and the classifier at each pair.
///
/// # Errors
/// [`ModelError`] when a network does not run.
pub fn rejoin(
    photo: &Photo,
    tiles: Vec<SeenTile>,
    model: &dyn Model,
) -> Result<Vec<SeenTile>, ModelError> {
    let pairs = pairs(&tiles);
    if pairs.is_empty() {
        return Ok(tiles);
    }
    let mut wholes = Vec::new();
    for &(a, b, quad) in &pairs {
        let score = tiles[a].score.max(tiles[b].score);
        wholes.extend(refine(photo, vec![Detection { quad, score, face_up: 1.0 }], model)?);
    }
    let wholes = classify(photo, &wholes, model)?;
    let mut gone = vec![false; tiles.len()];
    let mut joined = Vec::new();
    for ((a, b, _), whole) in pairs.into_iter().zip(wholes) {
        let is_tile = whole.faces.sort().0 == Sort::Playing && whole.faces.top().1 >= SURE;
        if is_tile && !gone[a] && !gone[b] {
            (gone[a], gone[b]) = (true, true);
            joined.push(whole);
        }
    }
    let kept = tiles.into_iter().zip(gone).filter(|(_, gone)| !gone).map(|(tile, _)| tile);
    Ok(kept.chain(joined).collect())
}

/// Neighbours that may be the halves of one tile, and its outline.
fn pairs(tiles: &[SeenTile]) -> Vec<(usize, usize, Quad)> {
    let sure = tiles.iter().filter(|tile| tile.faces.top().1 >= SURE);
    let Some(usual) = median(sure.map(|tile| tile.quad.scale())) else { return Vec::new() };
    let is_half = |tile: &SeenTile| {
        HALF.contains(&(tile.quad.scale() / usual)) && tile.faces.sort().0 != Sort::Back
    };
    let halves: Vec<usize> = (0..tiles.len()).filter(|&i| is_half(&tiles[i])).collect();
    let mut pairs = Vec::new();
    for (n, &a) in halves.iter().enumerate() {
        for &b in &halves[n + 1..] {
            let named = |i: usize| tiles[i].faces.top().1 >= UNSURE;
            if named(a) && named(b) {
                continue;
            }
            pairs.extend(whole(&tiles[a].quad, &tiles[b].quad, usual).map(|quad| (a, b, quad)));
        }
    }
    pairs
}

/// The outline of two neighbours together, if it is that of a tile.
fn whole(a: &Quad, b: &Quad, usual: f32) -> Option<Quad> {
    let between = b.centre() - a.centre();
    if between.length() > usual {
        return None;
    }
    let along = nearest_side(a, between.unit());
    let aside = along.quarter_turn();
    let both = |direction: Point| {
        let ((a_low, a_high), (b_low, b_high)) = (a.span(direction), b.span(direction));
        (a_low.min(b_low), a_high.max(b_high))
    };
    let ((left, right), (top, bottom)) = (both(along), both(aside));
    let (long, wide) = (right - left, bottom - top);
    let fits = WHOLE.contains(&((long * wide).sqrt() / usual)) && LENGTH.contains(&(long / wide));
    let corner = |x: f32, y: f32| along * x + aside * y;
    fits.then(|| {
        Quad([corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)])
    })
}

/// The side of a quad that runs most nearly in a direction, as a unit vector.
fn nearest_side(quad: &Quad, direction: Point) -> Point {
    let sides = [quad.across().unit(), quad.down().unit()];
    let signed = sides.map(|side| if side.dot(direction) < 0.0 { side * -1.0 } else { side });
    if signed[0].dot(direction) >= signed[1].dot(direction) { signed[0] } else { signed[1] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Faces;
    use crate::tile::Face;

    fn seen(x: f32, y: f32, width: f32, height: f32, p: f32) -> SeenTile {
        let face: Face = "2s".parse().expect("a code");
        let other: Face = "1m".parse().expect("a code");
        let faces = Faces::from_weights([(Some(face), p), (Some(other), 1.0 - p)]);
        let quad = Quad::rectangle(x, y, width, height);
        SeenTile { quad, score: 0.9, inside: 1.0, faces, turns: [1.0, 0.0, 0.0, 0.0], red: 0.0 }
    }

    #[test]
    fn halves_make_a_tile_and_tiles_do_not() {
        let mut tiles: Vec<SeenTile> =
            (0..6).map(|n| seen(n as f32 * 31.0, 100.0, 30.0, 40.0, 0.99)).collect();
        assert!(pairs(&tiles).is_empty());
        // The two parts of a tile of 40 x 30 that lies sideways.
        tiles.push(seen(0.0, 0.0, 17.0, 30.0, 0.6));
        tiles.push(seen(15.0, 0.0, 25.0, 30.0, 0.7));
        let found = pairs(&tiles);
        assert_eq!(found.len(), 1);
        let (a, b, quad) = found[0];
        assert_eq!((a, b), (6, 7));
        assert!((quad.area() - 1200.0).abs() < 1.0);
        // Named surely they are two small tiles.
        tiles[6] = seen(0.0, 0.0, 17.0, 30.0, 0.99);
        tiles[7] = seen(15.0, 0.0, 25.0, 30.0, 0.99);
        assert!(pairs(&tiles).is_empty());
    }
}
