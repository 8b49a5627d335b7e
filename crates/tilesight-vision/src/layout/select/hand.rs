//! Search for the best hand around an anchor.
//!
//! Input: the table's blocks and one of them. Output: a [`ChosenHand`]. The blocks that may belong
//! to it are listed (`candidates`). Those that fit best are tried in every combination (`subsets`,
//! `combination`). Then single tiles anywhere on the table are tried as the missing one. Distance
//! alone rules nothing out: a hand that wins with a set in the corner of the table beats a tidy row
//! that does not. Invariants: the anchor is always part of the choice; a search that runs out of
//! its budget gives the best hand so far.

use std::collections::HashMap;

use tilesight_core::tile::{Face, Tile};

use super::super::ignore_reason::IgnoreReason;
use super::block_view::BlockView;
use super::candidates::{Candidate, candidates, split_by_cost};
use super::combination::{Combination, best_combinations};
use super::flowers;
use super::steps::{nearest_of, steps_from};
use super::worth::may_win;

/// Blocks of a hand, and how well they fit.
pub(super) struct ChosenHand {
    pub(super) blocks: Vec<usize>,
    /// Blocks of flowers that are chosen, or left out, with low confidence, and the probability
    /// that they are the hand's.
    pub(super) doubtful_flowers: Vec<(usize, f32)>,
    /// Tiles that may be flowers in blocks that are left out and show other faces too, and the
    /// probability that they are the hand's.
    pub(super) maybe_flowers: Vec<(usize, f32)>,
    /// Blocks with which a winning hand would still win, and single tiles that touch the hand.
    pub(super) rivals: Vec<usize>,
    /// Reason for which each block would be left out.
    pub(super) reasons: Vec<IgnoreReason>,
    pub(super) value: f32,
    /// Worth of its tiles as a hand, without how well they fit.
    pub(super) worth: f32,
    /// Whether the likeliest faces win, or wait if the hand did not win.
    pub(super) wins: bool,
}

/// Finds the best hand around a block.
pub(super) fn choose(table: &BlockView, anchor: usize) -> ChosenHand {
    let (steps, reached) = steps_from(table.blocks, &table.between, anchor, table.params);
    let (mut tried, rest) = split_by_cost(table, anchor, candidates(table, anchor, &steps));
    // Sorted by the order in which they are reached, so that a block comes after the one from which
    // it is reached.
    tried.sort_by_key(|candidate| reached[candidate.block]);
    let all = [tried.as_slice(), &rest].concat();
    let best = complete(table, best_combinations(table, anchor, &tried), &all);
    let own = flowers::own_flowers(table, &best.blocks);
    let blocks: Vec<usize> = best.blocks.iter().copied().chain(own.taken).collect();
    ChosenHand {
        doubtful_flowers: own.open,
        maybe_flowers: flowers::mixed_flowers(table, &best.blocks),
        rivals: rivals(table, &best, &all),
        reasons: reasons(table, anchor, &best.blocks),
        value: best.value() + anchor_value(table, &blocks),
        worth: best.worth,
        wins: best.worth == table.params.selection.wins,
        blocks,
    }
}

/// Returns the value of a hand's heaviest block relative to the heaviest block of the table.
fn anchor_value(table: &BlockView, blocks: &[usize]) -> f32 {
    let weights: Vec<f32> = (0..table.blocks.len()).map(|b| table.weight(b)).collect();
    let here = blocks.iter().map(|&b| weights[b]).fold(f32::MIN_POSITIVE, f32::max);
    let max_weight = weights.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    table.params.selection.anchor * (here / max_weight).ln()
}

/// Returns the best hand, completed if possible by a tile, a pair, or two equal single tiles
/// anywhere on the table.
fn complete(table: &BlockView, hands: Vec<Combination>, candidates: &[Candidate]) -> Combination {
    let small = small_blocks(table, candidates);
    let twins = twins(table, &small);
    let completed = hands.iter().flat_map(|hand| completions(table, hand, &small, &twins));
    let all = completed.collect::<Vec<_>>();
    all.into_iter()
        .chain(hands)
        .reduce(|best, other| if other.value() > best.value() { other } else { best })
        .expect("the anchor alone is a combination")
}

/// Returns the blocks of one or two tiles, of those with the same faces the ones that fit best: a
/// set has four tiles of a kind, and a picture may show hundreds of things that look like one.
fn small_blocks(table: &BlockView, candidates: &[Candidate]) -> Vec<usize> {
    let mut small = candidates.to_vec();
    small.retain(|candidate| table.blocks[candidate.block].members.len() <= 2);
    let mut by_cost: Vec<usize> = (0..small.len()).collect();
    by_cost.sort_by(|&a, &b| small[a].cost.total_cmp(&small[b].cost));
    let mut alike: HashMap<&[Tile], usize> = HashMap::new();
    by_cost.retain(|&n| {
        let count = alike.entry(&table.blocks[small[n].block].faces).or_default();
        *count += 1;
        *count <= table.params.search.equal_blocks
    });
    by_cost.sort_unstable();
    by_cost.into_iter().map(|n| small[n].block).collect()
}

