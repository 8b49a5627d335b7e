//! Likelihood that tiles are a set, by their faces alone.
//!
//! Input: tiles and the indices of three or four of them. Output: the ratio of the likeliest set's
//! probability to that of the tiles' likeliest faces, and whether this ratio allows for one misread
//! tile. Invariant: the ratio is 1 if the likeliest faces are a set.

use tilesight_core::meld::Chow;
use tilesight_core::tile::{Face, Tile};

use super::top_view::TopView;
use crate::pixels::faces::Sort;
use crate::pixels::seen_tile::SeenTile;

/// Orders in which the three tiles of a chow may lie.
pub(crate) const CHOW_ORDERS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Returns the ratio of the probability of the likeliest chow or pung of three tiles to that of
/// their likeliest faces.
pub(super) fn set_likelihood(tiles: &[SeenTile], set: &[usize]) -> f32 {
    let &[a, b, c] = set else { return 0.0 };
    let seen = [a, b, c].map(|i| &tiles[i]);
    let pungs = Tile::ALL.into_iter().map(|tile| joint_probability(seen, [tile; 3]));
    let chows = Tile::ALL.into_iter().filter_map(Chow::new).flat_map(|chow| {
        CHOW_ORDERS.map(|order| joint_probability(seen, order.map(|at| chow.tiles()[at])))
    });
    pungs.chain(chows).fold(0.0, f32::max) / likeliest_faces(tiles, set)
}

/// Like [`set_likelihood`], but for tiles of one kind, where a back may be any tile.
pub(super) fn kong_likelihood(tiles: &[SeenTile], set: &[usize]) -> f32 {
    let mut faces = set.to_vec();
    faces.retain(|&i| tiles[i].faces.sort().0 != Sort::Back);
    if faces.is_empty() {
        return 1.0;
    }
    let kongs = Tile::ALL
        .into_iter()
        .map(|tile| faces.iter().map(|&i| probability(&tiles[i], tile)).product::<f32>());
    kongs.fold(0.0, f32::max) / likeliest_faces(tiles, &faces)
}

fn probability(seen: &SeenTile, tile: Tile) -> f32 {
    seen.faces.probability(Some(Face::Tile(tile)))
}

/// Returns the probability that three tiles are of these kinds.
fn joint_probability(seen: [&SeenTile; 3], shown: [Tile; 3]) -> f32 {
    (0..3).map(|at| probability(seen[at], shown[at])).product()
}

fn likeliest_faces(tiles: &[SeenTile], set: &[usize]) -> f32 {
    let likeliest = set.iter().map(|&i| tiles[i].faces.top().1);
    likeliest.product::<f32>().max(f32::MIN_POSITIVE)
}

/// Returns whether tiles may all be of one kind, allowing for one misread tile.
pub(super) fn may_be_one_kind(view: &TopView, set: &[usize]) -> bool {
    set.iter().all(|&i| !view.is_back(i))
        && kong_likelihood(view.tiles, set) > view.params.visibility.possible_set
}

/// Returns whether three tiles may be a chow or a pung, allowing for one misread tile.
pub(super) fn may_be_set(view: &TopView, set: &[usize]) -> bool {
    set.iter().all(|&i| !view.is_back(i))
        && set_likelihood(view.tiles, set) > view.params.visibility.possible_set
}
