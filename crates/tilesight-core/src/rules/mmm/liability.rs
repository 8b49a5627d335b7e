//! Liability for another player's win because of a set (1.4.1 to 1.4.3).
//!
//! Input: the facts of a hand and its melds, which show who fed each set but not in which order.
//! Output: a [`Liability`]: of no player, of the player to the left (four called chows), or of the
//! player who completed the third pung of dragons or the fourth of winds, as far as the melds show.
//! Invariant: a feeder that the context names is refused if the melds rule it out.

use crate::context::{Context, Feeder};
use crate::hand::Hand;
use crate::meld::{Chow, Meld, Relation};
use crate::rules::Contradiction;
use crate::rules::decompose::facts::{Facts, HONOR_GROUP};
use crate::rules::decompose::feeders::PossibleFeeders;
use crate::rules::decompose::kinds::{DRAGONS, Kinds, WINDS, spread};
use crate::tile::Tile;
use crate::tiles::Counts;

use super::options::Options;

/// Groups of sets whose last set makes its feeder pay: their kinds, and the number of sets.
const GROUPS: [(Kinds, u32); 2] = [(DRAGONS, 3), (WINDS, 4)];

/// The reason why a player pays because of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Liability {
    /// No set makes its feeder pay; only the winning tile decides.
    None,
    /// The player to the left is liable, after four called chows (1.4.1).
    FourChows,
    /// The feeder of the last set of a group is liable (1.4.2, 1.4.3).
    LastSet(Feeders),
}

/// The players who may have completed the last set of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Feeders {
    possible: PossibleFeeders,
    /// Feeder of the last of these sets in their order on the table; assumed if the context names
    /// none.
    likeliest: Feeder,
}

impl Feeders {
    pub(super) fn possible(self) -> impl Iterator<Item = Feeder> {
        Feeder::ALL.into_iter().filter(move |&feeder| self.allows(feeder))
    }

    const fn allows(self, feeder: Feeder) -> bool {
        self.possible.allows(feeder)
    }

    /// Returns the feeder to assume if the context names none.
    pub(super) const fn likeliest(self) -> Feeder {
        self.likeliest
    }
}

pub(super) fn liability(facts: &Facts, hand: &Hand, options: &Options) -> Liability {
    if has_four_called_chows(facts, hand, options) {
        return Liability::FourChows;
    }
    let pungs = facts.melds.pungs | hidden_pungs(facts);
    let complete = GROUPS.into_iter().find(|(group, all)| (pungs & group).count_ones() == *all);
    let last = complete.and_then(|(group, _)| last_set(facts, hand, group, options));
    last.map_or(Liability::None, Liability::LastSet)
}

/// Checks the feeder that the context names against the melds.
pub(super) fn contradiction(
    facts: &Facts,
    hand: &Hand,
    options: &Options,
) -> Option<Contradiction> {
    let feeder = facts.context.feeder?;
    match liability(facts, hand, options) {
        Liability::None => Some(Contradiction::NoSetToFeed),
        Liability::FourChows if feeder == Feeder::Left => None,
        Liability::LastSet(feeders) if feeders.allows(feeder) => None,
        Liability::FourChows | Liability::LastSet(_) => {
            Some(Contradiction::FedByAnother { feeder })
        }
    }
}

/// Returns the player who alone pays because of a set, if any; a feeder that is not named is
/// assumed.
pub(super) fn payer(
    liability: Liability,
    feeder: Option<Feeder>,
    context: &Context,
    options: &Options,
) -> Option<Relation> {
    let self_drawn = context.win.is_self_drawn();
    match liability {
        Liability::FourChows if !self_drawn || options.four_chows_liability_on_self_draw => {
            Some(Relation::Left)
        }
        Liability::LastSet(feeders) if !self_drawn || options.liability_on_self_draw => {
            feeder.unwrap_or(feeders.likeliest).relation()
        }
        _ => None,
    }
}

/// Returns whether four chows were called (1.4.1): before the winning tile or, if the option allows
/// it, with it.
fn has_four_called_chows(facts: &Facts, hand: &Hand, options: &Options) -> bool {
    let called = facts.melds.chow_count;
    let claimed = !facts.self_drawn && options.winning_tile_can_be_the_fourth_chow;
    called == 4 || called == 3 && facts.melds.count == 3 && claimed && completes_chow(hand)
}

/// Returns whether the winning tile can complete a chow of the five concealed tiles, with a pair
/// left over.
fn completes_chow(hand: &Hand) -> bool {
    let waiting = hand.concealed();
    let winning = hand.winning();
    Tile::ALL.into_iter().filter_map(Chow::new).any(|chow| {
        let others = chow.tiles().into_iter().filter(|&tile| tile != winning);
        let taken: Counts = others.collect();
        let left = Tile::ALL.map(|tile| waiting.count(tile).checked_sub(taken.count(tile)));
        taken.total() == 2 && left.iter().all(Option::is_some) && left.contains(&Some(2))
    })
}

/// Returns the pungs of honors among the concealed tiles; they can be read in one way only.
const fn hidden_pungs(facts: &Facts) -> Kinds {
    spread(facts.hidden[HONOR_GROUP].threes(), HONOR_GROUP)
}

/// Returns the players who may have completed the last set of a group; `None` if concealed sets
/// beside the called ones leave no player liable. A set that the winning tile completes was the
/// last, and its feeder is known.
fn last_set(facts: &Facts, hand: &Hand, group: Kinds, options: &Options) -> Option<Feeders> {
    if hidden_pungs(facts) & group & 1 << facts.winning != 0 {
        let feeder = facts.context.win.from().map_or(Feeder::Nobody, Feeder::from);
        return Some(Feeders { possible: PossibleFeeders::new(feeder), likeliest: feeder });
    }
    let hidden = (hidden_pungs(facts) | facts.melds.concealed_kongs) & group;
    if hidden != 0 && !options.liability_beside_concealed_sets {
        return None;
    }
    let nobody = PossibleFeeders::new(Feeder::Nobody);
    let mut possible = if hidden == 0 { PossibleFeeders::NONE } else { nobody };
    let mut likeliest = Feeder::Nobody;
    for meld in hand.melds().filter(|&meld| is_called(meld, group)) {
        possible = possible.union(PossibleFeeders::from_meld(meld));
        likeliest = meld.from().map_or(Feeder::Left, Feeder::from);
    }
    Some(Feeders { possible, likeliest })
}

/// Returns whether a meld is a called pung or kong of a group.
fn is_called(meld: Meld, group: Kinds) -> bool {
    !matches!(meld, Meld::Chow(_))
        && !meld.is_concealed()
        && group >> meld.first_tile().index() & 1 == 1
}
