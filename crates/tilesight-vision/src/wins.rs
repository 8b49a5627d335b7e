//! Decides whether tiles form a winning hand by the rule set in use: the layout uses it to
//! distinguish hands from discards, the joint stage to weigh names.
//!
//! Input: tiles and a rule set. Output: whether the tiles win by it in some win context. Invariant:
//! a hand that wins only in another game does not count.

pub(crate) mod distance;

use tilesight_core::context::Context;
use tilesight_core::hand::{Flowers, HandSetup};
use tilesight_core::rules::Profile;

use distance::orphans;

/// Number of sets of a hand in games with sixteen tiles and the winning one.
pub(crate) const LARGE_HAND_SETS: usize = 5;

/// Returns whether the tiles form a winning hand. The choice of the winning tile does not matter
/// for that, so any tile is taken if it is unknown. Flowers do not matter either: some games are
/// played without them.
pub(crate) fn wins(setup: &HandSetup, ruleset: &Profile) -> bool {
    let mut setup = HandSetup { flowers: Flowers::NONE, ..setup.clone() };
    if setup.winning.is_none() {
        setup.winning = setup.concealed.pop();
    }
    let rules = ruleset.rules();
    setup.into_hand_of(rules.size()).is_ok_and(|hand| rules.points(&hand, &Context::PLAIN).is_ok())
}

/// Returns whether thirteen orphans win by the rule set.
pub(crate) fn orphans_win(ruleset: &Profile) -> bool {
    let concealed = orphans().chain(orphans().take(1)).collect();
    wins(&HandSetup { concealed, ..HandSetup::default() }, ruleset)
}
