//! Actions on a game, and their form in the journal.

use serde::{Deserialize, Serialize};

use super::play::Play;
use super::text::check_names;
use super::{EntryId, GameError};

/// An action on a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Adds what happened in the next deal, or, with `before`, in a deal that was left out earlier.
    Add {
        /// Event of the deal.
        play: Play,
        /// Entry before which the new one belongs; at the end when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<EntryId>,
    },
    /// Corrects an entry.
    Correct {
        /// Entry to correct.
        entry: EntryId,
        /// Event as it really happened.
        play: Play,
    },
    /// Removes an entry.
    Remove {
        /// Entry to remove.
        entry: EntryId,
    },
    /// Changes the names.
    Rename {
        /// Title of the game.
        title: String,
        /// Names of the players, in their order.
        players: Vec<String>,
    },
    /// Finishes the game although deals are left.
    Finish,
    /// Takes a change back.
    Undo {
        /// Number of the change.
        change: u32,
    },
}

/// Time and author of a change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meta {
    /// Time in milliseconds since 1970.
    pub at: u64,
    /// Author of the change, as they call themselves.
    pub by: Option<String>,
    /// Idempotency key that the author gave; the same action with the same key is applied once.
    pub key: Option<String>,
}

/// An action in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Number of the change, from 1.
    pub number: u32,
    /// Time in milliseconds since 1970.
    pub at: u64,
    /// Author of the change, as they call themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Idempotency key that the author gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The action that was applied.
    pub action: Action,
}

impl Action {
    /// Returns the action with spaces around names removed, checked as far as possible without the
    /// game.
    pub(super) fn check(self) -> Result<Action, GameError> {
        Ok(match self {
            Action::Add { play, before } => Action::Add { play: play.check()?, before },
            Action::Correct { entry, play } => Action::Correct { entry, play: play.check()? },
            Action::Rename { title, players } => {
                let players: Vec<_> = players.iter().map(|name| name.trim().to_owned()).collect();
                check_names(&title, &players)?;
                Action::Rename { title, players }
            }
            other => other,
        })
    }
}
