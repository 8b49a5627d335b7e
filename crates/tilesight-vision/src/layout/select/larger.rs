//! Hands of games with more tiles than the rule set has: five sets and a pair, of which a photo
//! with sixteen or seventeen tiles shows no fourteen.
//!
//! Input: the best hand of the rule set's size. Output: how the table [`Fit`]s a larger one.
//! Invariant: a hand that wins by the rule set stays as it is, unless one of its own sets lies
//! apart like the one that is left out; then nothing tells which of them is the smaller hand's.

use tilesight_core::hand::HandSize;
use tilesight_core::tile::Tile;
use tilesight_core::tiles::Counts;

use super::super::top_view::TopView;
use super::Target;
use super::anchors::best_hand;
use super::block_view::BlockView;
use super::hand::ChosenHand;
use crate::effort::Effort;

/// Relation of a table to a hand of the larger size.
pub(super) enum Fit<'a> {
    /// The tiles are such a hand, and none of the rule set's size.
    Only(Box<BlockView<'a>>, ChosenHand),
    /// With these blocks beside it, a hand of the rule set's size is such a hand too.
    Too(Vec<usize>),
}

/// Returns how a table fits a hand of the larger size; `None` if it does not, or if the rule set
/// has no smaller hands. The search takes the steps of a budget of its own, and finds nothing if
/// they run out.
pub(super) fn fit_larger<'a>(
    view: &TopView<'a>,
    table: &BlockView<'a>,
    hand: &ChosenHand,
    aim: Target<'a>,
    effort: &'a Effort,
) -> Option<Fit<'a>> {
    let size = HandSize::MAX;
    let usable = usable_blocks(table);
    let is_open = !hand.wins || table.won && misses_set(table, hand, &usable);
    if table.size == size || table.count(&usable) < size.waiting() || !is_open {
        return None;
    }
    let larger = BlockView::new(view, table.blocks, aim, size, effort);
    let other = best_hand(&larger, aim.focus)?;
    let is_better = other.value > hand.value;
    if effort.is_spent() || !is_better || !has_all_tiles(&larger, &other) {
        return None;
    }
    let may_win = table.won && larger.may_win(&other);
    let is_alike = hand.blocks.iter().any(|&b| is_claimed_set(table, b));
    if hand.wins || table.won && table.may_win(hand) {
        let mut beside = other.blocks.clone();
        beside.retain(|b| !hand.blocks.contains(b));
        let is_more = hand.blocks.iter().all(|b| other.blocks.contains(b));
        return match (may_win && is_more, is_alike) {
            (true, true) => Some(Fit::Only(Box::new(larger), other)),
            (true, false) => Some(Fit::Too(beside)),
            (false, _) => None,
        };
    }
    // Sixteen or seventeen tiles that do not win stay as they are: a stray tile may bring them
    // nearer.
    let is_whole = !has_all_tiles(&larger, hand)
        && (is_alike || table.count(&hand.blocks) != table.tiles_of_hand());
    let is_near = other.worth >= larger.min_worth_of_waiting()
        || usable.iter().all(|b| other.blocks.contains(b));
    let is_shown = may_win || other.wins || table.won && is_whole && is_near;
    is_shown.then(|| Fit::Only(Box::new(larger), other))
}

/// Returns the blocks that may be parts of a hand, without flowers.
fn usable_blocks(table: &BlockView) -> Vec<usize> {
    let all = 0..table.blocks.len();
    all.filter(|&b| table.blocks[b].can_belong() && !table.blocks[b].is_flowers()).collect()
}

/// Returns whether a set that is left out lies as if it belonged to the hand.
fn misses_set(table: &BlockView, hand: &ChosenHand, usable: &[usize]) -> bool {
    let params = &table.params.selection;
    let left_out = usable.iter().filter(|b| !hand.blocks.contains(b));
    let mut sets = left_out.filter(|&&b| table.blocks[b].sets > 0);
    sets.any(|&b| {
        let costs = hand.blocks.iter().map(|&own| table.between[own][b].near_cost(params));
        costs.fold(f32::INFINITY, f32::min) < params.belongs
    })
}

/// Returns whether a block is a set that lies by itself, as those that were claimed.
fn is_claimed_set(table: &BlockView, b: usize) -> bool {
    let block = &table.blocks[b];
    block.claimed > 0 || block.sets == 1
}

/// Returns whether a hand has as many tiles as it needs before or after the win, with kongs.
fn has_all_tiles(table: &BlockView, hand: &ChosenHand) -> bool {
    let faces = hand.blocks.iter().flat_map(|&b| &table.blocks[b].faces);
    let counts: Counts = faces.copied().collect();
    let fours = Tile::ALL.into_iter().filter(|&tile| counts.count(tile) == 4).count();
    let tiles = table.count(&hand.blocks);
    (table.size.waiting()..=table.tiles_of_hand() + fours).contains(&tiles)
}

impl BlockView<'_> {
    /// Returns whether a hand wins, if need be with another face of one of its tiles.
    fn may_win(&self, hand: &ChosenHand) -> bool {
        hand.worth > self.max_worth_beside_win()
    }

    /// Returns the worth of a hand that has not won yet and waits for a tile.
    fn min_worth_of_waiting(&self) -> f32 {
        self.max_worth_beside_win() - self.params.selection.short
    }
}
