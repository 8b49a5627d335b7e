//! Joins tiles that were detected as two halves.
//!
//! A character tile that lies sideways shows its number and its 萬 side by side, and the detector
//! may take each for a tile. Input: the seen tiles. Output: the seen tiles, with two small
//! neighbours that are not named with confidence replaced by the one tile that they form, if that
//! one is named with confidence. Invariant: two tiles that are both named with confidence stay two;
//! photos without such pairs are not processed again.

use tilesight_stills::Photo;

use super::classify::classify;
use super::detect::Detection;
use super::faces::Sort;
use super::refine::refine;
use super::seen_tile::SeenTile;
use crate::geometry::{Point, Quad, median};
use crate::networks::{Model, ModelError};
use crate::params::RejoinParams;

const PARAMS: RejoinParams = RejoinParams::DEFAULT;

/// Joins halves. The refiner and the classifier look once more at each pair.
///
/// # Errors
/// [`ModelError`] if a network cannot run.
pub(crate) fn rejoin(
    photo: &Photo,
    tiles: Vec<SeenTile>,
    model: &dyn Model,
) -> Result<Vec<SeenTile>, ModelError> {
    let pairs = pairs(&tiles);
    if pairs.is_empty() {
        return Ok(tiles);
    }
    let mut wholes = Vec::new();
    for Pair { halves: [a, b], outline } in &pairs {
        let score = tiles[*a].score.max(tiles[*b].score);
        let whole = Detection { quad: *outline, score, face_up: 1.0 };
        wholes.extend(refine(photo, vec![whole], model)?);
    }
    let wholes = classify(photo, &wholes, model)?;
    let mut is_joined = vec![false; tiles.len()];
    let mut joined = Vec::new();
    for (Pair { halves: [a, b], .. }, whole) in pairs.into_iter().zip(wholes) {
        if is_tile(&whole) && !is_joined[a] && !is_joined[b] {
            is_joined[a] = true;
            is_joined[b] = true;
            joined.push(whole);
        }
    }
    let others = tiles.into_iter().zip(is_joined).filter(|(_, joined)| !joined);
    Ok(others.map(|(tile, _)| tile).chain(joined).collect())
}

/// Returns whether both halves together are clearly one tile.
fn is_tile(whole: &SeenTile) -> bool {
    whole.faces.sort().0 == Sort::Playing && whole.faces.top().1 >= PARAMS.named
}

/// Two neighbours that may be the halves of one tile.
struct Pair {
    /// Indices of the halves among the tiles.
    halves: [usize; 2],
    /// Outline of both halves together.
    outline: Quad,
}

/// Returns all pairs of neighbours that may be halves of one tile.
fn pairs(tiles: &[SeenTile]) -> Vec<Pair> {
    let named = tiles.iter().filter(|tile| tile.faces.top().1 >= PARAMS.named);
    let Some(usual) = median(named.map(|tile| tile.quad.scale())) else { return Vec::new() };
    let halves: Vec<usize> = (0..tiles.len()).filter(|&i| is_half(&tiles[i], usual)).collect();
    let mut pairs = Vec::new();
    for (n, &a) in halves.iter().enumerate() {
        for &b in &halves[n + 1..] {
            if is_named(&tiles[a]) && is_named(&tiles[b]) {
                continue;
            }
            let outline = outline(&tiles[a].quad, &tiles[b].quad, usual);
            pairs.extend(outline.map(|outline| Pair { halves: [a, b], outline }));
        }
    }
    pairs
}

/// Returns whether a tile is as small as a half of one of the usual scale.
fn is_half(tile: &SeenTile, usual: f32) -> bool {
    PARAMS.half_scale.contains(&(tile.quad.scale() / usual)) && tile.faces.sort().0 != Sort::Back
}

/// Returns whether a half has a name with confidence by itself.
fn is_named(half: &SeenTile) -> bool {
    half.faces.top().1 >= PARAMS.named
}

/// Returns the outline of two neighbours together, if it could be that of a tile.
fn outline(a: &Quad, b: &Quad, usual: f32) -> Option<Quad> {
    let between = b.centre() - a.centre();
    if between.length() > usual {
        return None;
    }
    let along = nearest_side(a, between.unit());
    let aside = along.quarter_turn();
    let (left, right) = span_of_both(a, b, along);
    let (top, bottom) = span_of_both(a, b, aside);
    let long = right - left;
    let wide = bottom - top;
    let fits = PARAMS.whole_scale.contains(&((long * wide).sqrt() / usual))
        && PARAMS.whole_ratio.contains(&(long / wide));
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
    fits.then(|| Quad(corners.map(|(x, y)| along * x + aside * y)))
}

/// Returns the least and greatest coordinate of two quads along a direction.
fn span_of_both(a: &Quad, b: &Quad, direction: Point) -> (f32, f32) {
    let (a_low, a_high) = a.span(direction);
    let (b_low, b_high) = b.span(direction);
    (a_low.min(b_low), a_high.max(b_high))
}

/// Returns the side of a quad that runs most nearly in a direction, as a unit vector.
fn nearest_side(quad: &Quad, direction: Point) -> Point {
    let sides = [quad.across().unit(), quad.down().unit()];
    let signed = sides.map(|side| if side.dot(direction) < 0.0 { side * -1.0 } else { side });
    if signed[0].dot(direction) >= signed[1].dot(direction) { signed[0] } else { signed[1] }
}

#[cfg(test)]
mod tests {
    use tilesight_core::tile::Face;

    use super::*;
    use crate::Faces;

    fn seen(x: f32, y: f32, width: f32, height: f32, p: f32) -> SeenTile {
        let face: Face = "2s".parse().expect("a code");
        let other: Face = "1m".parse().expect("a code");
        let faces = Faces::from_weights([(Some(face), p), (Some(other), 1.0 - p)]);
        let quad = Quad::rectangle(x, y, width, height);
        SeenTile {
            quad,
            score: 0.9,
            inside: 1.0,
            faces,
            turns: [1.0, 0.0, 0.0, 0.0],
            red: 0.0,
            likeness: None,
        }
    }

    #[test]
    fn halves_make_a_tile_and_tiles_do_not() {
        let mut tiles: Vec<SeenTile> =
            (0..6).map(|n| seen(n as f32 * 31.0, 100.0, 30.0, 40.0, 0.99)).collect();
        assert!(pairs(&tiles).is_empty());
        // Both parts of a tile of 40 x 30 that lies sideways.
        tiles.push(seen(0.0, 0.0, 17.0, 30.0, 0.6));
        tiles.push(seen(15.0, 0.0, 25.0, 30.0, 0.7));
        let found = pairs(&tiles);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].halves, [6, 7]);
        assert!((found[0].outline.area() - 1200.0).abs() < 1.0);
        // When named with confidence, they are two small tiles.
        tiles[6] = seen(0.0, 0.0, 17.0, 30.0, 0.99);
        tiles[7] = seen(15.0, 0.0, 25.0, 30.0, 0.99);
        assert!(pairs(&tiles).is_empty());
    }
}
