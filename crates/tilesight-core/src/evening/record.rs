//! The stored form of a game. It has a version of its own and differs from the JSON that clients
//! see.
//!
//! Input: a [`Game`]. Output: JSON, and the game again. Invariants: a game reads back as it was
//! written; a game of version 1, which has no version number and keeps the contract's `context`
//! with the rule set in it, is upgraded, and so is one of version 2, which counts riichi only where
//! it is stated; a newer version is refused.

use std::sync::Arc;

use serde::de::Error as _;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{Action, Change, Game, PLAYERS, Play};
use crate::context::RiichiCall;
use crate::contract::read_parsed;
use crate::rules::{Book, RulesetId, UnknownRuleset};

/// Version of the form that this program writes.
const VERSION: u32 = 3;
/// First version in which the winner of a deal has riichi by the stick that they laid.
const RIICHI_BY_STICK: u32 = 3;

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
        let Record { version, title, players, ruleset, mut changes } = self.0;
        let ruleset = Arc::clone(book.get(ruleset)?);
        if version < RIICHI_BY_STICK && ruleset.rules().law().riichi.is_some() {
            changes.iter_mut().for_each(state_riichi);
        }
        Ok(Game { title, players, ruleset, changes })
    }
}

impl<'de> Deserialize<'de> for GameRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameRecord, D::Error> {
        let mut record = Value::deserialize(deserializer)?;
        match record.get("version").map_or(Some(1), Value::as_u64) {
            Some(1) => upgrade(&mut record),
            Some(version) if (2..=u64::from(VERSION)).contains(&version) => {}
            _ => return Err(D::Error::custom("the version of the game is unknown")),
        }
        read_parsed(record).map(GameRecord).map_err(D::Error::custom)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    /// Version that wrote the game; 0 for version 1, which has no number.
    #[serde(default)]
    version: u32,
    title: String,
    players: [String; PLAYERS],
    ruleset: RulesetId,
    changes: Vec<Change>,
}

/// Upgrades a game of version 1: moves the rule set out of the context of each win.
fn upgrade(record: &mut Value) {
    let changes = record.get_mut("changes").and_then(Value::as_array_mut);
    for change in changes.into_iter().flatten() {
        let play = change.pointer_mut("/action/play").and_then(Value::as_object_mut);
        let Some(play) = play else { continue };
        let context = play.get_mut("context").and_then(Value::as_object_mut);
        if let Some(ruleset) = context.and_then(|context| context.remove("ruleset")) {
            play.insert("ruleset".to_owned(), ruleset);
        }
    }
}

/// States for a hand that was won without riichi that it has none, so that its points stay those
/// that were booked.
fn state_riichi(change: &mut Change) {
    let (Action::Add { play, .. } | Action::Correct { play, .. }) = &mut change.action else {
        return;
    };
    if let Play::Win(win) = play {
        win.context.riichi.get_or_insert(RiichiCall::No);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::context::WinKind;

    /// Returns a game as earlier programs stored it: with every field of the contract's `context`.
    fn version_1() -> Value {
        let context = json!({ "ruleset": "mcr-wmo", "seat": null, "prevalent": "E", "win": "self_drawn",
            "from": null, "last_wall_tile": true, "last_of_kind": null, "declared": null,
            "completes": null, "feeder": null, "won": null });
        let win = json!({ "kind": "win", "winner": 0, "discarder": null,
            "hand": "123456789m11pFFF", "context": context });
        let others = json!([{ "player": 1, "hand": "[CCC,1]11m" }]);
        let corrected = json!({ "kind": "win", "winner": 2, "discarder": 3, "others": others,
            "hand": "123456789m11pFFF|??", "context": {} });
        json!({ "title": "Thursday", "players": ["Anna", "Bo", "Clara", "Dorte"], "ruleset": "mcr-wmo",
            "changes": [
                { "number": 1, "at": 1_700_000_000_001_u64, "by": "Anna", "key": "k1",
                    "action": { "kind": "add", "play": win } },
                { "number": 2, "at": 1_700_000_000_002_u64,
                    "action": { "kind": "correct", "entry": 1, "play": corrected } },
                { "number": 3, "at": 1_700_000_000_003_u64, "action": { "kind": "undo", "change": 2 } },
                { "number": 4, "at": 1_700_000_000_004_u64, "action": { "kind": "add", "play":
                    { "kind": "manual", "reason": "false_mahjong", "player": 1, "ends_deal": false,
                        "payments": [10, -30, 10, 10] }, "before": 1 } },
            ] })
    }

    fn read(record: Value) -> Game {
        let record: GameRecord = serde_json::from_value(record).expect("a game");
        record.open(&Book::shipped()).expect("a shipped rule set")
    }

    #[test]
    fn a_game_of_version_1_is_read() {
        let game = read(version_1());
        assert_eq!((game.title(), game.changes().len()), ("Thursday", 4));
        let Action::Add { play: Play::Win(win), .. } = &game.changes()[0].action else {
            panic!("{:?}", game.changes()[0])
        };
        assert_eq!(win.ruleset, Some(RulesetId::MCR_WMO));
        assert_eq!(win.context.win, Some(WinKind::SelfDrawn));
        assert_eq!(win.context.last_wall_tile, Some(true));
        let sheet = game.sheet().expect("a sheet");
        assert_eq!(sheet.rows.len(), 2);
        assert_eq!(read(serde_json::to_value(&game).unwrap()), game);
    }

    #[test]
    fn a_game_says_its_version_and_a_newer_one_is_refused() {
        let game = read(version_1());
        let mut record = serde_json::to_value(&game).unwrap();
        assert_eq!(record["version"], VERSION);
        record["version"] = (VERSION + 1).into();
        assert!(serde_json::from_value::<GameRecord>(record).is_err());
    }
}
