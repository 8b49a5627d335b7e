//! Dora indicators: tiles that lie face up in a wall.
//!
//! Input: the blocks of a table, and those that are the hand's. Output: the tiles, in the order of
//! their row. Invariant: no tile of the hand is one, and there are never more than a wall has. A
//! white dragon does not count: it looks like a pale back.

use super::super::super::params::LIKELY;
use super::super::faces::{confidence, is_printed};
use super::super::top_view::TopView;
use super::blocks::Block;

/// Number of indicators under a wall with four kongs.
const MAX_INDICATORS: usize = 5;

/// Returns the tiles that lie face up in the wall that has most backs, of those walls that have
/// such tiles; none if there are more of them than can be indicators, or if others lie between
/// them.
pub(super) fn indicators(view: &TopView, blocks: &[Block], of_hand: &[usize]) -> Vec<usize> {
    let others = blocks.iter().enumerate().filter(|(b, _)| !of_hand.contains(b));
    let shown = others.filter_map(|(_, block)| Some((block.members.len(), in_wall(view, block)?)));
    let best = shown.max_by_key(|(length, tiles)| length - tiles.len());
    best.map_or_else(Vec::new, |(_, tiles)| tiles)
}

/// Returns the tiles that lie face up in a wall, side by side.
fn in_wall(view: &TopView, block: &Block) -> Option<Vec<usize>> {
    if !block.is_wall {
        return None;
    }
    let first = block.members.iter().position(|&i| is_shown(view, i))?;
    let from_first = block.members[first..].iter().copied();
    let tiles: Vec<usize> = from_first.take_while(|&i| is_shown(view, i)).collect();
    let all = block.members.iter().filter(|&&i| is_shown(view, i)).count();
    (tiles.len() == all && all <= MAX_INDICATORS).then_some(tiles)
}

/// Returns whether a tile clearly shows a face.
fn is_shown(view: &TopView, i: usize) -> bool {
    let tile = &view.tiles[i];
    is_printed(tile) && confidence(tile) >= LIKELY
}
