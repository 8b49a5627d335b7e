//! The law of the deal in the classical game: East deals again after winning, and after a draw.

use crate::rules::law::{Law, PassingRule};

/// Law of the German description: the dealer changes only when a player other than East made
/// mahjong, and the wind of the round changes when everybody has dealt. A game has sixteen deals or
/// more.
pub(super) const LAW: Law =
    Law { passing: PassingRule::WhenAnotherWins, paragraph: "4.1", ..Law::ROTATING };
