//! The sets of one hand as the classical game counts them: pungs and kongs, open or concealed, and
//! pairs. Chows count nothing and are left out.
//!
//! Input: melds, and the sets that a decomposition finds among the concealed tiles. Output:
//! [`ScoringSets`]. Invariant: a kind is in at most one field.

use crate::meld::{KongKind, Meld};
use crate::rules::decompose::kinds::Kinds;

use super::Options;

/// The sets that count.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct ScoringSets {
    pub(super) open_pungs: Kinds,
    pub(super) concealed_pungs: Kinds,
    /// Kongs whose fourth tile was added to an exposed pung. A kong of unknown origin is treated as
    /// one of these, because they are worth less.
    pub(super) open_kongs: Kinds,
    /// Kongs whose fourth tile was claimed onto a concealed pung.
    pub(super) claimed_kongs: Kinds,
    pub(super) concealed_kongs: Kinds,
    /// A single pair in a hand that won; any number of pairs in one that did not.
    pub(super) pairs: Kinds,
}

impl ScoringSets {
    pub(super) fn from_melds(melds: impl Iterator<Item = Meld>) -> ScoringSets {
        let mut scoring = ScoringSets::default();
        for meld in melds {
            let bit = 1 << meld.first_tile().index();
            match meld {
                Meld::Chow(_) => {}
                Meld::Pung { .. } => scoring.open_pungs |= bit,
                Meld::Kong { kind: KongKind::Concealed, .. } => scoring.concealed_kongs |= bit,
                Meld::Kong { kind: KongKind::Exposed { from: Some(_) }, .. } => {
                    scoring.claimed_kongs |= bit;
                }
                Meld::Kong { .. } => scoring.open_kongs |= bit,
            }
        }
        scoring
    }

    /// Returns the pungs and kongs.
    pub(super) const fn pungs(&self) -> Kinds {
        self.open_pungs | self.concealed_pungs | self.kongs()
    }

    pub(super) const fn kongs(&self) -> Kinds {
        self.open_kongs | self.claimed_kongs | self.concealed_kongs
    }

    /// Returns the pungs and kongs that count as concealed.
    pub(super) const fn concealed(&self, options: &Options) -> Kinds {
        let claimed = if options.claimed_kong_stays_concealed { self.claimed_kongs } else { 0 };
        self.concealed_pungs | self.concealed_kongs | claimed
    }
}
