//! The readings of a hand: its sets, and which of them the winning tile completed.
//!
//! Input: [`Facts`]. Output: every [`Reading`], each once: the special hands, then each regular
//! decomposition with each set that the winning tile can have completed: chows, the pung, the pair.

use crate::rules::decompose::decompositions::{
    Decomposition, SETS_OF_SIXTEEN, chows_with, for_each_of_sixteen,
};
use crate::rules::decompose::facts::{Facts, place};

use super::special::{self, Played, Special};

/// A decomposition into five sets and a pair.
pub(super) type FiveSets = Decomposition<SETS_OF_SIXTEEN>;

/// The set that the winning tile completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completed {
    /// The chow of this kind.
    Chow(usize),
    /// The pung.
    Pung,
    /// The pair.
    Pair,
}

/// A way to read a hand.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reading {
    /// Five sets and a pair.
    Sets(FiveSets, Completed),
    /// A special hand.
    Special(Special),
}

/// Calls `visit` with every reading.
pub(super) fn for_each(facts: &Facts, played: Played, visit: &mut impl FnMut(&Reading)) {
    for special in special::find(facts, played).into_iter().flatten() {
        visit(&Reading::Special(special));
    }
    for_each_of_sixteen(facts, &mut |sets| {
        for_each_completed(facts.winning, sets, &mut |completed| {
            visit(&Reading::Sets(*sets, completed));
        });
    });
}

/// Calls `visit` with every set of a decomposition that the winning tile can have completed.
pub(super) fn for_each_completed(
    winning: usize,
    sets: &FiveSets,
    visit: &mut impl FnMut(Completed),
) {
    let mut chows = sets.hidden_chows & chows_with(winning);
    while chows != 0 {
        visit(Completed::Chow(chows.trailing_zeros() as usize));
        chows &= chows - 1;
    }
    if sets.hidden_pungs >> winning & 1 == 1 {
        visit(Completed::Pung);
    }
    if sets.pair >> winning & 1 == 1 {
        visit(Completed::Pair);
    }
}

/// Returns whether a tile completes a chow of a kind from its outer end, where a tile on the other
/// side would complete it too.
pub(super) const fn is_two_sided(chow: usize, winning: usize) -> bool {
    let low = chow % 7;
    let (_, number) = place(winning);
    number == low && low < 6 || number == low + 2 && low > 0
}
