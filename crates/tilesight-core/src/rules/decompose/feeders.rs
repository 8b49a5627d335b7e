//! Players who may have fed a set, as far as its meld shows them.

use crate::context::Feeder;
use crate::meld::{Meld, Relation};

/// Possible feeders of a set or of the last of several sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rules) struct PossibleFeeders {
    /// Bits of the feeders, in the order of [`Feeder::ALL`].
    bits: u8,
}

impl PossibleFeeders {
    /// Empty set of feeders, without [`Feeder::Nobody`] too.
    pub(in crate::rules) const NONE: PossibleFeeders = PossibleFeeders { bits: 0 };

    /// Returns one feeder alone.
    pub(in crate::rules) const fn new(feeder: Feeder) -> PossibleFeeders {
        PossibleFeeders { bits: 1 << feeder as u8 }
    }

    /// Returns the players who may have fed a meld: none for a concealed one, and all of them if
    /// nothing shows which one it was.
    pub(in crate::rules) fn from_meld(meld: Meld) -> PossibleFeeders {
        match meld.from() {
            _ if meld.is_concealed() => PossibleFeeders::NONE,
            Some(from) => PossibleFeeders::new(from.into()),
            None => {
                let players = Relation::ALL.into_iter().map(Feeder::from);
                players.map(PossibleFeeders::new).fold(PossibleFeeders::NONE, Self::union)
            }
        }
    }

    /// Returns the feeders of either.
    pub(in crate::rules) const fn union(self, other: PossibleFeeders) -> PossibleFeeders {
        PossibleFeeders { bits: self.bits | other.bits }
    }

    /// Returns whether this may have been the feeder.
    pub(in crate::rules) const fn allows(self, feeder: Feeder) -> bool {
        self.bits >> feeder as u8 & 1 == 1
    }
}
