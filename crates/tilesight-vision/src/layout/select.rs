//! Selection of the hand among discards, walls and other players' tiles.
//!
//! Input: everything that was seen. Output: the indices of the hand's tiles, a reason for each of
//! the other tiles, and other whole hands in view. Touching tiles are split into rows
//! (`blocks`). The heaviest blocks are anchors: the best hand around each is found (`hand`), and
//! the best of these hands is chosen (`anchors`). Invariant: every tile that is not in the hand is
//! listed with a reason.

mod anchors;
mod block_view;
mod blocks;
mod candidates;
mod combination;
mod costs;
mod flowers;
mod hand;
mod indicators;
mod larger;
mod odd_ones;
mod steps;
mod subsets;
mod worth;

use anchors::{best_hand, hands_in_view};
use block_view::BlockView;
use blocks::blocks_of;
use hand::ChosenHand;
use indicators::indicators;
use larger::{Fit, fit_larger};
use odd_ones::odd_ones;
use tilesight_core::hand::HandSize;
use tilesight_core::rules::Profile;

use super::ignore_reason::IgnoreReason;
use super::top_view::TopView;
use crate::pixels::faces::Sort;

/// Criteria for the hand that is searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'a> {
    /// Rule set by which hands win.
    pub(super) ruleset: &'a Profile,
    /// Tiles of which the hand must contain the first that can be of a hand, if given.
    pub(super) focus: Option<&'a [usize]>,
    /// For every tile, whether it lies in the region of the hand.
    pub(super) within: &'a [bool],
    /// Whether the hand is the one that won: tiles that win, and not one less, which wait.
    pub(super) won: bool,
}

/// The hand, and the tiles that are not part of it.
#[derive(Default)]
pub(super) struct Selection {
    pub(super) hand: Vec<usize>,
    pub(super) ignored: Vec<(usize, IgnoreReason)>,
    /// Flowers whose assignment, to the hand or to the ignored tiles, is doubtful, and the
    /// probability that they are the hand's.
    pub(super) doubtful_flowers: Vec<(usize, f32)>,
    /// Ignored tiles that may belong to the hand: with them it would be complete or would still
    /// win, or they touch it.
    pub(super) doubtful_tiles: Vec<usize>,
    /// Tiles of the chosen hand, then those of every other whole hand in view, best first.
    pub(super) hands: Vec<Vec<usize>>,
    /// Tiles that lie face up in a wall.
    pub(super) indicators: Vec<usize>,
    /// Size of the hand.
    pub(super) size: HandSize,
    /// Tiles beside the hand with which it is a hand of the larger size too.
    pub(super) larger: Vec<usize>,
}

/// Selects the hand's tiles.
///
/// `sizes` is the size of each tile in the photo: the hand is usually nearest to the camera.
pub(super) fn select(view: &TopView, sizes: &[f32], aim: Target<'_>) -> Selection {
    let cut_off = view.params.visibility.cut_off;
    let (faces, faceless): (Vec<usize>, Vec<usize>) = (0..view.tiles.len())
        .partition(|&i| view.sort(i) != Sort::Nothing && view.tiles[i].inside >= cut_off);
    let (mut usable, beyond): (Vec<usize>, Vec<usize>) =
        faces.into_iter().partition(|&i| aim.within[i]);
    let odd = odd_ones(view, &usable);
    usable.retain(|i| !odd.contains(i));
    let blocks = blocks_of(view, sizes, &usable);
    let size = aim.ruleset.rules().size();
    let mut table = BlockView::new(view, &blocks, aim, size, view.effort);
    let mut hand = best_hand(&table, aim.focus);
    let mut selection = Selection::default();
    let spare = view.effort.rest();
    let fit = hand.as_ref().and_then(|hand| fit_larger(view, &table, hand, aim, &spare));
    let is_taken = fit.is_some();
    match fit {
        Some(Fit::Only(larger, of_larger)) => {
            table = *larger;
            hand = Some(of_larger);
        }
        Some(Fit::Too(beside)) => selection.larger = table.members(&beside),
        None => {}
    }
    selection.size = table.size;
    selection.ignored.extend(faceless.into_iter().map(|i| (i, IgnoreReason::NotAFace)));
    selection.ignore(view, &beyond, IgnoreReason::Elsewhere);
    selection.ignore(view, &odd, IgnoreReason::OtherSize);
    match hand {
        Some(hand) => {
            selection.indicators = indicators(view, &blocks, &hand.blocks);
            selection.hands = hands_in_view(&mut table, &hand);
            selection.take(view, &table, &hand);
        }
        None => selection.ignore(view, &usable, IgnoreReason::Elsewhere),
    }
    // A search for a larger hand that came to nothing leaves the reading as it was.
    if is_taken {
        view.effort.steps(spare.spent());
    }
    selection.ignored.sort_by_key(|&(i, _)| i);
    selection
}

impl Selection {
    /// Takes the tiles of a hand, and ignores all others.
    fn take(&mut self, view: &TopView, table: &BlockView, hand: &ChosenHand) {
        self.doubtful_flowers.extend_from_slice(&hand.maybe_flowers);
        for (b, block) in table.blocks.iter().enumerate() {
            for &(_, p) in hand.doubtful_flowers.iter().filter(|(flowers, _)| *flowers == b) {
                self.doubtful_flowers.extend(block.members.iter().map(|&i| (i, p)));
            }
            if hand.rivals.contains(&b) {
                self.doubtful_tiles.extend_from_slice(&block.members);
            }
            if hand.blocks.contains(&b) {
                self.hand.extend_from_slice(&block.members);
            } else {
                self.ignore(view, &block.members, hand.reasons[b]);
            }
        }
    }

    /// Ignores tiles for a reason. Backs have a reason of their own: they are the wall.
    fn ignore(&mut self, view: &TopView, tiles: &[usize], reason: IgnoreReason) {
        for &i in tiles {
            let reason = if view.is_back(i) { IgnoreReason::FaceDown } else { reason };
            self.ignored.push((i, reason));
        }
    }
}
