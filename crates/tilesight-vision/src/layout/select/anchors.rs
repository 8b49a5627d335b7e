//! Search for hands around blocks.
//!
//! Input: the table's blocks. Output: the best hand around any of the heaviest blocks, and the
//! other hands in the rest. Invariant: with a focus, the best hand contains it.

use super::block_view::BlockView;
use super::hand::{ChosenHand, choose};

/// Returns the best hand around any of the heaviest blocks. Trying only the heaviest block is not
/// enough: discards can lie in tidier and longer rows than the hand. If none of these hands wins,
/// lighter blocks are tried as well: a winner's hand that lies in parts is lighter than another
/// player's closed row of thirteen.
pub(super) fn best_hand(table: &BlockView, focus: Option<usize>) -> Option<ChosenHand> {
    let focus =
        focus.and_then(|tile| table.blocks.iter().position(|block| block.members.contains(&tile)));
    let holds_focus = |hand: &ChosenHand| focus.is_none_or(|b| hand.blocks.contains(&b));
    let best_of = |anchors: Vec<usize>| {
        let hands = anchors.into_iter().map(|anchor| choose(table, anchor)).filter(holds_focus);
        hands.max_by(|a, b| a.value.total_cmp(&b.value))
    };
    let (heavy, light) = anchors(table);
    let best = best_of(heavy);
    let best = match best {
        Some(hand) if !hand.wins => {
            let other = best_of(light).filter(|other| other.wins && other.value > hand.value);
            other.or(Some(hand))
        }
        best => best,
    };
    best.or_else(|| focus.map(|b| choose(table, b)))
}

/// Returns the heaviest blocks with the heaviest sets after them, and the next blocks.
fn anchors(table: &BlockView) -> (Vec<usize>, Vec<usize>) {
    let params = &table.params.search;
    let mut anchors = free_anchors(table);
    anchors.sort_by(|&a, &b| weight(table, b).total_cmp(&weight(table, a)));
    let lighter = anchors.split_off(anchors.len().min(params.anchors));
    let sets = lighter.iter().copied().filter(|&b| table.blocks[b].sets == 1);
    anchors.extend(sets.take(params.set_anchors));
    let light = lighter.into_iter().filter(|b| !anchors.contains(b));
    let light = light.take(params.light_anchors).collect();
    (anchors, light)
}

fn free_anchors(table: &BlockView) -> Vec<usize> {
    let is_free = |&b: &usize| table.blocks[b].can_be_anchor() && !table.taken[b];
    (0..table.blocks.len()).filter(is_free).collect()
}

fn weight(table: &BlockView, block: usize) -> f32 {
    table.blocks[block].weight(&table.params.search)
}

/// Returns the best hand around the heaviest block that is left.
fn other_hand(table: &BlockView) -> Option<ChosenHand> {
    let left = free_anchors(table).into_iter();
    let heaviest = left.max_by(|&a, &b| weight(table, a).total_cmp(&weight(table, b)));
    heaviest.map(|anchor| choose(table, anchor))
}

/// Returns the tiles of the chosen hand, and of every winning hand among the remaining tiles, best
/// first.
pub(super) fn hands_in_view(table: &mut BlockView, hand: &ChosenHand) -> Vec<Vec<usize>> {
    let params = table.params;
    let mut hands = vec![take(table, hand)];
    for _ in 0..params.search.other_hands {
        let left = (0..table.blocks.len()).filter(|&b| !table.taken[b]);
        if left.map(|b| table.size(b)).sum::<usize>() < params.search.min_of_hand {
            break;
        }
        let is_hand = |other: &ChosenHand| {
            other.wins && table.evidence(&other.blocks) >= params.visibility.min_evidence
        };
        let Some(other) = other_hand(table).filter(is_hand) else { break };
        hands.push(take(table, &other));
    }
    hands
}

/// Takes a hand's blocks off the table.
fn take(table: &mut BlockView, hand: &ChosenHand) -> Vec<usize> {
    hand.blocks.iter().for_each(|&b| table.taken[b] = true);
    table.members(&hand.blocks)
}
