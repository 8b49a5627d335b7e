//! The law of the deal in MMM: the winds always rotate, no matter who won, so a game has sixteen
//! deals.

use crate::rules::law::Law;

/// Law of the Danish supplement: the winds always rotate (0.4.1), and sixteen deals make a game
/// (0.4.2).
pub(super) const LAW: Law = Law { paragraph: "0.4.1, 0.4.2", ..Law::ROTATING };
