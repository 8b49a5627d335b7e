//! The hand of a player who has not won: what is left in it counts in games that score every
//! player.
//!
//! Input: a [`HandSetup`] of any length, for a photo may show the melds alone and a player may have
//! forgotten to draw. Output: a [`Holding`], or every reason why it is not one. Invariant: at most
//! four melds, and no kind more than four times; whether it is complete is for a rule set to ask.

use crate::meld::Meld;
use crate::tile::Tile;
use crate::tiles::Counts;

use super::{Flowers, HAND_TILES, HandError, HandFault, HandSetup, Melds};

/// A hand that has not won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holding {
    concealed: Counts,
    melds: Melds,
    flowers: Flowers,
}

impl Holding {
    /// The tiles in the hand.
    #[must_use]
    pub const fn concealed(&self) -> &Counts {
        &self.concealed
    }

    /// Exposed sets and concealed kongs, four at the most.
    pub fn melds(&self) -> impl Iterator<Item = Meld> + '_ {
        self.melds.melds.iter().flatten().copied()
    }

    /// Flowers and seasons.
    #[must_use]
    pub const fn flowers(&self) -> Flowers {
        self.flowers
    }

    /// All tiles: concealed and of the melds, a kong with four.
    #[must_use]
    pub fn all(&self) -> Counts {
        let mut all = self.concealed;
        all.extend(self.melds().flat_map(Meld::tiles));
        all
    }

    /// Whether it has more tiles than somebody can hold who has just discarded: 13, a kong counted
    /// as three.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.concealed.total() + 3 * self.melds().count() >= HAND_TILES
    }
}

impl HandSetup {
    /// Checks the setup as the hand of a player who has not won. A tile marked as the winning one
    /// is a tile of the hand like the others.
    ///
    /// # Errors
    /// [`HandError`] with every reason at once; anyone who typed or photographed the hand can fix
    /// it.
    pub fn into_holding(self) -> Result<Holding, HandError> {
        let about_winning = |fault: &HandFault| {
            matches!(fault, HandFault::TileCount { .. } | HandFault::NoWinningTile)
        };
        let mut faults = self.faults();
        faults.retain(|fault| !about_winning(fault));
        match Melds::new(&self.melds) {
            Some(melds) if faults.is_empty() => Ok(Holding {
                concealed: self.concealed.iter().copied().chain(self.winning).collect::<Counts>(),
                melds,
                flowers: self.flowers,
            }),
            _ => Err(HandError { setup: self, faults }),
        }
    }
}

impl From<&Holding> for HandSetup {
    fn from(holding: &Holding) -> HandSetup {
        HandSetup {
            concealed: holding.concealed.iter().collect::<Vec<Tile>>(),
            winning: None,
            melds: holding.melds().collect(),
            flowers: holding.flowers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;

    fn holding(text: &str) -> Result<Holding, HandError> {
        text.parse::<Notation>().expect(text).hand.into_holding()
    }

    #[test]
    fn any_length_is_a_holding_and_only_more_than_thirteen_tiles_are_long() {
        for (text, long) in [
            ("", false),
            ("[CCC,1][FFF,2]23m", false),
            ("[CCCC]1234567899m", false),
            ("123456789m1234p", false),
            ("123456789m1234p5p", true),
            ("[CCCC]1234567899m1p", true),
        ] {
            assert_eq!(holding(text).expect(text).is_long(), long, "{text}");
        }
    }

    #[test]
    fn five_copies_are_refused() {
        let faults = holding("[CCC,1]CC1m").expect_err("five dragons").faults;
        let dragon = "C".parse().expect("a dragon");
        assert_eq!(faults, [HandFault::TooManyCopies { tile: dragon, found: 5 }]);
    }

    #[test]
    fn a_holding_gives_back_its_setup() {
        let setup: HandSetup = "[EEE,2]123m99p||1a".parse::<Notation>().expect("a hand").hand;
        assert_eq!(HandSetup::from(&setup.clone().into_holding().expect("a holding")), setup);
    }
}
