//! Liability (pao): the player who completed the third set of dragons, the fourth of winds or the
//! fourth kong pays for that yakuman (paragraph 7).
//!
//! Input: the facts of a hand and its melds, which show who fed each set but not in which order.
//! Output: a [`Liability`] for each group of sets. Invariants: a concealed last set makes no player
//! liable, and neither does a group with a set among the concealed tiles, which nobody sees; a
//! feeder that the context names is refused if the melds rule it out, and without one no player is
//! liable, because the tiles do not show which set was the last.

use crate::context::Feeder;
use crate::hand::Hand;
use crate::meld::{KongKind, Meld, Seats};
use crate::rules::Contradiction;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::feeders::PossibleFeeders;
use crate::rules::decompose::kinds::{DRAGONS, Kinds, WINDS};

use super::line::Line;
use super::options::Options;

/// A group of sets whose last one makes its feeder liable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Group {
    yakuman: Line,
    /// Kinds of the sets.
    kinds: Kinds,
    /// Number of the sets.
    sets: usize,
    kongs_only: bool,
}

const GROUPS: [Group; 3] = [
    Group { yakuman: Line::Daisangen, kinds: DRAGONS, sets: 3, kongs_only: false },
    Group { yakuman: Line::Daisuushii, kinds: WINDS, sets: 4, kongs_only: false },
    Group { yakuman: Line::Suukantsu, kinds: Kinds::MAX, sets: 4, kongs_only: true },
];

/// A yakuman for which a player may be liable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Liability {
    pub(super) yakuman: Line,
    /// Possible feeders of the last set.
    possible: PossibleFeeders,
    /// Whether the winner may have drawn the last set.
    is_drawn: bool,
}

impl Liability {
    /// Returns whether a player can have completed the last set.
    pub(super) const fn allows(self, feeder: Feeder) -> bool {
        self.possible.allows(feeder)
    }

    /// Returns whether the melds show that this may have been the feeder. A person may say that
    /// nobody was, whatever the melds show.
    pub(super) fn suggests(self, feeder: Feeder) -> bool {
        self.allows(feeder) && (feeder != Feeder::Nobody || self.is_drawn)
    }
}

/// Returns the yakuman of a hand for which a player may be liable.
pub(super) fn liabilities(
    facts: &Facts,
    hand: &Hand,
    options: &Options,
) -> impl Iterator<Item = Liability> {
    let played =
        [options.liability_daisangen, options.liability_daisuushii, options.liability_suukantsu];
    let groups = GROUPS.into_iter().zip(played).filter(|(_, played)| *played);
    let enough = facts.melds.count >= 3;
    let seats = options.seats();
    groups.filter(move |_| enough).filter_map(move |(group, _)| group.liability(hand, seats))
}

impl Group {
    /// Returns the liability for the group, if all its sets are on the table.
    fn liability(self, hand: &Hand, seats: Seats) -> Option<Liability> {
        let mut count = 0;
        let mut possible = PossibleFeeders::new(Feeder::Nobody);
        let mut is_drawn = false;
        for meld in hand.melds().filter(|&meld| self.holds(meld)) {
            count += 1;
            possible = possible.union(feeders(meld, seats));
            let added = matches!(meld, Meld::Kong { kind: KongKind::Added { .. }, .. });
            is_drawn |= meld.is_concealed() || self.kongs_only && added;
        }
        let whole = count == self.sets;
        whole.then_some(Liability { yakuman: self.yakuman, possible, is_drawn })
    }

    const fn holds(self, meld: Meld) -> bool {
        match meld {
            Meld::Chow(_) => false,
            Meld::Pung { tile, .. } => !self.kongs_only && self.kinds >> tile.index() & 1 == 1,
            Meld::Kong { tile, .. } => self.kinds >> tile.index() & 1 == 1,
        }
    }
}

/// Returns the players who may have fed a meld. Among three players a tile from across came from
/// one of the two others: the sides of the table do not tell their order of play.
fn feeders(meld: Meld, seats: Seats) -> PossibleFeeders {
    let shown = PossibleFeeders::from_meld(meld);
    if seats == Seats::Four || !shown.allows(Feeder::Across) {
        return shown;
    }
    PossibleFeeders::new(Feeder::Left).union(PossibleFeeders::new(Feeder::Right))
}

/// Returns the contradiction of a feeder that the melds rule out.
pub(super) fn contradiction(
    facts: &Facts,
    hand: &Hand,
    options: &Options,
) -> Option<Contradiction> {
    let feeder = facts.context.feeder?;
    let mut groups = liabilities(facts, hand, options).peekable();
    // Rules in which other sets make their feeder pay may be meant.
    groups.peek()?;
    let fits = groups.any(|group| group.allows(feeder));
    (!fits).then_some(Contradiction::FedByAnother { feeder })
}
