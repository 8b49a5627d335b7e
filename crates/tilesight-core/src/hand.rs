//! A hand: as a photo shows it or a person typed it ([`HandSetup`]), and as the rules can score it
//! ([`Hand`]).
//!
//! A setup can hold any tiles. [`HandSetup::into_hand`] checks it once and returns either a
//! [`Hand`] with the right number of tiles and at most four of each kind, or an error that contains
//! the setup and *all* faults. The right number is the [`HandSize`] of a rule set, which also
//! decides whether the tiles form a winning hand. Invariant: a `Hand` has at most as many melds as
//! its size has sets, the tiles of its size plus one for every kong, and no kind more than four
//! times; it is `Copy` and allocates no memory.

mod delta;
mod flowers;
mod holding;
mod other;
mod reds;
mod size;
mod variants;

pub use delta::HandDelta;
pub use flowers::{Flowers, FlowersError};
pub use holding::Holding;
pub use other::Other;
pub use reds::Reds;
pub use size::HandSize;
pub use variants::Variants;

use crate::meld::Meld;
use crate::tile::Tile;
use crate::tiles::Counts;

/// Number of sets in a regular hand of thirteen tiles, without the pair.
pub const MAX_MELDS: usize = HandSize::Thirteen.sets();
/// Number of copies of each playing tile in a tile set.
const COPIES: u8 = 4;

/// A hand as it was seen or typed, without any validation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct HandSetup {
    /// Tiles in the hand without the winning tile, in any order.
    pub concealed: Vec<Tile>,
    /// Tile that completed the hand.
    pub winning: Option<Tile>,
    /// Exposed sets and concealed kongs.
    pub melds: Vec<Meld>,
    /// Flowers and seasons.
    pub flowers: Flowers,
    /// Red fives among the tiles.
    pub reds: Reds,
}

impl HandSetup {
    /// Checks the setup as a hand of thirteen tiles and the winning one.
    ///
    /// # Errors
    /// [`HandError`] with all faults at once. The person who typed or photographed the hand can fix
    /// them.
    pub fn into_hand(self) -> Result<Hand, HandError> {
        self.into_hand_of(HandSize::Thirteen)
    }

    /// Checks the setup as a hand of a size.
    ///
    /// # Errors
    /// [`HandError`] as from [`into_hand`](Self::into_hand).
    pub fn into_hand_of(self, size: HandSize) -> Result<Hand, HandError> {
        self.to_hand(size).map_err(|faults| HandError { setup: self, faults })
    }

    /// Returns the hand, or every reason why the setup is not one.
    #[inline]
    pub(crate) fn to_hand(&self, size: HandSize) -> Result<Hand, Vec<HandFault>> {
        let winning = self.winning.ok_or_else(|| self.faults_of(size))?;
        let mut hand = Hand::new(&self.concealed, winning, &self.melds, self.flowers)
            .filter(|hand| hand.size == size)
            .ok_or_else(|| self.faults_of(size))?;
        if self.reds != Reds::NONE {
            hand.reds = self.reds.limit_to(self);
        }
        Ok(hand)
    }

    /// Returns the hand of a player who wins by bonus tiles alone, with any tiles and no winning
    /// one, or every reason why the setup is not one.
    pub(crate) fn to_bonus_win(&self, size: HandSize) -> Result<Hand, Vec<HandFault>> {
        let mut faults = self.faults_of(size);
        faults.retain(|fault| *fault != HandFault::NoWinningTile);
        let won = self.concealed.last().and_then(|&last| self.won_by(last));
        match (faults.is_empty(), won.and_then(|won| Hand::from_parts(&won, size))) {
            (true, Some(hand)) => Ok(hand),
            _ => Err(faults),
        }
    }

    /// Returns the size of hand that the tiles fit; the smaller one if they fit none.
    #[must_use]
    pub fn size(&self) -> HandSize {
        let without_winner = usize::from(self.winning.is_none());
        let waiting = self.concealed.len().saturating_sub(without_winner);
        HandSize::from_counts(waiting, self.melds.len()).unwrap_or_default()
    }

    /// Returns every reason why this is not a hand of thirteen tiles and the winning one, in the
    /// order of the fields.
    #[must_use]
    pub fn faults(&self) -> Vec<HandFault> {
        self.faults_of(HandSize::Thirteen)
    }

