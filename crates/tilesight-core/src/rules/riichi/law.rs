//! The law of the deal in riichi: East deals again after winning and after a draw; two rounds.

use crate::rules::law::{Law, PassingRule};

/// Law of an evening: East and South round.
pub(super) const LAW: Law =
    Law { passing: PassingRule::WhenAnotherWins, paragraph: "9", ..Law::ROTATING };
