//! Detection of tiles that lie face down in a concealed kong, even if their backs are as pale as a
//! white dragon.
//!
//! Input: tiles in reading order. Output: the tiles that show their backs. A pale back and a white
//! dragon without print look alike, and only their places distinguish them: players do not lay a
//! white dragon at both ends of a pair, or two between a pair. Invariant: a tile with a printed
//! face is never hidden.

use super::likelihood::may_be_one_kind;
use super::top_view::TopView;
use crate::pixels::faces::Sort;

/// Places of the tiles that lie face down: the outer two or the inner two. If one of the four tiles
/// was not detected, the remaining places of these.
const OF_FOUR: [&[usize]; 2] = [&[0, 3], &[1, 2]];
const OF_THREE: [&[usize]; 4] = [&[0], &[2], &[0, 1], &[1, 2]];

/// Returns the tiles that lie face down, if these three or four are a concealed kong with open
/// tiles.
pub(super) fn hidden_in(view: &TopView, set: &[usize]) -> Option<Vec<usize>> {
    let patterns: &[&[usize]] = match set.len() {
        3 if set.iter().any(|&i| view.is_back(i)) => &OF_THREE,
        4 => &OF_FOUR,
        _ => return None,
    };
    let found = patterns.iter().find(|down| shows_kong(view, set, down))?;
    Some(found.iter().map(|&place| set[place]).collect())
}

/// Returns whether tiles may be one kind, of which those at the places `down` lie face down.
fn shows_kong(view: &TopView, set: &[usize], down: &[usize]) -> bool {
    let (hidden, shown): (Vec<usize>, Vec<usize>) =
        (0..set.len()).partition(|place| down.contains(place));
    let open: Vec<usize> = shown.into_iter().map(|place| set[place]).collect();
    hidden.iter().all(|&place| is_blank_at(view, set[place]))
        && open.iter().all(|&i| !is_blank_at(view, i) && view.sort(i) == Sort::Playing)
        && may_be_one_kind(view, &open)
}

/// Returns whether four tiles without print are a kong of white dragons rather than of backs: at
/// least two must look like dragons.
pub(super) fn is_dragon_kong(view: &TopView, set: &[usize]) -> bool {
    let backs = set.iter().filter(|&&i| view.is_back(i)).count();
    set.len() == 4 && backs <= 2 && set.iter().all(|&i| is_blank_at(view, i))
}

/// Returns whether exactly the outer two or the inner two of four tiles are backs: a concealed
/// kong, even of white dragons.
pub(super) fn shows_backs_in_place(view: &TopView, set: &[usize]) -> bool {
    let backs: Vec<usize> = (0..set.len()).filter(|&place| view.is_back(set[place])).collect();
    set.len() == 4 && OF_FOUR.contains(&backs.as_slice())
}

fn is_blank_at(view: &TopView, i: usize) -> bool {
    view.tiles[i].faces.is_blank()
}
