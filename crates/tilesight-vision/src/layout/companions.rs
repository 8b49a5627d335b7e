//! Naming of unclear tiles as flowers if they lie among flowers.
//!
//! Input: the tiles as they lie from above. Output: the same tiles, with those that may be flowers
//! and touch only flowers named flowers. Invariant: a tile that is named with confidence, or lies
//! in a longer row, keeps its faces.

use tilesight_core::tile::Face;

use super::super::geometry::rows::linked;
use super::super::params::{Params, VisibilityParams};
use crate::pixels::faces::{Faces, Sort};
use crate::pixels::seen_tile::SeenTile;

/// Maximum length of a row of flowers: there are eight flowers and seasons.
const MAX_ROW: usize = 8;

/// Names tiles flowers that may be flowers and touch only flowers.
pub(super) fn make_flowers(tiles: &mut [SeenTile], params: &Params) {
    let visibility = &params.visibility;
    let touching = params.rows.touching;
    let seen: Vec<usize> = (0..tiles.len()).filter(|&i| tiles[i].score >= visibility.dim).collect();
    let rows = linked(&seen, |a, b| tiles[a].quad.gap(&tiles[b].quad, touching) <= touching);
    for row in rows {
        let (sure, unsure): (Vec<usize>, Vec<usize>) =
            row.iter().partition(|&&i| bonus(&tiles[i].faces) >= visibility.sure_flower);
        if row.len() <= MAX_ROW
            && unsure.len() <= sure.len()
            && unsure.iter().all(|&i| may_be_flower(&tiles[i].faces, visibility))
        {
            for i in unsure {
                let faces = tiles[i].faces.candidates(0.0).into_iter();
                tiles[i].faces = Faces::from_weights(faces.filter(|&(face, _)| is_bonus(face)));
            }
        }
    }
}

/// Returns whether a tile that was read as a playing tile may be a flower.
fn may_be_flower(faces: &Faces, visibility: &VisibilityParams) -> bool {
    faces.sort().0 == Sort::Playing
        && faces.top().1 < visibility.doubtful_flower
        && bonus(faces) >= visibility.maybe_flower
}

fn is_bonus(face: Option<Face>) -> bool {
    matches!(face, Some(Face::Bonus(_)))
}

/// Returns the probability that a tile is any flower.
fn bonus(faces: &Faces) -> f32 {
    faces.candidates(0.0).into_iter().filter(|&(face, _)| is_bonus(face)).map(|(_, p)| p).sum()
}

#[cfg(test)]
mod tests {
    use super::super::super::geometry::Quad;
    use super::*;

    fn sorts(row: &[[(&str, f32); 2]]) -> Vec<Sort> {
        let tile = |(n, weights): (usize, &[(&str, f32); 2])| SeenTile {
            quad: Quad::rectangle(32.0 * n as f32, 0.0, 30.0, 40.0),
            score: 0.9,
            inside: 1.0,
            faces: Faces::from_weights(weights.map(|(code, p)| (code.parse().ok(), p))),
            turns: [1.0, 0.0, 0.0, 0.0],
            red: 0.0,
            likeness: None,
        };
        let mut tiles: Vec<SeenTile> = row.iter().enumerate().map(tile).collect();
        make_flowers(&mut tiles, &Params::DEFAULT);
        tiles.iter().map(|tile| tile.faces.sort().0).collect()
    }

    #[test]
    fn an_unsure_tile_beside_a_flower_is_a_flower() {
        let flower = [("s3", 0.5), ("f3", 0.4)];
        let bird = [("1s", 0.6), ("f2", 0.2)];
        assert_eq!(sorts(&[flower, bird]), [Sort::Bonus; 2]);
        assert_eq!(sorts(&[bird]), [Sort::Playing], "alone");
        assert_eq!(
            sorts(&[flower, [("1s", 0.95), ("f2", 0.05)]])[1],
            Sort::Playing,
            "surely a bird"
        );
        assert_eq!(sorts(&[flower, [("W", 0.7), ("S", 0.3)]])[1], Sort::Playing, "never a flower");
        assert_eq!(sorts(&[bird, flower, bird]), [Sort::Playing, Sort::Bonus, Sort::Playing]);
    }

    #[test]
    fn a_row_of_a_hand_keeps_its_names() {
        let mut row = vec![[("4p", 0.99), ("s4", 0.0)]; 8];
        row.extend([[("s3", 0.5), ("f3", 0.4)], [("1s", 0.6), ("f2", 0.2)]]);
        assert_eq!(sorts(&row)[9], Sort::Playing);
    }
}
