//! The hand of a player who has not won. Games that score every player count its tiles.
//!
//! Input: a [`HandSetup`] of any length, because a photo may show only the melds and a player may
//! have forgotten to draw. Output: a [`Holding`], or every reason why the setup is not one.
//! Invariant: at most four melds, and at most four tiles of a kind; rule sets check whether the
//! hand has too many tiles.

use crate::meld::Meld;
use crate::tile::Tile;
use crate::tiles::Counts;

use super::{Flowers, HandError, HandFault, HandSetup, HandSize, Melds, Reds};

/// A checked hand that has not won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holding {
    concealed: Counts,
    melds: Melds,
    flowers: Flowers,
    reds: Reds,
}

impl Holding {
    /// Returns the tiles in the hand.
    #[must_use]
    pub const fn concealed(&self) -> &Counts {
        &self.concealed
    }

    /// Returns the exposed sets and concealed kongs, at most four.
    pub fn melds(&self) -> impl Iterator<Item = Meld> + '_ {
        self.melds.melds.iter().flatten().copied()
    }

    /// Returns the flowers and seasons.
    #[must_use]
    pub const fn flowers(&self) -> Flowers {
        self.flowers
    }

    /// Returns all tiles, concealed and in melds; a kong counts with four.
    #[must_use]
    pub fn all(&self) -> Counts {
        let mut all = self.concealed;
        all.extend(self.melds().flat_map(Meld::tiles));
        all
    }

    /// Returns whether the hand has more tiles than a player holds after a discard: more than 13, a
    /// kong counted as three.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.concealed.total() + 3 * self.melds().count() > HandSize::Thirteen.waiting()
    }
}

impl HandSetup {
    /// Checks the setup as the hand of a player who has not won. A tile marked as the winning one
    /// is treated like any other tile of the hand.
    ///
    /// # Errors
    /// [`HandError`] with every reason at once; the person who typed or photographed the hand can
    /// fix them.
    pub fn into_holding(self) -> Result<Holding, HandError> {
        let reds = self.reds.limit_to(&self);
        let mut faults = self.faults();
        faults.retain(|fault| {
            !matches!(fault, HandFault::TileCount { .. } | HandFault::NoWinningTile)
        });
        match Melds::new(&self.melds) {
            Some(melds) if faults.is_empty() => Ok(Holding {
                concealed: self.concealed.iter().copied().chain(self.winning).collect::<Counts>(),
                melds,
                flowers: self.flowers,
                reds: reds.as_holding(self.winning),
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
            reds: holding.reds,
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
