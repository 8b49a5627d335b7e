//! The hand of another player at the table, in any form.

use serde::{Deserialize, Serialize};

use crate::tile::Wind;

/// A player who did not win: the seat and the hand. `H` is the form of the hand: legal tiles
/// ([`Holding`](super::Holding)), text or JSON, a photo, a reading or a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `seat` and `hand`")]
pub struct Other<H> {
    /// The player's seat.
    pub seat: Wind,
    /// The hand.
    pub hand: H,
}
