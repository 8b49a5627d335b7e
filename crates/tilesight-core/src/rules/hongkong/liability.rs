//! Liability (包, 6.3): the player who let the third set of dragons, the fourth of winds, or the
//! fourth set of a full flush be called.
//!
//! Input: a hand, whose melds show who fed each set but not in which order, and the feeder that the
//! context names. Output: the player who pays for all. Invariants: without a feeder nobody is
//! liable; a concealed set makes nobody liable; a feeder that the melds rule out is a
//! contradiction.

use crate::context::{Context, Feeder};
use crate::hand::Hand;
use crate::meld::{Meld, Relation};
use crate::rules::Contradiction;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::feeders::PossibleFeeders;
use crate::rules::decompose::kinds::{BAMBOO, CHARACTERS, DOTS, DRAGONS, Kinds, WINDS, is_within};

use super::options::{Liability, Options};

/// Returns the possible feeders of the sets that make their feeder liable; `None` without such
/// sets.
pub(super) fn feeders(facts: &Facts, hand: &Hand, options: &Options) -> Option<PossibleFeeders> {
    if options.liability == Liability::None || facts.melds.count < 3 {
        return None;
    }
    let is_flush = [CHARACTERS, DOTS, BAMBOO].iter().any(|&suit| is_within(facts.kinds, suit));
    group(hand, |meld| is_of(meld, DRAGONS), 3)
        .or_else(|| group(hand, |meld| is_of(meld, WINDS), 4))
        .or_else(|| group(hand, |_| is_flush, 4))
}

/// Returns the feeders of a group of melds, if there are as many of them. Anybody may say that
/// nobody was the feeder.
fn group(hand: &Hand, holds: impl Fn(Meld) -> bool, sets: usize) -> Option<PossibleFeeders> {
    let mut count = 0;
    let mut possible = PossibleFeeders::new(Feeder::Nobody);
    for meld in hand.melds().filter(|&meld| holds(meld)) {
        count += 1;
        possible = possible.union(PossibleFeeders::from_meld(meld));
    }
    (count == sets).then_some(possible)
}

/// Returns whether a meld is a pung or kong of these kinds.
fn is_of(meld: Meld, kinds: Kinds) -> bool {
    match meld {
        Meld::Chow(_) => false,
        Meld::Pung { tile, .. } | Meld::Kong { tile, .. } => kinds >> tile.index() & 1 == 1,
    }
}

/// Returns the player who pays for all.
pub(super) fn liable(
    feeders: Option<PossibleFeeders>,
    context: &Context,
    options: &Options,
) -> Option<Relation> {
    let feeder = context.feeder?;
    feeders.filter(|all| all.allows(feeder)).and_then(|_| payer(context, options))
}

/// Returns the player who pays for all if the feeder of the context is liable: on a self-draw, or
/// by an option always.
pub(super) fn payer(context: &Context, options: &Options) -> Option<Relation> {
    let counts = match options.liability {
        Liability::None => false,
        Liability::SelfDraw => context.win.is_self_drawn(),
        Liability::Always => true,
    };
    context.feeder.and_then(Feeder::relation).filter(|_| counts)
}

/// Returns the contradiction of a feeder that the melds rule out.
pub(super) fn contradiction(
    facts: &Facts,
    hand: &Hand,
    options: &Options,
) -> Option<Contradiction> {
    let feeder = facts.context.feeder?;
    // Rules in which other sets make their feeder pay may be meant.
    let fits = feeders(facts, hand, options)?.allows(feeder);
    (!fits).then_some(Contradiction::FedByAnother { feeder })
}
