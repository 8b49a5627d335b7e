//! The journal of a game: who plays what, and everything that was entered.
//!
//! Output: names, and the entries that count, in the order of play. Invariant: the journal only
//! grows; an undo is a change too, and what it takes back stays readable.

use std::sync::Arc;

use super::play::Play;
use super::text::check_names;
use super::{Action, Change, EntryId, GameError, PLAYERS};
use crate::rules::Profile;

/// A game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    pub(super) title: String,
    pub(super) players: [String; PLAYERS],
    pub(super) ruleset: Arc<Profile>,
    pub(super) changes: Vec<Change>,
}

impl Game {
    /// A game before its first deal. The players come in the order of their first seats, East
    /// first.
    ///
    /// # Errors
    /// [`GameError`] when names are not different or texts are too long.
    pub fn new(
        title: String,
        players: [String; PLAYERS],
        ruleset: Arc<Profile>,
    ) -> Result<Game, GameError> {
        let players = players.map(|name| name.trim().to_owned());
        check_names(&title, &players)?;
        Ok(Game { title, players, ruleset, changes: Vec::new() })
    }

    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        let renamed = self.renamed().map(|(title, _)| title);
        renamed.unwrap_or(&self.title)
    }

    /// What the players are called, in their order.
    #[must_use]
    pub fn players(&self) -> &[String; PLAYERS] {
        let renamed = self.renamed().map(|(_, players)| players);
        renamed.unwrap_or(&self.players)
    }

    fn renamed(&self) -> Option<(&str, &[String; PLAYERS])> {
        self.applied().rev().find_map(|change| match &change.action {
            Action::Rename { title, players } => Some((title.as_str(), players)),
            _ => None,
        })
    }

    /// What it is played by.
    #[must_use]
    pub const fn ruleset(&self) -> &Arc<Profile> {
        &self.ruleset
    }

    /// Everything that was done, in order.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether a change was taken back.
    #[must_use]
    pub fn is_undone(&self, number: u32) -> bool {
        self.changes.iter().any(|one| one.action == Action::Undo { change: number })
    }

    /// Whether somebody ended it before its last deal.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.applied().any(|change| change.action == Action::Finish)
    }

    /// Whether something was done under this key.
    #[must_use]
    pub fn knows(&self, key: &str) -> bool {
        self.under(Some(key)).is_some()
    }

    /// The change that an undo takes back next.
    #[must_use]
    pub fn undoable(&self) -> Option<u32> {
        self.applied().next_back().map(|change| change.number)
    }

    pub(super) fn under(&self, key: Option<&str>) -> Option<&Change> {
        let key = key?;
        self.changes.iter().find(|change| change.key.as_deref() == Some(key))
    }

    /// The changes that count: those that nobody took back, without the takings back.
    pub(super) fn applied(&self) -> impl DoubleEndedIterator<Item = &Change> {
        let undone: Vec<u32> = self
            .changes
            .iter()
            .filter_map(|change| match change.action {
                Action::Undo { change } => Some(change),
                _ => None,
            })
            .collect();
        self.changes.iter().filter(move |change| {
            !matches!(change.action, Action::Undo { .. }) && !undone.contains(&change.number)
        })
    }

    /// What happened, in the order of play.
    ///
    /// # Errors
    /// [`GameError::NoEntry`] when a change speaks of an entry that there is not.
    pub(super) fn entries(&self) -> Result<Vec<Entry<'_>>, GameError> {
        let mut entries: Vec<Entry<'_>> = Vec::new();
        let place = |entries: &[Entry<'_>], id: EntryId| {
            entries.iter().position(|entry| entry.id == id).ok_or(GameError::NoEntry(id))
        };
        for change in self.applied() {
            match &change.action {
                Action::Add { play, before } => {
                    let at = before.map_or(Ok(entries.len()), |id| place(&entries, id))?;
                    let id = EntryId(change.number);
                    entries.insert(at, Entry { id, play, corrected: false });
                }
                Action::Correct { entry, play } => {
                    let at = place(&entries, *entry)?;
                    entries[at] = Entry { id: *entry, play, corrected: true };
                }
                Action::Remove { entry } => {
                    entries.remove(place(&entries, *entry)?);
                }
                Action::Rename { .. } | Action::Finish | Action::Undo { .. } => {}
            }
        }
        Ok(entries)
    }
}

/// An entry as it counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) id: EntryId,
    pub(super) play: &'a Play,
    /// Whether it was corrected since it was added.
    pub(super) corrected: bool,
}
