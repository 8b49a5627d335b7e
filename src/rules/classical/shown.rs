//! The sets of one hand as the classical game counts them: pungs and kongs, open or concealed, and
//! pairs. Chows count nothing and are not kept.
//!
//! Input: melds, and what a reading makes of the concealed tiles. Output: [`Shown`]. Invariant: a
//! kind stands in one field at the most, but for a pair beside nothing.

use crate::meld::{KongKind, Meld};
use crate::rules::decompose::kinds::Kinds;

use super::Options;

/// The sets that count.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Shown {
    pub(super) open_pungs: Kinds,
    pub(super) concealed_pungs: Kinds,
    /// Kongs of which the fourth tile was added to an exposed pung, or of which nobody knows how
    /// they were made: these are given no more than they are sure of.
    pub(super) open_kongs: Kinds,
    /// Kongs whose fourth tile was claimed onto a concealed pung.
    pub(super) claimed_kongs: Kinds,
    pub(super) concealed_kongs: Kinds,
    /// One in a hand that won; any number in one that did not.
    pub(super) pairs: Kinds,
}

impl Shown {
    /// What lies apart.
    pub(super) fn of_melds(melds: impl Iterator<Item = Meld>) -> Shown {
        let mut shown = Shown::default();
        for meld in melds {
            let bit = 1 << meld.first_tile().index();
            match meld {
                Meld::Chow(_) => {}
                Meld::Pung { .. } => shown.open_pungs |= bit,
                Meld::Kong { kind: KongKind::Concealed, .. } => shown.concealed_kongs |= bit,
                Meld::Kong { kind: KongKind::Exposed { from: Some(_) }, .. } => {
                    shown.claimed_kongs |= bit;
                }
                Meld::Kong { .. } => shown.open_kongs |= bit,
            }
        }
        shown
    }

    /// Pungs and kongs.
    pub(super) const fn pungs(&self) -> Kinds {
        self.open_pungs | self.concealed_pungs | self.kongs()
    }

    /// Kongs.
    pub(super) const fn kongs(&self) -> Kinds {
        self.open_kongs | self.claimed_kongs | self.concealed_kongs
    }

    /// Pungs and kongs that count as concealed.
    pub(super) const fn concealed(&self, options: &Options) -> Kinds {
        let claimed = if options.claimed_kong_stays_concealed { self.claimed_kongs } else { 0 };
        self.concealed_pungs | self.concealed_kongs | claimed
    }
}