/// Returns the winning hands that an incomplete hand becomes with a small block, or with two equal
/// single tiles.
fn completions(
    table: &BlockView,
    hand: &Combination,
    small: &[usize],
    twins: &[(usize, usize)],
) -> Vec<Combination> {
    // A hand that did not win never wins with a tile more.
    if hand.wins(table) || !table.won {
        return Vec::new();
    }
    let single = small.iter().map(|&block| (block, None));
    let double = twins.iter().map(|&(a, b)| (a, Some(b)));
    let free = single
        .chain(double)
        .filter(|(a, b)| !hand.blocks.contains(a) && b.is_none_or(|b| !hand.blocks.contains(&b)));
    let completed = free.take_while(|_| table.effort.step()).filter_map(|(a, b)| {
        let added: Vec<usize> = std::iter::once(a).chain(b).collect();
        if !may_win(table, &hand.blocks, &added) {
            return None;
        }
        let mut with = hand.with(table, &added);
        if added.len() == 2 {
            with.fit += table.refund(added[0]) + table.refund(added[1]);
        }
        Some(with)
    });
    completed.filter(|with| with.may_win(table)).collect()
}

/// Returns the pairs of equal single tiles.
fn twins(table: &BlockView, small: &[usize]) -> Vec<(usize, usize)> {
    let pairs =
        small.iter().enumerate().flat_map(|(n, &a)| small[..n].iter().map(move |&b| (a, b)));
    pairs
        .filter(|&(a, b)| {
            let face = face_of_single(table, a);
            face.is_some() && face == face_of_single(table, b)
        })
        .collect()
}

fn face_of_single(table: &BlockView, block: usize) -> Option<Tile> {
    match table.blocks[block].members[..] {
        [tile] => table.tiles[tile].faces.best().and_then(Face::tile),
        _ => None,
    }
}

/// Returns the blocks that were left out of the best hand and become doubts.
fn rivals(table: &BlockView, best: &Combination, candidates: &[Candidate]) -> Vec<usize> {
    candidates
        .iter()
        .map(|candidate| candidate.block)
        .filter(|b| !best.blocks.contains(b))
        .filter(|&b| touches(table, best, b) || wins_with(table, best, b))
        .chain((0..table.blocks.len()).filter(|&b| may_be_dragons(table, best, b)))
        .collect()
}

/// Returns whether a block beside the hand that was left out is three or four tiles without print
/// that may all be white dragons: the other names of one tile too few cost as much. Such a set is
/// what two hands may differ by, and never left out without a question.
fn may_be_dragons(table: &BlockView, best: &Combination, b: usize) -> bool {
    let members = &table.blocks[b].members;
    let is_set = (3..=4).contains(&members.len());
    is_set
        && !best.blocks.contains(&b)
        && table.is_of_scale(b, best.blocks[0])
        && nearest_of(&table.between, &best.blocks, b).0 <= table.params.search.elsewhere
        && members.iter().all(|&i| table.tiles[i].faces.is_blank())
        && members.iter().map(|&i| table.tiles[i].faces.cost_of_dragon()).sum::<f32>()
            <= table.params.selection.cost_to_win(1)
}

/// Returns whether a block is a face that touches the hand: it belongs to it or was pushed there.
fn touches(table: &BlockView, best: &Combination, b: usize) -> bool {
    let block = &table.blocks[b];
    block.members.len() == 1
        && block.printed == 1
        && block.quality > table.params.visibility.sure_block
        && nearest_of(&table.between, &best.blocks, b).0 <= table.params.search.at_hand
}

/// Returns whether a winning hand still wins with another block that fits nearly as well.
fn wins_with(table: &BlockView, best: &Combination, b: usize) -> bool {
    let wins = table.params.selection.wins;
    let with = best.with(table, &[b]);
    let loss = best.fit - with.fit;
    best.worth == wins && with.worth == wins && loss < table.params.search.rival
}

/// Returns the reason for which each block would be left out.
fn reasons(table: &BlockView, anchor: usize, hand: &[usize]) -> Vec<IgnoreReason> {
    (0..table.blocks.len()).map(|b| reason(table, anchor, hand, b)).collect()
}

fn reason(table: &BlockView, anchor: usize, hand: &[usize], b: usize) -> IgnoreReason {
    let reach = if table.blocks[b].is_flowers() {
        table.params.flowers.straight_reach
    } else {
        table.params.search.elsewhere
    };
    if nearest_of(&table.between, hand, b).0 > reach {
        IgnoreReason::Elsewhere
    } else if !table.is_of_scale(b, anchor) {
        IgnoreReason::OtherSize
    } else {
        IgnoreReason::Surplus
    }
}
