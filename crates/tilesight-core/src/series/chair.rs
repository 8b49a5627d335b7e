//! A chair at a table: who sits there in a round.

use serde::{Deserialize, Serialize};

use super::SeriesPlayer;

/// A chair at a table: a player, a substitute who plays in the player's place, or a guest who fills
/// the table. At least one of the two is named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SeriesChair)]
pub struct Chair {
    /// Player of the series to whom the chair belongs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<SeriesPlayer>,
    /// Name of a person who is no player of the series and plays here: in the player's place if
    /// there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 40)]
    pub guest: Option<String>,
}

impl Chair {
    /// Returns the chair of a player.
    #[must_use]
    pub const fn for_player(player: SeriesPlayer) -> Chair {
        Chair { player: Some(player), guest: None }
    }

    /// Returns the chair of a guest.
    #[must_use]
    pub const fn for_guest(name: String) -> Chair {
        Chair { player: None, guest: Some(name) }
    }

    /// Returns the player who plays here in person.
    #[must_use]
    pub fn present(&self) -> Option<SeriesPlayer> {
        self.player.filter(|_| self.guest.is_none())
    }
}
