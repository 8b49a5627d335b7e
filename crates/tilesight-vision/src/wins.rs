//! Decides whether tiles form a winning hand by the rule set in use: the layout uses it to
//! distinguish hands from discards, the joint stage to weigh names.
//!
//! Input: tiles and a rule set. Output: whether the tiles win by it in some win context. Invariant:
//! a hand that wins only in another game does not count.

pub(crate) mod distance;

use tilesight_core::context::Context;
use tilesight_core::hand::{Flowers, HandSetup, HandSize};
use tilesight_core::rules::{Profile, Shapes};
use tilesight_core::tiles::Counts;

use distance::{WinDistance, orphans};

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

/// Returns whether the tiles form a winning hand of a size. If the rule set has hands of another
/// size, those of sets and a pair win.
pub(crate) fn wins_as(setup: &HandSetup, size: HandSize, ruleset: &Profile) -> bool {
    if ruleset.rules().size() == size {
        wins(setup, ruleset)
    } else {
        is_sets_and_pair(setup, size)
    }
}

/// Returns whether the tiles are sets and a pair, as many as a hand of a size has.
fn is_sets_and_pair(setup: &HandSetup, size: HandSize) -> bool {
    let Some(sets) = size.sets().checked_sub(setup.melds.len()) else { return false };
    let loose: Counts = setup.concealed.iter().copied().chain(setup.winning).collect();
    let away = WinDistance::default().measure(&loose, sets, Shapes::default());
    loose.total() == 3 * sets + 2 && away == 0
}

/// Returns whether thirteen orphans win by the rule set.
pub(crate) fn orphans_win(ruleset: &Profile) -> bool {
    let concealed = orphans().chain(orphans().take(1)).collect();
    wins(&HandSetup { concealed, ..HandSetup::default() }, ruleset)
}
