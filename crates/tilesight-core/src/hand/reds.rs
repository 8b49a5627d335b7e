//! The red fives of a hand, for rules in which they are dora.
//!
//! A red five is a five everywhere else, so tiles, sets and counts do not know it. Invariant: the
//! red fives of a [`Hand`](super::Hand) are among its fives; [`Reds::limit_to`] sees to it.

use crate::meld::Meld;
use crate::tile::{PrintedTile, Suit, Tile};

use super::HandSetup;

/// Number on a red five.
const FIVE: u8 = 5;

/// The number of red fives of a hand, by suit and by their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Reds {
    concealed: [u8; 3],
    melds: [u8; 3],
    winning: bool,
}

impl Reds {
    /// No red fives.
    pub const NONE: Reds = Reds { concealed: [0; 3], melds: [0; 3], winning: false };

    /// Returns the red fives of tiles in the hand, of the winning tile, and of tiles in melds.
    #[must_use]
    pub fn new(
        concealed: &[PrintedTile],
        winning: Option<PrintedTile>,
        melds: &[PrintedTile],
    ) -> Reds {
        Reds {
            concealed: count_by_suit(concealed),
            melds: count_by_suit(melds),
            winning: winning.is_some_and(|tile| tile.red),
        }
    }

    /// Returns red fives that are counted already: those in the hand and in melds by suit.
    pub(crate) const fn from_counts(concealed: [u8; 3], winning: bool, melds: [u8; 3]) -> Reds {
        Reds { concealed, melds, winning }
    }

    /// Returns the number of red fives.
    #[must_use]
    pub fn count(self) -> u32 {
        let all: u8 = self.concealed.iter().chain(&self.melds).sum();
        u32::from(all) + u32::from(self.winning)
    }

    /// Returns the number of red fives of each suit; `winning` is the tile that won.
    #[must_use]
    pub fn count_in_suits(self, winning: Tile) -> [u8; 3] {
        let mut all = self.concealed;
        for (suit, in_melds) in all.iter_mut().zip(self.melds) {
            *suit = suit.saturating_add(in_melds);
        }
        if let Some(suit) = winning.suit().filter(|_| self.winning) {
            all[suit as usize] = all[suit as usize].saturating_add(1);
        }
        all
    }

    /// Returns the red fives that a hand can have: at most as many as there are fives. Those that
    /// are not where they were before lie where fives are left, in the hand or in melds.
    #[must_use]
    pub fn limit_to(self, hand: &HandSetup) -> Reds {
        if self == Reds::NONE {
            return self;
        }
        let concealed = fives(hand.concealed.iter().copied());
        let melds = fives_of_melds(&hand.melds);
        let mut limited = Reds::NONE;
        for suit in 0..concealed.len() {
            let kept = self.concealed[suit].min(concealed[suit]);
            let others = self.concealed[suit] - kept + self.melds[suit];
            limited.melds[suit] = others.min(melds[suit]);
            limited.concealed[suit] = concealed[suit].min(kept + others - limited.melds[suit]);
        }
        let won_by_five = hand.winning.is_some_and(|tile| tile.number() == Some(FIVE));
        limited.winning = self.winning && won_by_five;
        limited
    }

    /// Returns the red fives with the difference between two others.
    #[must_use]
    pub fn moved(self, before: Reds, after: Reds) -> Reds {
        Reds {
            concealed: moved_by_suit(self.concealed, before.concealed, after.concealed),
            melds: moved_by_suit(self.melds, before.melds, after.melds),
            winning: if before.winning == after.winning { self.winning } else { after.winning },
        }
    }

    /// Returns the red fives after a concealed tile became the winning tile. If some fives of the
    /// kind are red and others are not, the winning one is taken for one that is not.
    #[must_use]
    pub(super) fn won_by(self, tile: Tile, concealed: &[Tile]) -> Reds {
        let Some(suit) = tile.suit().filter(|_| tile.number() == Some(FIVE)) else { return self };
        let reds = self.concealed[suit as usize];
        let fives = concealed.iter().filter(|&&other| other == tile).count();
        let red = usize::from(reds) >= fives && reds > 0;
        let mut moved = Reds { winning: red, ..self };
        moved.concealed[suit as usize] -= u8::from(red);
        moved
    }

