//! Whether tiles form a winning hand: asked by the layout, to tell hands from discards, and by the
//! joint stage, to weigh names.

use crate::context::{Context, WinSource};
use crate::hand::HandSetup;
use crate::rules::RulesetId;
use crate::tile::Wind;

/// Whether the tiles form a winning hand. Which tile won does not matter for that, so any will do
/// when it is not known.
pub(super) fn wins(setup: &HandSetup) -> bool {
    let mut setup = setup.clone();
    if setup.winning.is_none() {
        setup.winning = setup.concealed.pop();
    }
    let rules = RulesetId::MCR_WMO.rules();
    setup.into_hand().is_ok_and(|hand| rules.points(&hand, &PLAIN).is_ok())
}

/// Circumstances that contradict no hand.
const PLAIN: Context = Context {
    seat: Wind::East,
    prevalent: Wind::East,
    win: WinSource::SelfDrawn,
    last_wall_tile: false,
    last_of_kind: false,
    feeder: None,
};
