//! The hand of another player at the table, in whatever form it is known.

use serde::{Deserialize, Serialize};

use crate::tile::Wind;

/// The hand of a player who did not win, and the player's seat. `H` is the form of the hand: legal
/// tiles ([`Holding`](super::Holding)), text or JSON, a photo, a reading or a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `seat` and `hand`")]
pub struct Other<H> {
    /// The player's seat.
    pub seat: Wind,
    /// The hand.
    pub hand: H,
}

impl<H> Other<H> {
    /// The same seat with another form of the hand.
    ///
    /// # Errors
    /// What `convert` returns.
    pub fn try_map<T, E>(self, convert: impl FnOnce(H) -> Result<T, E>) -> Result<Other<T>, E> {
        Ok(Other { seat: self.seat, hand: convert(self.hand)? })
    }
}
