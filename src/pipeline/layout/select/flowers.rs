//! Whose flowers these are.
//!
//! Flowers lie further from the hand than anything else of it, and nothing else looks like them, so that they follow
//! rules of their own. Input: the blocks and the chosen hand without flowers. Output: which blocks of flowers are the
//! hand's, which may be, and which tiles may be flowers though they are named otherwise.

use super::steps::nearest_of;
use super::{DIM, SURE, TableView};
use crate::tile::{Bonus, Face};

/// Flowers that lie askew are the hand's own within this reach.
const REACH: f32 = 3.2;

/// Those that lie as straight as the hand within this one. Further off they may be the hand's where nothing else is
/// nearer.
pub(super) const FLOWER_REACH: f32 = 6.0;
/// Beyond this even those are asked about.
const ASKED_FLOWER_REACH: f32 = 4.5;

/// Flowers that continue the row, touching it and of its size and direction (so that they cost no more than
/// `IN_LINE`), need only this quality.
const SURE_IN_LINE: f32 = 0.3;
const IN_LINE: f32 = 1.0;

/// The most that flowers may cost: six widths away, a little askew, a tenth smaller than the hand.
const MOST_FLOWER_COST: f32 = 9.0;

/// The blocks of flowers that are the hand's own, and those of which that is doubtful.
pub(super) fn own_flowers(view: &TableView, hand: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let (mut own, mut doubtful) = (Vec::new(), Vec::new());
    let flowers = |&b: &usize| view.blocks[b].is_flowers() && !view.taken[b];
    for b in (0..view.blocks.len()).filter(flowers) {
        let Some(cost) = view.flower_cost(b, hand) else { continue };
        let (gap, angle) = nearest_of(&view.between, hand, b);
        if gap > FLOWER_REACH && is_nearer_to_others(view, hand, b) {
            continue;
        }
        let most = if view.blocks[b].quality > SURE {
            MOST_FLOWER_COST
        } else if view.blocks[b].quality > SURE_IN_LINE {
            IN_LINE
        } else {
            continue;
        };
        if gap <= FLOWER_REACH && cost > most {
            continue;
        }
        let reach = if angle < STRAIGHT { FLOWER_REACH } else { REACH };
        let is_close = gap <= reach;
        let is_alone = !is_clutter(view, hand, b);
        if is_close && is_alone {
            own.push(b);
        }
        // Alone but far from the hand, or close to it but among discards. Of the two flowers of the
        // held-out photos that lie alone and far neither was the winner's.
        if is_close != is_alone || (is_close && gap > ASKED_FLOWER_REACH) {
            doubtful.push(b);
        }
    }
    (own, doubtful)
}

/// Within this many widths of a discard a flower lies among the discards, unless the hand is nearer; one that
/// lies as straight as the hand only within the second.
const AMONG: f32 = 1.5;
const AMONG_STRAIGHT: f32 = 0.8;

/// Single tiles lie as straight as the hand within this angle, in degrees.
const STRAIGHT: f32 = 5.0;

/// Whether flowers lie among tiles that are not the hand's: then they are discards themselves, or
/// somebody else's.
fn is_clutter(view: &TableView, hand: &[usize], flowers: usize) -> bool {
    let (_, angle) = nearest_of(&view.between, hand, flowers);
    let among = if angle < STRAIGHT { AMONG_STRAIGHT } else { AMONG };
    to_others(view, hand, flowers) < among && is_nearer_to_others(view, hand, flowers)
}

fn is_nearer_to_others(view: &TableView, hand: &[usize], flowers: usize) -> bool {
    to_others(view, hand, flowers) < nearest_of(&view.between, hand, flowers).0
}

/// How far flowers lie from faces that are not the hand's.
fn to_others(view: &TableView, hand: &[usize], flowers: usize) -> f32 {
    let TableView { blocks, ref between, .. } = *view;
    // False alarms and walls say nothing of whose flowers these are.
    let is_face = |b: &usize| blocks[*b].printed > 0 && blocks[*b].quality > SURE;
    let others: Vec<usize> =
        (0..blocks.len()).filter(|b| !hand.contains(b) && *b != flowers).filter(is_face).collect();
    nearest_of(between, &others, flowers).0
}

/// Most tiles of a block that may be flowers of which one is named wrongly; more are a table's discards.
const FEW: usize = 4;

/// A tile that shows a flower with this probability may be one: a flower whose picture is new is easily taken
/// for a bird or a character.
const MAYBE_FLOWER: f32 = 0.08;

/// Tiles in small blocks near the hand, left out and away from discards, that may be flowers though the block
/// shows another face: a flower that is named wrongly must not go unasked, nor take its neighbour with it.
pub(super) fn mixed_flowers(view: &TableView, hand: &[usize]) -> Vec<usize> {
    let TableView { tiles, blocks, ref between, .. } = *view;
    let is_small = |&b: &usize| {
        let block = &blocks[b];
        block.playing > 0 && block.backs == 0 && block.members.len() <= FEW
    };
    let is_near =
        |&b: &usize| nearest_of(between, hand, b).0 <= FLOWER_REACH && !is_clutter(view, hand, b);
    let left_out = (0..blocks.len()).filter(|b| !hand.contains(b)).filter(is_small).filter(is_near);
    let members = left_out.flat_map(|b| blocks[b].members.iter().copied());
    let is_maybe = |&i: &usize| {
        let bonus = Bonus::ALL.into_iter().map(|bonus| tiles[i].faces.of(Some(Face::Bonus(bonus))));
        tiles[i].score >= DIM && bonus.sum::<f32>() >= MAYBE_FLOWER
    };
    members.filter(is_maybe).collect()
}
