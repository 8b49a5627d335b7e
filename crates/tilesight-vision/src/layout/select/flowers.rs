//! Selection of the flowers that belong to the hand.
//!
//! Flowers lie further from the hand than its other tiles, and nothing else looks like them, so
//! they have rules of their own. Input: the blocks and the chosen hand without flowers. Output: the
//! blocks of flowers that are the hand's, those that may be, and the tiles that may be misread
//! flowers.

use tilesight_core::tile::{Bonus, Face};

use super::block_view::BlockView;
use super::steps::nearest_of;

/// Blocks of flowers that are the hand's own.
#[derive(Default)]
pub(super) struct OwnFlowers {
    pub(super) sure: Vec<usize>,
    /// Blocks whose owner is doubtful; some of them are in `sure` too.
    pub(super) doubtful: Vec<usize>,
}

/// Returns the blocks of flowers that are the hand's own, and those whose owner is doubtful.
pub(super) fn own_flowers(table: &BlockView, hand: &[usize]) -> OwnFlowers {
    let params = &table.params.flowers;
    let mut own = OwnFlowers::default();
    let is_flowers = |&b: &usize| table.blocks[b].is_flowers() && !table.taken[b];
    for b in (0..table.blocks.len()).filter(is_flowers) {
        if !may_be_own(table, hand, b) {
            own.doubtful.extend(is_beside(table, hand, b).then_some(b));
            continue;
        }
        let (gap, angle) = nearest_of(&table.between, hand, b);
        let reach = if angle < params.straight { params.straight_reach } else { params.reach };
        let is_close = gap <= reach;
        let is_alone = !is_clutter(table, hand, b);
        if is_close && is_alone {
            own.sure.push(b);
        }
        // Doubtful: alone but far from the hand, or close to it but among discards. In the held-out
        // photos two flowers lie alone and far, and neither was the winner's.
        if is_close != is_alone || (is_close && gap > params.asked_reach) {
            own.doubtful.push(b);
        }
    }
    own
}

/// Returns whether flowers have the hand's size and enough quality, and cost no more than the limit
/// at their distance.
fn may_be_own(table: &BlockView, hand: &[usize], flowers: usize) -> bool {
    let params = &table.params.flowers;
    let Some(cost) = table.flower_cost(flowers, hand) else { return false };
    let (gap, _) = nearest_of(&table.between, hand, flowers);
    let quality = table.blocks[flowers].quality;
    let max_cost = if quality > table.params.visibility.sure_block {
        params.max_cost
    } else if quality > params.quality_in_line {
        params.in_line
    } else {
        return false;
    };
    if gap > params.straight_reach {
        return !is_nearer_to_others(table, hand, flowers);
    }
    cost <= max_cost
}

/// Returns whether legible flowers lie so near to the hand that they are noticed beside it. They
/// become a doubt even if they lie askew or are smaller than the hand's tiles.
fn is_beside(table: &BlockView, hand: &[usize], flowers: usize) -> bool {
    let params = &table.params.flowers;
    let is_legible = table.blocks[flowers].quality > table.params.visibility.sure_block;
    let (gap, _) = nearest_of(&table.between, hand, flowers);
    let is_alone = !is_nearer_to_others(table, hand, flowers);
    let is_tile = table.flower_cost(flowers, hand).is_some();
    is_legible && is_tile && (gap <= params.reach || is_alone && gap <= params.straight_reach)
}

/// Returns whether flowers lie among tiles that are not the hand's: then they are discards
/// themselves, or another player's.
fn is_clutter(table: &BlockView, hand: &[usize], flowers: usize) -> bool {
    let (_, angle) = nearest_of(&table.between, hand, flowers);
    let params = &table.params.flowers;
    let among = if angle < params.straight { params.among_straight } else { params.among };
    to_others(table, hand, flowers) < among && is_nearer_to_others(table, hand, flowers)
}

fn is_nearer_to_others(table: &BlockView, hand: &[usize], flowers: usize) -> bool {
    to_others(table, hand, flowers) < nearest_of(&table.between, hand, flowers).0
}

/// Returns the distance of flowers from faces that are not the hand's.
fn to_others(table: &BlockView, hand: &[usize], flowers: usize) -> f32 {
    let BlockView { blocks, ref between, .. } = *table;
    let sure = table.params.visibility.sure_block;
    // False alarms and walls are no evidence for the flowers' owner.
    let is_face = |b: &usize| blocks[*b].printed > 0 && blocks[*b].quality > sure;
    let others: Vec<usize> =
        (0..blocks.len()).filter(|b| !hand.contains(b) && *b != flowers).filter(is_face).collect();
    nearest_of(between, &others, flowers).0
}

/// Returns tiles in small ignored blocks near the hand, away from discards, that may be flowers
/// although the block shows another face. A misread flower must become a doubt, and so must the
/// flower beside it.
pub(super) fn mixed_flowers(table: &BlockView, hand: &[usize]) -> Vec<usize> {
    let BlockView { tiles, blocks, ref between, .. } = *table;
    let (params, dim) = (&table.params.flowers, table.params.visibility.dim);
    let is_small = |&b: &usize| {
        let block = &blocks[b];
        block.playing > 0 && block.backs == 0 && block.members.len() <= params.max_block
    };
    let is_near = |&b: &usize| {
        nearest_of(between, hand, b).0 <= params.straight_reach && !is_clutter(table, hand, b)
    };
    let left_out = (0..blocks.len()).filter(|b| !hand.contains(b)).filter(is_small).filter(is_near);
    let members = left_out.flat_map(|b| blocks[b].members.iter().copied());
    let is_maybe = |&i: &usize| {
        let bonus = Bonus::ALL
            .into_iter()
            .map(|bonus| tiles[i].faces.probability(Some(Face::Bonus(bonus))));
        tiles[i].score >= dim && bonus.sum::<f32>() >= params.maybe
    };
    members.filter(is_maybe).collect()
}
