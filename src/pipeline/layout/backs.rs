//! Tiles that lie face down in a concealed kong, though their backs may be as pale as a white dragon.
//!
//! Input: tiles in reading order. Output: which of them show their backs. A pale back cannot be told from a blank dragon by
//! its face alone; its place can tell: nobody lays a white dragon at both ends of a pair, or two between a pair.
//! Invariant: what prints a face is never hidden.

use super::super::classify::{SeenTile, Sort};
use super::options::may_be_one_kind;
use crate::tile::{Dragon, Face};

/// The places that lie face down: the outer two or the inner two; of three tiles, one of which was not seen, what is left
/// of these.
const OF_FOUR: [&[usize]; 2] = [&[0, 3], &[1, 2]];
const OF_THREE: [&[usize]; 4] = [&[0], &[2], &[0, 1], &[1, 2]];

/// A white dragon and a back together are at least this probable where one of them lies.
const BLANK: f32 = 0.5;

/// The tiles that lie face down if these three or four are a concealed kong that shows what it is.
pub(super) fn hidden_in(tiles: &[SeenTile], set: &[usize]) -> Option<Vec<usize>> {
    let patterns: &[&[usize]] = match set.len() {
        3 if set.iter().any(|&i| tiles[i].faces.sort().0 == Sort::Back) => &OF_THREE,
        4 => &OF_FOUR,
        _ => return None,
    };
    let shows_kong = |down: &&&[usize]| {
        let (hidden, open): (Vec<usize>, Vec<usize>) =
            (0..set.len()).partition(|place| down.contains(place));
        let open: Vec<usize> = open.iter().map(|&place| set[place]).collect();
        hidden.iter().all(|&place| is_blank(&tiles[set[place]]))
            && open.iter().all(|&i| !is_blank(&tiles[i]) && shows_tile(&tiles[i]))
            && may_be_one_kind(tiles, &open)
    };
    let found = patterns.iter().find(shows_kong)?;
    Some(found.iter().map(|&place| set[place]).collect())
}

/// Whether four tiles without print are a kong of white dragons rather than of backs: two look like dragons at the least.
pub(super) fn is_dragon_kong(tiles: &[SeenTile], set: &[usize]) -> bool {
    let backs = set.iter().filter(|&&i| tiles[i].faces.sort().0 == Sort::Back).count();
    set.len() == 4 && backs <= 2 && set.iter().all(|&i| is_blank(&tiles[i]))
}

/// Whether this is a back, or a face without print that may be one.
pub(super) fn is_blank(tile: &SeenTile) -> bool {
    let dragon = |face: &Option<Face>| {
        face.and_then(Face::tile).is_some_and(|tile| tile.dragon() == Some(Dragon::White))
    };
    let likely = tile.faces.candidates(0.01).into_iter();
    let blank = likely.filter(|(face, _)| *face == Some(Face::Back) || dragon(face));
    blank.map(|(_, p)| p).sum::<f32>() >= BLANK
}

fn shows_tile(tile: &SeenTile) -> bool {
    tile.faces.sort().0 == Sort::Playing
}