    /// Returns every reason why this is not a hand of a size, in the order of the fields.
    #[must_use]
    #[cold]
    pub fn faults_of(&self, size: HandSize) -> Vec<HandFault> {
        let all = self.all();
        let melds = self.melds.len();
        let found = self.concealed.len();
        let size = if melds > size.sets() {
            Some(HandFault::TooManyMelds { found: melds, max: size.sets() })
        } else {
            let expected = size.waiting() - 3 * melds;
            (found != expected).then_some(HandFault::TileCount { expected, found })
        };
        let no_winner = self.winning.is_none().then_some(HandFault::NoWinningTile);
        let kinds: &[Tile] = if all.max() > COPIES { &Tile::ALL } else { &[] };
        let copies = kinds.iter().filter_map(move |&tile| {
            let found = all.count(tile);
            (found > COPIES).then_some(HandFault::TooManyCopies { tile, found })
        });
        size.into_iter().chain(no_winner).chain(copies).collect()
    }

    /// Returns this hand with one of its concealed tiles as the winning tile, the last of its kind;
    /// `None` if it has no such tile. This is for a hand whose winning tile is not known.
    #[must_use]
    pub fn won_by(&self, tile: Tile) -> Option<HandSetup> {
        let at = self.concealed.iter().rposition(|&other| other == tile)?;
        let mut hand = self.clone();
        hand.reds = self.reds.won_by(tile, &self.concealed);
        hand.winning = Some(hand.concealed.remove(at));
        Some(hand)
    }

    /// Returns all tiles: concealed, winning and of the melds, with four for a kong.
    #[must_use]
    pub fn all(&self) -> Counts {
        let mut tiles: Counts = self.concealed.iter().copied().collect();
        tiles.extend(self.winning);
        tiles.extend(self.melds.iter().flat_map(|meld| meld.tiles()));
        tiles
    }
}

/// Melds of a hand, in the order they were laid down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Melds {
    melds: [Option<Meld>; HandSize::MAX.sets()],
}

impl Melds {
    fn new(given: &[Meld]) -> Option<Melds> {
        let mut melds = [None; HandSize::MAX.sets()];
        for (slot, &meld) in melds.get_mut(..given.len())?.iter_mut().zip(given) {
            *slot = Some(meld);
        }
        Some(Melds { melds })
    }
}

/// Copies of each kind, and the highest of them.
struct Copies {
    all: Counts,
    highest: u8,
}

impl Copies {
    #[inline]
    fn add(&mut self, tile: Tile) {
        self.all.add(tile);
        self.highest = self.highest.max(self.all.count(tile));
    }
}

/// A complete hand of legal size. The module documentation states its invariant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    concealed: Counts,
    winning: Tile,
    melds: Melds,
    flowers: Flowers,
    reds: Reds,
    size: HandSize,
    /// Whether bonus tiles alone won. The winning tile is then any of the hand.
    bonus_win: bool,
}

impl Hand {
    /// Returns the hand of these tiles, without red fives; `None` if they are not one, for the
    /// reasons that [`HandSetup::faults`] lists. Allocates nothing.
    #[must_use]
    #[inline]
    pub fn new(
        concealed: &[Tile],
        winning: Tile,
        melds: &[Meld],
        flowers: Flowers,
    ) -> Option<Hand> {
        let kept = Melds::new(melds)?;
        let size = HandSize::from_counts(concealed.len(), melds.len())?;
        // One pass: a copy of counts that were just written waits for memory.
        let mut hidden = Counts::new();
        let mut copies = Copies { all: Counts::new(), highest: 0 };
        for &tile in concealed {
            hidden.add(tile);
            copies.add(tile);
        }
        copies.add(winning);
        melds.iter().flat_map(|meld| meld.tiles()).for_each(|tile| copies.add(tile));
        let reds = Reds::NONE;
        let hand =
            Hand { concealed: hidden, winning, melds: kept, flowers, reds, size, bonus_win: false };
        (copies.highest <= COPIES).then_some(hand)
    }

    /// Returns the hand of a setup that bonus tiles alone won; it is a tile short of its size.
    fn from_parts(setup: &HandSetup, size: HandSize) -> Option<Hand> {
        Some(Hand {
            concealed: setup.concealed.iter().copied().collect(),
            winning: setup.winning?,
            melds: Melds::new(&setup.melds)?,
            flowers: setup.flowers,
            reds: Reds::NONE,
            size,
            bonus_win: true,
        })
    }

    /// Returns the number of tiles that the hand was played with.
    #[must_use]
    pub const fn size(&self) -> HandSize {
        self.size
    }

    /// Returns whether bonus tiles alone won, whatever the other tiles are. Then there is no
    /// winning tile, and [`winning`](Self::winning) is one of the others.
    #[must_use]
    pub const fn is_bonus_win(&self) -> bool {
        self.bonus_win
    }

