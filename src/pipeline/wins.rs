//! Whether tiles form a winning hand: asked by the layout, to tell hands from discards, and by the
//! joint stage, to weigh names.

use crate::context::Context;
use crate::hand::HandSetup;
use crate::rules::RulesetId;

/// Whether the tiles form a winning hand. Which tile won does not matter for that, so any will do
/// when it is not known.
pub(super) fn wins(setup: &HandSetup) -> bool {
    let mut setup = setup.clone();
    if setup.winning.is_none() {
        setup.winning = setup.concealed.pop();
    }
    let rules = RulesetId::MCR_WMO.rules();
    setup.into_hand().is_ok_and(|hand| rules.points(&hand, &Context::PLAIN).is_ok())
}
