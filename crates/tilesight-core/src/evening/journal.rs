//! The journal of a game: the players, the rule set, and all changes.
//!
//! Output: names, and the entries that count, in the order of play. Invariant: the journal only
//! grows; an undo is a change too, and the change that it takes back stays readable.

use std::sync::Arc;

use super::names::fold;
use super::play::Play;
use super::text::check_names;
use super::{Action, Change, EntryId, GameError, Player};
use crate::meld::Seats;
use crate::rules::Profile;

/// A game: its journal and rule set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    pub(super) title: String,
    pub(super) players: Vec<String>,
    pub(super) ruleset: Arc<Profile>,
    pub(super) changes: Vec<Change>,
}

impl Game {
    /// Creates a game before its first deal. The players are in the order of their first seats,
    /// East first.
    ///
    /// # Errors
    /// [`GameError`] if names are not different, texts are too long, or another number of players
    /// plays by the rules.
    pub fn new(
        title: String,
        players: impl Into<Vec<String>>,
        ruleset: Arc<Profile>,
    ) -> Result<Game, GameError> {
        let names: Vec<String> = players.into();
        let players: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
        let count = ruleset.rules().seats().winds().len();
        if players.len() != count {
            return Err(GameError::PlayerCount(count));
        }
        check_names(&title, &players)?;
        Ok(Game { title, players, ruleset, changes: Vec::new() })
    }

    /// Returns whether another game began with the same title, players and rules.
    #[must_use]
    pub fn began_like(&self, other: &Game) -> bool {
        self.title == other.title
            && self.players == other.players
            && self.ruleset.id() == other.ruleset.id()
    }

    /// Returns the player that a name means: the one with exactly that name, otherwise one whose
    /// name looks like it.
    #[must_use]
    pub fn player_named(&self, name: &str) -> Option<Player> {
        let names = self.players();
        let exact = names.iter().position(|other| other == name);
        let form = fold(name);
        let at = exact.or_else(|| names.iter().position(|other| fold(other) == form))?;
        Some(Player::ALL[at])
    }

    /// Returns the title of the game.
    #[must_use]
    pub fn title(&self) -> &str {
        let renamed = self.last_renaming().map(|(title, _)| title);
        renamed.unwrap_or(&self.title)
    }

    /// Returns the names of the players, in their order.
    #[must_use]
    pub fn players(&self) -> &[String] {
        let renamed = self.last_renaming().map(|(_, players)| players);
        renamed.unwrap_or(&self.players)
    }

    /// Returns the seats that are taken at the table.
    #[must_use]
    pub fn seats(&self) -> Seats {
        self.ruleset.rules().seats()
    }

    fn last_renaming(&self) -> Option<(&str, &[String])> {
        self.applied_changes().rev().find_map(|change| match &change.action {
            Action::Rename { title, players } => Some((title.as_str(), players.as_slice())),
            _ => None,
        })
    }

    /// Returns the rule set of the game.
    #[must_use]
    pub const fn ruleset(&self) -> &Arc<Profile> {
        &self.ruleset
    }

    /// Returns all changes, in order.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns whether a change was taken back.
    #[must_use]
    pub fn is_undone(&self, number: u32) -> bool {
        self.changes.iter().any(|one| one.action == Action::Undo { change: number })
    }

    /// Returns whether a player ended the game, rather than its last deal.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.applied_changes().any(|change| change.action == Action::Finish)
    }

    /// Returns whether an action was applied with this key.
    #[must_use]
    pub fn knows(&self, key: &str) -> bool {
        self.find_change(Some(key)).is_some()
    }

    /// Returns the change that an undo takes back next.
    #[must_use]
    pub fn undoable(&self) -> Option<u32> {
        self.applied_changes().next_back().map(|change| change.number)
    }

    pub(super) fn find_change(&self, key: Option<&str>) -> Option<&Change> {
        let key = key?;
        self.changes.iter().find(|change| change.key.as_deref() == Some(key))
    }

    /// Returns the changes that count: neither taken back nor undos.
    pub(super) fn applied_changes(&self) -> impl DoubleEndedIterator<Item = &Change> {
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

    /// Returns the entries that count, in the order of play.
    ///
    /// # Errors
    /// [`GameError::NoEntry`] if a change names an entry that does not exist.
    pub(super) fn entries(&self) -> Result<Vec<CountedEntry<'_>>, GameError> {
        let mut entries: Vec<CountedEntry<'_>> = Vec::new();
        let mut finished = false;
        for change in self.applied_changes() {
            match &change.action {
                Action::Add { play, before } => {
                    let at = before.map_or(Ok(entries.len()), |id| find_entry(&entries, id))?;
                    let late = entries.get(at).map_or(finished, |next| next.late);
                    let id = EntryId(change.number);
                    entries.insert(at, CountedEntry { id, play, corrected: false, late });
                }
                Action::Correct { entry, play } => {
                    let at = find_entry(&entries, *entry)?;
                    entries[at] = CountedEntry { play, corrected: true, ..entries[at] };
                }
                Action::Remove { entry } => {
                    entries.remove(find_entry(&entries, *entry)?);
                }
                Action::Finish => finished = true,
                Action::Rename { .. } | Action::Undo { .. } => {}
            }
        }
        Ok(entries)
    }
}

fn find_entry(entries: &[CountedEntry<'_>], id: EntryId) -> Result<usize, GameError> {
    entries.iter().position(|entry| entry.id == id).ok_or(GameError::NoEntry(id))
}

/// An entry that counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct CountedEntry<'a> {
    pub(super) id: EntryId,
    pub(super) play: &'a Play,
    /// Whether the entry was corrected since it was added.
    pub(super) corrected: bool,
    /// Whether the entry was made after a player had ended the game.
    pub(super) late: bool,
}
