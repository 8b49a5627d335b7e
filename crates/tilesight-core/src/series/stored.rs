//! The stored form of a series, with a version of its own.
//!
//! Input: a [`Series`]. Output: JSON, and the series again. Invariants: a series reads back as it
//! was written; one of another version is refused.

use std::sync::Arc;

use serde::de::Error as _;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::action::SeriesChange;
use super::journal::Series;
use super::ranking::RankingDto;
use crate::contract::read_parsed;
use crate::rules::{Book, RulesetId, UnknownRuleset};

/// Version of the form.
const VERSION: u64 = 1;

impl Serialize for Series {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Series", 7)?;
        record.serialize_field("version", &VERSION)?;
        record.serialize_field("title", &self.title)?;
        record.serialize_field("ruleset", &self.ruleset.id())?;
        record.serialize_field("ranking", &self.ranking)?;
        record.serialize_field("rounds", &self.rounds)?;
        record.serialize_field("players", &self.players)?;
        record.serialize_field("changes", &self.changes)?;
        record.end()
    }
}

/// A stored series that was read; [`open`](SeriesRecord::open) looks up its rule set.
#[derive(Debug)]
pub struct SeriesRecord(Record);

impl SeriesRecord {
    /// Returns the series.
    ///
    /// # Errors
    /// [`UnknownRuleset`] if its rule set is no longer in the book.
    pub fn open(self, book: &Book) -> Result<Series, UnknownRuleset> {
        let Record { title, ruleset, ranking, rounds, players, changes } = self.0;
        let ruleset = Arc::clone(book.get(ruleset)?);
        Ok(Series { title, ruleset, ranking, rounds, players, changes })
    }
}

impl<'de> Deserialize<'de> for SeriesRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeriesRecord, D::Error> {
        let mut record = Value::deserialize(deserializer)?;
        let version = record.as_object_mut().and_then(|fields| fields.remove("version"));
        if version != Some(VERSION.into()) {
            return Err(D::Error::custom("the version of the series is unknown"));
        }
        read_parsed(record).map(SeriesRecord).map_err(D::Error::custom)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    title: String,
    ruleset: RulesetId,
    ranking: RankingDto,
    rounds: u32,
    players: Vec<String>,
    changes: Vec<SeriesChange>,
}
