//! The stored form of a game. It has a version of its own and differs from the JSON that clients
//! see.
//!
//! Input: a [`Game`]. Output: JSON, and the game again. Invariants: a game reads back as it was
//! written; one of another version is refused.

use std::sync::Arc;

use serde::de::Error as _;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{Change, Game};
use crate::contract::read_parsed;
use crate::rules::{Book, RulesetId, UnknownRuleset};

/// Version of the form.
const VERSION: u64 = 1;

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Game", 5)?;
        record.serialize_field("version", &VERSION)?;
        record.serialize_field("title", &self.title)?;
        record.serialize_field("players", &self.players)?;
        record.serialize_field("ruleset", &self.ruleset.id())?;
        record.serialize_field("changes", &self.changes)?;
        record.end()
    }
}

/// A stored game that was read; [`open`](GameRecord::open) looks up its rule set.
#[derive(Debug)]
pub struct GameRecord(Record);

impl GameRecord {
    /// Returns the game.
    ///
    /// # Errors
    /// [`UnknownRuleset`] if its rule set is no longer in the book.
    pub fn open(self, book: &Book) -> Result<Game, UnknownRuleset> {
        let Record { title, players, ruleset, changes } = self.0;
        let ruleset = Arc::clone(book.get(ruleset)?);
        Ok(Game { title, players, ruleset, changes })
    }
}

impl<'de> Deserialize<'de> for GameRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameRecord, D::Error> {
        let mut record = Value::deserialize(deserializer)?;
        let version = record.as_object_mut().and_then(|fields| fields.remove("version"));
        if version != Some(VERSION.into()) {
            return Err(D::Error::custom("the version of the game is unknown"));
        }
        read_parsed(record).map(GameRecord).map_err(D::Error::custom)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    title: String,
    players: Vec<String>,
    ruleset: RulesetId,
    changes: Vec<Change>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_of_another_version_is_refused() {
        let players = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned);
        let ruleset = Arc::clone(Book::shipped().get(RulesetId::MCR_WMO).expect("it is shipped"));
        let game = Game::new("Thursday".to_owned(), players, ruleset).expect("a game");
        let mut record = serde_json::to_value(&game).expect("JSON");
        let read: GameRecord = serde_json::from_value(record.clone()).expect("a game");
        assert_eq!(read.open(&Book::shipped()).as_ref(), Ok(&game));
        record["version"] = (VERSION + 1).into();
        assert!(serde_json::from_value::<GameRecord>(record).is_err());
    }
}
