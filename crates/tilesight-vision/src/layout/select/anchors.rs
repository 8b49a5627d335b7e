//! Search for hands around blocks.
//!
//! Input: the table's blocks. Output: the best hand around any of the heaviest blocks, and the
//! other hands in the rest. Invariant: with a focus, the best hand contains the first tile of it
//! that can be of a hand.

use super::block_view::BlockView;
use super::hand::{ChosenHand, choose};

/// Returns the best hand, if it shows enough printed faces to be one. With a focus, tiles in the
/// order of their distance from a point, it is the hand of the first of them that can be of a hand:
/// a point beside a wall means the hand near it.
pub(super) fn best_hand(table: &BlockView, focus: Option<&[usize]>) -> Option<ChosenHand> {
    let Some(focus) = focus else {
        return best_around(table, None).filter(|hand| is_evident(table, hand));
    };
    let mut pointed: Vec<usize> = Vec::new();
    for &tile in focus {
        let block = table.blocks.iter().position(|block| block.members.contains(&tile));
        pointed.extend(block.filter(|b| !pointed.contains(b) && table.blocks[*b].can_belong()));
    }
    pointed.truncate(table.params.search.focus_blocks);
    let mut hands = pointed.into_iter().filter_map(|b| best_around(table, Some(b)));
    hands.find(|hand| is_evident(table, hand))
}

fn is_evident(table: &BlockView, hand: &ChosenHand) -> bool {
    table.evidence(&hand.blocks) >= table.params.visibility.min_evidence
}

/// Returns the best hand around any of the heaviest blocks that contains the block in focus. Trying
/// only the heaviest block is not enough: discards can lie in tidier and longer rows than the hand.
/// If none of these hands wins, lighter blocks are tried as well: a winner's hand that lies in
/// parts is lighter than another player's closed row of thirteen.
fn best_around(table: &BlockView, focus: Option<usize>) -> Option<ChosenHand> {
    let (heavy, light) = anchors(table);
    let best = match best_of(table, heavy, focus) {
        Some(hand) if !hand.wins => {
            let lighter = best_of(table, light, focus);
            lighter.filter(|other| other.wins && other.value > hand.value).or(Some(hand))
        }
        best => best,
    };
    best.or_else(|| focus.map(|b| choose(table, b)))
}

/// Returns the best hand around any of these blocks that contains the block in focus.
fn best_of(table: &BlockView, anchors: Vec<usize>, focus: Option<usize>) -> Option<ChosenHand> {
    anchors
        .into_iter()
        .enumerate()
        // The heaviest block is tried in any case.
        .take_while(|(n, _)| *n == 0 || !table.effort.is_spent())
        .map(|(_, anchor)| choose(table, anchor))
        .filter(|hand| focus.is_none_or(|b| hand.blocks.contains(&b)))
        .max_by(|a, b| a.value.total_cmp(&b.value))
}

/// Returns the heaviest blocks with the heaviest sets after them, and the next blocks.
fn anchors(table: &BlockView) -> (Vec<usize>, Vec<usize>) {
    let params = &table.params.search;
    let mut anchors = free_anchors(table);
    let lighter = anchors.split_off(anchors.len().min(params.anchors));
    let sets = lighter.iter().copied().filter(|&b| table.blocks[b].sets == 1);
    anchors.extend(sets.take(params.set_anchors));
    let others = lighter.into_iter().filter(|b| !anchors.contains(b));
    let light = others.take(params.light_anchors).collect();
    (anchors, light)
}

/// Returns the blocks that may be anchors and are in no hand yet, the heaviest first.
fn free_anchors(table: &BlockView) -> Vec<usize> {
    let mut free: Vec<usize> = (0..table.blocks.len())
        .filter(|&b| table.blocks[b].can_be_anchor() && !table.taken[b])
        .collect();
    free.sort_by(|&a, &b| table.weight(b).total_cmp(&table.weight(a)));
    free
}

/// Returns a hand around one of the heaviest blocks that are left, the heaviest first.
fn other_hand(table: &BlockView) -> Option<ChosenHand> {
    let heaviest = free_anchors(table).into_iter().take(table.params.search.anchors);
    heaviest.map(|anchor| choose(table, anchor)).find(|hand| is_whole(table, hand))
}

/// Returns whether a hand is whole: it wins, or waits if it did not win. Other thirteen tiles of a
/// player who did not win are a hand if many of them stand in one row.
fn is_whole(table: &BlockView, hand: &ChosenHand) -> bool {
    let is_hand = hand.wins || !table.won && is_holding(table, hand);
    is_hand && is_evident(table, hand)
}

/// Returns whether a hand has as many tiles as a player holds, many of them in one row.
fn is_holding(table: &BlockView, hand: &ChosenHand) -> bool {
    let surplus = table.count(&hand.blocks).checked_sub(table.tiles_of_hand());
    let mut blocks = hand.blocks.iter().map(|&b| &table.blocks[b]);
    surplus.is_some_and(|surplus| surplus <= table.max_kongs())
        && blocks.any(|block| block.is_row_of_hand(&table.params.search))
}

/// Returns the tiles of the chosen hand, and of every whole hand among the remaining tiles, best
/// first.
pub(super) fn hands_in_view(table: &mut BlockView, hand: &ChosenHand) -> Vec<Vec<usize>> {
    let params = table.params;
    let mut hands = vec![take(table, hand)];
    for _ in 0..params.search.other_hands {
        if table.effort.is_spent() {
            break;
        }
        let left: Vec<usize> = (0..table.blocks.len()).filter(|&b| !table.taken[b]).collect();
        if table.count(&left) < table.size.waiting() {
            break;
        }
        let Some(other) = other_hand(table) else { break };
        hands.push(take(table, &other));
    }
    hands
}

/// Takes a hand's blocks off the table.
fn take(table: &mut BlockView, hand: &ChosenHand) -> Vec<usize> {
    hand.blocks.iter().for_each(|&b| table.taken[b] = true);
    table.members(&hand.blocks)
}
