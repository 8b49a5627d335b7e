//! What people do to a game, and how it stands in the journal.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::play::Play;
use super::text::check_names;
use super::{GameError, PLAYERS};

/// An entry of the sheet: the number of the change that added it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(transparent)]
pub struct EntryId(pub u32);

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What people do to a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// What happened in the next deal; or in one that was forgotten, before an entry.
    Add {
        /// What happened.
        play: Play,
        /// The entry that it comes before; at the end where it is absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<EntryId>,
    },
    /// An entry is corrected.
    Correct {
        /// The entry.
        entry: EntryId,
        /// What really happened.
        play: Play,
    },
    /// An entry is removed.
    Remove {
        /// The entry.
        entry: EntryId,
    },
    /// Other names.
    Rename {
        /// What the game is called.
        title: String,
        /// What the players are called, in their order.
        players: [String; PLAYERS],
    },
    /// The game ends, though deals are left.
    Finish,
    /// A change is taken back.
    Undo {
        /// Its number.
        change: u32,
    },
}

/// When and by whom something was done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meta {
    /// Milliseconds since 1970.
    pub at: u64,
    /// Who did it, as they call themselves.
    pub by: Option<String>,
    /// The key that its author gave it: the same action with the same key is done once.
    pub key: Option<String>,
}

/// An action in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Its number, from 1.
    pub number: u32,
    /// Milliseconds since 1970.
    pub at: u64,
    /// Who did it, as they call themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The key that its author gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What was done.
    pub action: Action,
}

impl Action {
    /// The same, checked as far as it can be without the game, and names without spaces around
    /// them.
    pub(super) fn checked(self) -> Result<Action, GameError> {
        Ok(match self {
            Action::Add { play, before } => Action::Add { play: play.checked()?, before },
            Action::Correct { entry, play } => Action::Correct { entry, play: play.checked()? },
            Action::Rename { title, players } => {
                let players = players.map(|name| name.trim().to_owned());
                check_names(&title, &players)?;
                Action::Rename { title, players }
            }
            other => other,
        })
    }
}