    /// Returns the red fives of a hand whose winning tile is a tile like any other.
    #[must_use]
    pub fn as_holding(self, winning: Option<Tile>) -> Reds {
        let mut reds = Reds { winning: false, ..self };
        if let Some(suit) = winning.and_then(Tile::suit).filter(|_| self.winning) {
            reds.concealed[suit as usize] += 1;
        }
        reds
    }

    /// Returns the concealed tiles as they are printed, the red fives first among the fives.
    #[must_use]
    pub fn print_concealed(self, tiles: &[Tile]) -> Vec<PrintedTile> {
        print(tiles.iter().copied(), &mut { self.concealed })
    }

    /// Returns the winning tile as it is printed.
    #[must_use]
    pub const fn print_winning(self, tile: Tile) -> PrintedTile {
        PrintedTile { tile, red: self.winning }
    }

    /// Returns the tiles of all melds as they are printed; the first melds that can have red fives
    /// have them.
    #[must_use]
    pub fn print_melds(self, melds: &[Meld]) -> Vec<Vec<PrintedTile>> {
        let mut left = self.melds;
        melds.iter().map(|meld| print(meld.tiles(), &mut left)).collect()
    }
}

/// Marks the first fives of each suit as red, as long as there are red ones left.
fn print(tiles: impl Iterator<Item = Tile>, left: &mut [u8; 3]) -> Vec<PrintedTile> {
    let printed = tiles.map(|tile| {
        let suit = tile.suit().filter(|_| tile.number() == Some(FIVE));
        let left = suit.map(|suit| &mut left[suit as usize]).filter(|left| **left > 0);
        let red = left.is_some_and(|left| {
            *left -= 1;
            true
        });
        PrintedTile { tile, red }
    });
    printed.collect()
}

fn count_by_suit(tiles: &[PrintedTile]) -> [u8; 3] {
    fives(tiles.iter().filter(|tile| tile.red).map(|tile| tile.tile))
}

/// Returns the red fives of each suit with the difference between two others.
fn moved_by_suit(own: [u8; 3], before: [u8; 3], after: [u8; 3]) -> [u8; 3] {
    [0, 1, 2].map(|suit| own[suit].saturating_add(after[suit]).saturating_sub(before[suit]))
}

/// Returns the number of fives of each suit.
fn fives(tiles: impl Iterator<Item = Tile>) -> [u8; 3] {
    let mut fives = [0_u8; 3];
    for suit in tiles.filter(|tile| tile.number() == Some(FIVE)).filter_map(Tile::suit) {
        fives[suit as usize] = fives[suit as usize].saturating_add(1);
    }
    fives
}

fn fives_of_melds(melds: &[Meld]) -> [u8; 3] {
    fives(melds.iter().flat_map(|meld| meld.tiles()))
}

impl PrintedTile {
    /// Returns a tile that is not a red five.
    #[must_use]
    pub const fn plain(tile: Tile) -> PrintedTile {
        PrintedTile { tile, red: false }
    }

    /// Returns the red five of a suit.
    #[must_use]
    pub const fn red_five(suit: Suit) -> PrintedTile {
        match Tile::new(suit, FIVE) {
            Some(tile) => PrintedTile { tile, red: true },
            None => unreachable!(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;

    fn hand(text: &str) -> HandSetup {
        text.parse::<Notation>().expect(text).hand
    }

    #[test]
    fn red_fives_are_counted_wherever_they_lie() {
        let all = hand("[340p,1][5055s,2]230m78m+0m");
        assert_eq!(all.reds.count(), 4);
        assert_eq!(hand("[345p,1][PPPP]23455m").reds, Reds::NONE, "a white dragon is no red five");
    }

    #[test]
    fn a_hand_has_no_more_red_fives_than_fives() {
        let other = HandSetup { reds: hand("0055m0p+0p").reds, ..hand("5m123456p+1s") };
        let reds = other.reds.limit_to(&other);
        assert_eq!(reds.count(), 2);
        assert_eq!(reds.limit_to(&other), reds);
    }

    #[test]
    fn a_red_five_that_won_stays_red() {
        let five: Tile = "5p".parse().expect("a tile");
        let won = |text: &str| hand(text).won_by(five).expect("a five").reds;
        assert!(won("120p+?").print_winning(five).red);
        assert!(!won("1205p+?").print_winning(five).red, "the other one may have won");
        assert_eq!(won("1205p+?").count(), 1);
    }
}
