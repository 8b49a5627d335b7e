//! Fields of a photo's outcome that tables and summaries use.
//!
//! Input: the JSON object that a worker stored for a photo, `{ "reading": ... }` or
//! `{ "error": problem }`. Output: a [`BatchRow`] with the few fields that are counted. Invariant:
//! unused fields are not parsed, so that a row takes less memory than its line.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::rules::RulesetId;
use tilesight_core::tile::{Tile, Wind};
use tilesight_vision::contract::{AlternativeDto, ImageDto};
use tilesight_vision::{DoubtKind, Status};

/// Summarized outcome of one photo.
#[derive(Debug, Clone, PartialEq)]
pub enum BatchRow {
    /// The photo was read.
    Read(Box<RowReading>),
    /// The photo could not be read.
    Failed(Problem),
}

/// Summarized fields of a reading.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RowReading {
    /// Whether the reading can be relied on.
    pub status: Status,
    /// The hand in one line.
    hand: HandText,
    /// Probability that the whole hand is right.
    pub probability: f32,
    /// Probability that the score is right.
    pub score_probability: f32,
    /// Questions that the photo leaves open.
    pub doubts: Vec<RowDoubt>,
    /// Score, if the hand wins.
    pub score: Option<RowScore>,
    /// Winning tile that the score supposes.
    #[serde(default)]
    supposed_winning_tile: Option<String>,
    #[serde(default)]
    tiles: Vec<TileText>,
    /// Width and height of the photo in pixels, if known.
    #[serde(skip)]
    sides: Option<(u32, u32)>,
    #[serde(skip)]
    correction: Option<RowCorrection>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct HandText {
    notation: String,
    #[serde(default)]
    concealed: Vec<String>,
    #[serde(default)]
    winning_tile: Option<String>,
    #[serde(default)]
    melds: Vec<IgnoredAny>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct TileText {
    tile: String,
}

/// Summarized fields of a correction.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RowCorrection {
    /// Reason why the correction can't be scored.
    pub problem: Option<Problem>,
}

/// Doubt about a reading.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RowDoubt {
    /// Kind of the doubt; `None` for a kind that this version does not know.
    #[serde(default)]
    pub kind: Option<DoubtKind>,
    /// Question to ask a person.
    pub question: String,
    /// Game that the hand is of, if that is not the one of the rule set.
    #[serde(default)]
    pub game: Option<String>,
    /// Possible answers.
    pub alternatives: Vec<AlternativeDto>,
    /// Whether the answers lead to different scores.
    pub affects_score: bool,
}

/// Score of a hand.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RowScore {
    /// Rules that were applied.
    pub ruleset: Option<RulesetId>,
    /// Total points.
    pub total: u32,
    /// Points that the hand must reach.
    pub minimum: u32,
    /// Whether the hand reaches the minimum.
    pub legal: bool,
    /// Points that are settled between the players.
    pub value: u32,
    /// Fans that count.
    pub awards: Vec<RowAward>,
    /// Han of all lines, in riichi alone.
    pub han: Option<u32>,
    /// Fu, in riichi alone; `None` for a yakuman, and for a hand without a yaku.
    pub fu: Option<u32>,
    /// Code of the limit that the hand reaches, in riichi alone; `None` below a mangan.
    pub limit: Option<String>,
    /// Number of yakuman that are paid, in riichi alone.
    pub yakuman: Option<u32>,
    /// Points of the riichi sticks that the winner takes from the table, in riichi alone.
    pub sticks: Option<u32>,
    /// Faan, cut at the limit, in games with faan.
    pub faan: Option<u32>,
    /// Fields of the win context that were not given, with their defaults.
    #[serde(default)]
    assumed_values: BTreeMap<String, Value>,
}

/// Fan that counts. Its code is a text because rule sets differ in their fans.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RowAward {
    /// Code of the fan.
    pub code: String,
    /// Name of the fan in the requested language.
    pub name: String,
    /// Number of times that the fan counts.
    pub count: u32,
}

/// Outcome as a worker stores it. Of `reading` and `error`, exactly one is present.
#[derive(Deserialize)]
struct StoredOutcome {
    reading: Option<RowReading>,
    /// Hands of other players in photos.
    #[serde(default)]
    others: Vec<StoredOther>,
    /// Whether the readings of all hands can be relied on.
    table_status: Option<Status>,
    image: Option<ImageDto>,
    correction: Option<RowCorrection>,
    error: Option<Problem>,
}

/// Summarized fields of the reading of another player's hand.
#[derive(Deserialize)]
struct StoredOther {
    seat: Wind,
    reading: OtherDoubts,
}

#[derive(Deserialize)]
struct OtherDoubts {
    doubts: Vec<RowDoubt>,
}

impl RowReading {
    /// Adds the doubts about the other players' hands to this reading.
    fn with_others(mut self, others: Vec<StoredOther>, table: Option<Status>) -> RowReading {
        if let (Status::Ok, Some(table)) = (self.status, table) {
            self.status = table;
        }
        for StoredOther { seat, reading } in others {
            for doubt in reading.doubts {
                let question = format!("{seat}: {}", doubt.question);
                self.doubts.push(RowDoubt { question, ..doubt });
            }
        }
        self
    }
}

