//! Things that show a face and are no tiles of the set: a dealer's plate with a wind, dice,
//! counting sticks.
//!
//! Input: the tiles as they lie from above. Output: those that are left out before the hand is
//! searched. A set has four tiles of a kind and one of each flower. If more are seen, one of them
//! is named wrongly, or is no tile; the one that is no tile has another size. Invariant: a tile of
//! the usual size is never left out, and of no face fewer are left than a set has.

use tilesight_core::tile::Face;

use super::super::super::geometry::median;
use super::super::super::params::LIKELY;
use super::super::faces::is_printed;
use super::super::top_view::TopView;

/// A tile with its face, and how much its size differs from the usual one: the logarithm of their
/// ratio.
struct NamedTile {
    i: usize,
    face: Face,
    off: f32,
}

/// Returns the faces beyond those of a set that differ in size from the other tiles.
pub(super) fn odd_ones(view: &TopView, usable: &[usize]) -> Vec<usize> {
    let params = view.params;
    let mut clear = usable.to_vec();
    clear.retain(|&i| {
        let tile = &view.tiles[i];
        let is_named = tile.faces.top().1 > LIKELY;
        is_named && tile.score >= params.visibility.dim
    });
    let printed = clear.iter().filter(|&&i| is_printed(&view.tiles[i]));
    let Some(usual) = median(printed.map(|&i| view.items[i].quad.scale())) else {
        return Vec::new();
    };
    let mut by_face: Vec<NamedTile> = Vec::new();
    for i in clear {
        let off = (view.items[i].quad.scale() / usual).ln().abs();
        by_face.extend(view.tiles[i].faces.best().map(|face| NamedTile { i, face, off }));
    }
    // The best fitting ones of each face come first.
    by_face.sort_by(|a, b| a.face.cmp(&b.face).then(a.off.total_cmp(&b.off)));
    let surplus = by_face.chunk_by(|a, b| a.face == b.face).flat_map(|alike| {
        let copies = match alike[0].face {
            Face::Tile(_) => 4,
            Face::Bonus(_) => 1,
            Face::Back => alike.len(),
        };
        alike.iter().skip(copies)
    });
    surplus.filter(|tile| tile.off > params.search.odd_size.ln()).map(|tile| tile.i).collect()
}
