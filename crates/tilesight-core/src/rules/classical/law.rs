//! The law of the deal in the classical game: East deals again after winning, and after a draw.

use crate::rules::law::{Law, PassingRule};

/// As the German description has it: the dealer changes only when another player than East made
/// mahjong; the wind of the round, when everybody has dealt. Sixteen deals or more make a game.
pub(super) const LAW: Law =
    Law { passing: PassingRule::WhenAnotherWins, paragraph: "4.1", ..Law::ROTATING };