impl BatchRow {
    /// Parses a stored outcome. Invalid bytes become an ordinary failure: a damaged row must not
    /// keep the others from being shown.
    #[must_use]
    pub fn from_stored(stored: &[u8]) -> BatchRow {
        let Ok(stored) = serde_json::from_slice::<StoredOutcome>(stored) else {
            return BatchRow::Failed(unreadable());
        };
        match (stored.reading, stored.error) {
            (Some(reading), None) => {
                let sides = stored.image.map(|image| (image.width, image.height));
                let reading = RowReading { sides, correction: stored.correction, ..reading };
                BatchRow::Read(Box::new(reading.with_others(stored.others, stored.table_status)))
            }
            (None, Some(error)) => BatchRow::Failed(error),
            _ => BatchRow::Failed(unreadable()),
        }
    }
}

impl RowReading {
    /// Returns the hand in one line.
    #[must_use]
    pub fn hand(&self) -> &str {
        &self.hand.notation
    }

    /// Returns the correction by a person, if there is one.
    #[must_use]
    pub fn correction(&self) -> Option<&RowCorrection> {
        self.correction.as_ref()
    }

    /// Returns the names and values of everything that the score supposes because it was not given.
    pub(crate) fn assumptions(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        let fields = self.score.iter().flat_map(|score| &score.assumed_values);
        let supposed = self.supposed_winning_tile.as_deref().filter(|_| self.score.is_some());
        let fields = fields.map(|(name, value)| (name.as_str(), plain(value)));
        fields.chain(supposed.map(|tile| ("winning_tile", tile.into())))
    }

    /// Returns the tiles of the hand that are not in melds, and the number of melds.
    pub(super) fn loose_tiles(&self) -> (Vec<Tile>, usize) {
        let HandText { concealed, winning_tile, melds, .. } = &self.hand;
        let codes = concealed.iter().chain(winning_tile);
        (codes.filter_map(|code| code.parse().ok()).collect(), melds.len())
    }

    /// Returns all tiles in the photo whose faces are visible, except flowers.
    pub(super) fn tiles(&self) -> Vec<Tile> {
        self.tiles.iter().filter_map(|seen| seen.tile.parse().ok()).collect()
    }

    /// Returns whether the longer side of the photo is at least `times` times the shorter one.
    pub(super) fn is_longer_than(&self, times: u32) -> bool {
        self.sides.is_some_and(|(width, height)| {
            width.max(height) >= width.min(height).saturating_mul(times)
        })
    }

    /// Returns the doubts that the score depends on.
    pub fn open(&self) -> impl Iterator<Item = &RowDoubt> {
        self.doubts.iter().filter(|doubt| doubt.affects_score)
    }
}

fn unreadable() -> Problem {
    Problem::new(ProblemKind::Internal, "the stored outcome of this photo can't be read")
}

/// Returns a value of the win context as a cell of a table has it.
fn plain(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| value.to_string().into(), Cow::from)
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Returns a stored reading with the given score and doubts.
    pub(in crate::batch) fn stored(status: &str, doubts: &Value, score: &Value) -> Vec<u8> {
        let reading = json!({
            "status": status, "hand": { "concealed": ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "5s", "5s", "E", "E"],
                      "notation": "123m456p789s5s5s" },
            "probability": 0.91, "score_probability": 0.8, "tiles": [], "doubts": doubts, "score": score,
        });
        json!({ "reading": reading, "engine": { "name": "tilesight" } }).to_string().into_bytes()
    }

    pub(in crate::batch) fn score(total: u32, fans: &[(&str, u32)]) -> Value {
        let awards = fans.iter().map(|(code, count)| {
            json!({ "code": code, "name": code.to_uppercase(), "count": count, "points": 2 })
        });
        json!({ "ruleset": "mcr-wmo", "total": total, "minimum": 8, "legal": total >= 8,
                "value": total, "awards": awards.collect::<Vec<_>>(),
                "assumed_values": { "win": "discard", "from": "left" } })
    }

    #[test]
    fn an_impossible_outcome_is_a_failure() {
        for stored in ["", "null", "{}", "[1]", r#"{"reading":{}}"#, r#"{"error":{"type":"x"}}"#] {
            assert!(
                matches!(BatchRow::from_stored(stored.as_bytes()), BatchRow::Failed(_)),
                "{stored}"
            );
        }
    }

    #[test]
    fn a_reading_is_looked_into() {
        let doubts = json!([
            { "kind": "tile", "tiles": [1], "question": "Which?", "affects_score": true,
              "alternatives": [{ "answer": "1m", "p": 0.1, "total": null }] },
            { "kind": "flower", "tiles": [], "question": "Whose?", "affects_score": false, "alternatives": [] },
        ]);
        let bytes = stored("needs_review", &doubts, &score(24, &[("pure_straight", 1)]));
        let BatchRow::Read(read) = BatchRow::from_stored(&bytes) else { panic!("it was read") };
        assert_eq!((read.status, read.hand()), (Status::NeedsReview, "123m456p789s5s5s"));
        assert_eq!(
            read.open().map(|doubt| doubt.question.as_str()).collect::<Vec<_>>(),
            ["Which?"]
        );
        assert_eq!(read.score.expect("a score").awards[0].name, "PURE_STRAIGHT");
    }
}
