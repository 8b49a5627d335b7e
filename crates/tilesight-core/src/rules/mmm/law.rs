//! The law of the deal in MMM: winds always rotate, no matter who won, so that a game has sixteen
//! deals.

use crate::rules::law::Law;

/// As the Danish supplement has it: 0.4.1 the winds always rotate, 0.4.2 sixteen deals make a game.
pub(super) const LAW: Law = Law { paragraph: "0.4.1, 0.4.2", ..Law::ROTATING };
