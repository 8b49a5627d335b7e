//! The law of the deal in MCR: the deal always passes, sixteen deals make a game, and seats change
//! between the rounds so that every player has every seat for one round.

use crate::rules::law::{Law, PassingRule};
use crate::tile::Wind::{East, North, South, West};

/// The law of MCR. Before the South and the North round East changes places with South, and West
/// with North; before the West round East goes to West, South to North, West to South and North to
/// East. Places at a tournament earn 4, 2, 1 and 0 points.
pub(super) const LAW: Law = Law {
    passing: PassingRule::Always,
    exchanges: [[South, East, North, West], [West, North, South, East], [South, East, North, West]],
    table_points: Some([4, 2, 1, 0]),
    paragraph: "a game has four rounds of four deals; the deal always passes",
    ..Law::ROTATING
};
