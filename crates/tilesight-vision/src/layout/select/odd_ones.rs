//! Things that show a face and are no tiles of the set: a dealer's plate with a wind, dice,
//! counting sticks.
//!
//! Input: the tiles as they lie from above. Output: those that are left out before the hand is
//! searched. A set has four tiles of a kind and one of each flower. If more are seen, one of them
//! is named wrongly, or is no tile; the one that is no tile has another size. Invariant: a tile of
//! the usual size is never left out, and of no face fewer are left than a set has.

use tilesight_core::tile::Face;

use super::super::super::geometry::median;
use super::super::faces::is_printed;
use super::super::top_view::TopView;

/// Returns the faces beyond those of a set that differ in size from the other tiles.
pub(super) fn odd_ones(view: &TopView, usable: &[usize]) -> Vec<usize> {
    let params = view.params;
    let is_clear = |i: &usize| {
        let tile = &view.tiles[*i];
        let is_named = tile.faces.top().1 > params.visibility.mark_confidence;
        is_named && tile.score >= params.visibility.dim
    };
    let clear: Vec<usize> = usable.iter().copied().filter(is_clear).collect();
    let scale = |i: usize| view.items[i].quad.scale();
    let printed = clear.iter().filter(|&&i| is_printed(&view.tiles[i]));
    let Some(usual) = median(printed.map(|&i| scale(i))) else { return Vec::new() };
    let off = |i: usize| (scale(i) / usual).ln().abs();
    let mut by_face: Vec<(Face, usize)> =
        clear.iter().filter_map(|&i| Some((view.tiles[i].faces.best()?, i))).collect();
    // The best fitting ones of each face come first.
    by_face.sort_by(|a, b| a.0.cmp(&b.0).then(off(a.1).total_cmp(&off(b.1))));
    let surplus = by_face.chunk_by(|a, b| a.0 == b.0).flat_map(|alike| {
        let copies = match alike[0].0 {
            Face::Tile(_) => 4,
            Face::Bonus(_) => 1,
            Face::Back => alike.len(),
        };
        alike.iter().skip(copies).map(|&(_, i)| i)
    });
    surplus.filter(|&i| off(i) > params.search.odd_size.ln()).collect()
}
