//! Tiles that look like none that the networks know.
//!
//! Input: seen tiles, each with the cosine of its embedding with the typical one of its name.
//! Output: whether they are of a set that no network knows, or no mahjong tiles at all. Invariant:
//! tiles without that cosine, such as corrected ones, are never unfamiliar.

use crate::decide::joint::Decision;
use crate::geometry::median;
use crate::params::SetParams;
use crate::pixels::seen_tile::SeenTile;

const PARAMS: SetParams = SetParams::DEFAULT;

/// Returns whether most of these tiles look like no face that the networks know.
pub(crate) fn are_unfamiliar<'a>(tiles: impl IntoIterator<Item = &'a SeenTile>) -> bool {
    let likenesses: Vec<f32> = tiles.into_iter().filter_map(|tile| tile.likeness).collect();
    likenesses.len() >= PARAMS.unfamiliar_tiles
        && median(likenesses).is_some_and(|middle| middle < PARAMS.min_likeness)
}

/// Returns whether the most probable hand is made of such tiles. Its names then mean nothing, and
/// hardly ever fit together by chance.
pub(crate) fn is_unfamiliar(tiles: &[SeenTile], decision: &Decision) -> bool {
    decision.best.as_ref().is_some_and(|best| {
        best.p < PARAMS.unfamiliar_p && are_unfamiliar(best.faces.iter().map(|&(i, _)| &tiles[i]))
    })
}

#[cfg(test)]
mod tests {
    use tilesight_core::tile::{Face, Tile};

    use super::*;
    use crate::geometry::Quad;
    use crate::pixels::faces::Faces;

    fn tile(likeness: Option<f32>) -> SeenTile {
        SeenTile {
            quad: Quad::rectangle(0.0, 0.0, 30.0, 40.0),
            score: 0.9,
            inside: 1.0,
            faces: Faces::certain(Face::Tile(Tile::ALL[0])),
            turns: [1.0, 0.0, 0.0, 0.0],
            red: 0.0,
            likeness,
        }
    }

    #[test]
    fn tiles_are_unfamiliar_if_most_of_enough_look_like_no_face() {
        let cases: [(&[Option<f32>], usize, bool); 5] = [
            (&[Some(0.3)], 14, true),
            (&[Some(0.8)], 14, false),
            (&[Some(0.3), Some(0.35), Some(0.9)], 5, true),
            (&[Some(0.3)], 7, false),
            (&[None], 14, false),
        ];
        for (likenesses, times, expected) in cases {
            let tiles: Vec<SeenTile> = likenesses.repeat(times).into_iter().map(tile).collect();
            assert_eq!(are_unfamiliar(&tiles), expected, "{times} times {likenesses:?}");
        }
    }
}