    /// Returns the tiles in the hand without the winning tile: 13 or 16, less three for each meld.
    #[must_use]
    pub const fn concealed(&self) -> &Counts {
        &self.concealed
    }

    /// Returns the tile that completed the hand.
    #[must_use]
    pub const fn winning(&self) -> Tile {
        self.winning
    }

    /// Returns the exposed sets and concealed kongs, at most four or five.
    pub fn melds(&self) -> impl Iterator<Item = Meld> + '_ {
        self.melds.melds.iter().flatten().copied()
    }

    /// Returns the flowers and seasons.
    #[must_use]
    pub const fn flowers(&self) -> Flowers {
        self.flowers
    }

    /// Returns the red fives.
    #[must_use]
    pub const fn reds(&self) -> Reds {
        self.reds
    }

    /// Returns all tiles: concealed, winning and of the melds, with four for a kong.
    #[must_use]
    pub fn all(&self) -> Counts {
        let mut all = self.concealed;
        all.add(self.winning);
        all.extend(self.melds().flat_map(Meld::tiles));
        all
    }
}

impl From<&Hand> for HandSetup {
    fn from(hand: &Hand) -> HandSetup {
        let without_winner = hand.bonus_win.then_some(hand.winning);
        HandSetup {
            concealed: hand.concealed.iter().chain(without_winner).collect(),
            winning: (!hand.bonus_win).then_some(hand.winning),
            melds: hand.melds().collect(),
            flowers: hand.flowers,
            reds: hand.reds,
        }
    }
}

/// Error when a setup is not a hand, with all faults.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", list(.faults))]
pub struct HandError {
    /// The setup as it was given.
    pub setup: HandSetup,
    /// All faults, in the order of the fields; never empty.
    pub faults: Vec<HandFault>,
}

fn list(faults: &[HandFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Reason why a setup is not a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandFault {
    /// The number of concealed tiles does not fit the melds.
    TileCount {
        /// Expected number: 13 or 16, less three for each meld.
        expected: usize,
        /// Number of concealed tiles.
        found: usize,
    },
    /// The winning tile is missing.
    NoWinningTile,
    /// The hand has more melds than sets.
    TooManyMelds {
        /// Number of melds.
        found: usize,
        /// Number of sets that a hand has.
        max: usize,
    },
    /// The hand has more than four tiles of a kind.
    TooManyCopies {
        /// Kind of the tile.
        tile: Tile,
        /// Number of tiles of the kind.
        found: u8,
    },
}

impl HandFault {
    /// Returns the field of the hand that the fault is about, as the contract names it.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            HandFault::TileCount { .. } | HandFault::TooManyCopies { .. } => "concealed",
            HandFault::NoWinningTile => "winning_tile",
            HandFault::TooManyMelds { .. } => "melds",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meld::KongKind;

    fn tiles(codes: &str) -> Vec<Tile> {
        codes.split_whitespace().map(|code| code.parse().expect(code)).collect()
    }

    fn kong(code: &str) -> Meld {
        Meld::Kong { tile: code.parse().expect(code), kind: KongKind::Concealed }
    }

    #[test]
    fn a_hand_gives_back_its_setup() {
        let setup = HandSetup {
            concealed: tiles("1m 2m 3m 4m 5m 6m 7m 8m 9m E"),
            winning: Some(tiles("E")[0]),
            melds: vec![kong("C")],
            ..HandSetup::default()
        };
        let hand = setup.clone().into_hand().expect("a legal hand");
        assert_eq!(HandSetup::from(&hand), setup);
        assert_eq!(hand.all().total(), 15);
    }

    #[test]
    fn every_reason_comes_at_once() {
        let setup = HandSetup {
            concealed: tiles("1m 1m 1m 1m 1m C"),
            winning: None,
            melds: vec![kong("C")],
            ..HandSetup::default()
        };
        let error = setup.clone().into_hand().expect_err("no hand");
        assert_eq!(error.setup, setup);
        assert_eq!(
            error.faults,
            [
                HandFault::TileCount { expected: 10, found: 6 },
                HandFault::NoWinningTile,
                HandFault::TooManyCopies { tile: tiles("1m")[0], found: 5 },
                HandFault::TooManyCopies { tile: tiles("C")[0], found: 5 },
            ]
        );
    }

    #[test]
    fn five_melds_are_refused() {
        let setup = HandSetup {
            winning: Some(tiles("E")[0]),
            melds: ["1m", "2m", "3m", "4m", "5m"].map(kong).into(),
            ..HandSetup::default()
        };
        let error = setup.into_hand().expect_err("no hand");
        assert_eq!(error.faults, [HandFault::TooManyMelds { found: 5, max: 4 }]);
    }
}
