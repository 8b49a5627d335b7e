//! The readings of a hand: every decomposition with every set that the winning tile can have
//! completed.
//!
//! Input: the facts of a hand. Output: each [`Reading`] once, in the order of the decompositions;
//! of one decomposition the pair first, then the pung, then the chows by their lowest tile.
//! Invariant: the winning tile completes a concealed set, the pair, or a special hand.

use crate::rules::decompose::decompositions::{self, Decomposition, Shape, chows_with};
use crate::rules::decompose::facts::Facts;

/// The set that the winning tile completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completed {
    /// The pair of a regular hand.
    Pair,
    /// A pung.
    Pung,
    /// The chow of a kind.
    Chow(u8),
    /// A pair of seven.
    SevenPairs,
    /// Thirteen orphans.
    Orphans,
}

/// A way to read the hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub(super) decomposition: Decomposition,
    pub(super) completed: Completed,
}

/// Calls `visit` with every reading.
pub(super) fn for_each(facts: &Facts, visit: &mut impl FnMut(&Decomposition, Completed)) {
    let winning = 1 << facts.winning;
    let chows_with = chows_with(facts.winning);
    decompositions::for_each(facts, &mut |decomposition| match decomposition.shape {
        Shape::Regular => {
            if decomposition.pair & winning != 0 {
                visit(decomposition, Completed::Pair);
            }
            if decomposition.hidden_pungs & winning != 0 {
                visit(decomposition, Completed::Pung);
            }
            let mut chows = decomposition.hidden_chows & chows_with;
            while chows != 0 {
                visit(decomposition, Completed::Chow(chows.trailing_zeros() as u8));
                chows &= chows - 1;
            }
        }
        // Four of a kind are not two pairs.
        Shape::Pairs if facts.tile_hogs(true) == 0 => visit(decomposition, Completed::SevenPairs),
        Shape::Orphans => visit(decomposition, Completed::Orphans),
        Shape::Pairs | Shape::Knitted(_) | Shape::HonorsAndKnitted(_) => {}
    });
}

/// Returns whether a chow was completed from an open end: neither its middle, nor the 3 of 123, nor
/// the 7 of 789.
pub(super) const fn is_open_wait(chow: u8, winning: usize) -> bool {
    let low = chow % 7;
    match winning as u8 % 9 - low {
        0 => low < 6,
        2 => low > 0,
        _ => false,
    }
}
