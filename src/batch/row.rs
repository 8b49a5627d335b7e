//! What tables and summaries look at in the outcome of one photo.
//!
//! Input: the JSON object that a worker stored for a photo, `{ "reading": ... }` or `{ "error":
//! problem }`. Output: a [`Row`] with the few fields that are counted. Invariant: fields that are
//! not looked at are not read either, so that a row costs less than its line.

use serde::Deserialize;

use crate::contract::{AlternativeDto, Problem, ProblemKind};
use crate::pipeline::Status;
use crate::rules::RulesetId;
use crate::tile::Wind;

/// What one photo came to, as far as it is counted.
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    /// It was read.
    Read(Box<RowReading>),
    /// It could not be.
    Failed(Problem),
}

/// What is looked at in a reading.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RowReading {
    /// Whether it can be relied on.
    pub status: Status,
    /// The hand in one line.
    hand: HandText,
    /// That the whole hand is right.
    pub probability: f32,
    /// That the score is right.
    pub score_probability: f32,
    /// What the photo does not settle.
    pub doubts: Vec<RowDoubt>,
    /// The score, if the hand wins.
    pub score: Option<RowScore>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct HandText {
    notation: String,
}

/// A doubt.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RowDoubt {
    /// The question to put to a person.
    pub question: String,
    /// The possible answers.
    pub alternatives: Vec<AlternativeDto>,
    /// Whether the answers lead to different scores.
    pub affects_score: bool,
}

/// A score.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RowScore {
    /// The rules that were applied.
    pub ruleset: Option<RulesetId>,
    /// All points.
    pub total: u32,
    /// What the hand must reach.
    pub minimum: u32,
    /// Whether it does.
    pub legal: bool,
    /// What is settled.
    pub value: u32,
    /// The fans that count.
    pub awards: Vec<RowAward>,
}

/// A fan that counts. Its code stays a text: rule sets differ in their fans.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RowAward {
    /// Its code.
    pub code: String,
    /// Its name in the language that was asked for.
    pub name: String,
    /// How often it counts.
    pub count: u32,
}

/// What a worker stores, both fields optional: exactly one is there.
#[derive(Deserialize)]
struct StoredOutcome {
    reading: Option<RowReading>,
    /// The hands of others in photos.
    #[serde(default)]
    others: Vec<StoredOther>,
    /// Whether the whole table can be relied on.
    table_status: Option<Status>,
    error: Option<Problem>,
}

/// What is looked at in the reading of another player's hand.
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
    /// The same with what is not sure of the hands beside it.
    fn beside(mut self, others: Vec<StoredOther>, table: Option<Status>) -> RowReading {
        if let (Status::Ok, Some(table)) = (self.status, table) {
            self.status = table;
        }
        for StoredOther { seat, reading } in others {
            let asked = reading.doubts.into_iter();
            let asked = asked
                .map(|doubt| RowDoubt { question: format!("{seat}: {}", doubt.question), ..doubt });
            self.doubts.extend(asked);
        }
        self
    }
}

impl Row {
    /// Looks into what a worker stored. What nobody could have stored is a failure like any other:
    /// a damaged row must not keep the others from being shown.
    #[must_use]
    pub fn of(stored: &[u8]) -> Row {
        match serde_json::from_slice(stored) {
            Ok(StoredOutcome { reading: Some(reading), others, table_status, error: None }) => {
                Row::Read(Box::new(reading.beside(others, table_status)))
            }
            Ok(StoredOutcome { reading: None, error: Some(error), .. }) => Row::Failed(error),
            _ => Row::Failed(unreadable()),
        }
    }
}

impl RowReading {
    /// The hand in one line.
    #[must_use]
    pub fn hand(&self) -> &str {
        &self.hand.notation
    }

    /// The doubts that the score depends on.
    pub fn open(&self) -> impl Iterator<Item = &RowDoubt> {
        self.doubts.iter().filter(|doubt| doubt.affects_score)
    }
}

fn unreadable() -> Problem {
    Problem::new(ProblemKind::Internal, "the stored outcome of this photo can't be read")
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A stored reading with a score, doubts and fans as shown.
    pub(in crate::batch) fn stored(status: &str, doubts: &Value, score: &Value) -> Vec<u8> {
        let reading = json!({
            "status": status, "hand": { "concealed": [], "notation": "123m456p789s5s5s" },
            "probability": 0.91, "score_probability": 0.8, "tiles": [], "doubts": doubts, "score": score,
        });
        json!({ "reading": reading, "engine": { "name": "tilesight" } }).to_string().into_bytes()
    }

    pub(in crate::batch) fn score(total: u32, fans: &[(&str, u32)]) -> Value {
        let awards = fans.iter().map(|(code, count)| {
            json!({ "code": code, "name": code.to_uppercase(), "count": count, "points": 2 })
        });
        json!({ "ruleset": "mcr-wmo", "total": total, "minimum": 8, "legal": total >= 8,
                "value": total, "awards": awards.collect::<Vec<_>>() })
    }

    #[test]
    fn what_cannot_have_been_stored_is_a_failure() {
        for stored in ["", "null", "{}", "[1]", r#"{"reading":{}}"#, r#"{"error":{"type":"x"}}"#] {
            assert!(matches!(Row::of(stored.as_bytes()), Row::Failed(_)), "{stored}");
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
        let Row::Read(read) = Row::of(&bytes) else { panic!("it was read") };
        assert_eq!((read.status, read.hand()), (Status::NeedsReview, "123m456p789s5s5s"));
        assert_eq!(
            read.open().map(|doubt| doubt.question.as_str()).collect::<Vec<_>>(),
            ["Which?"]
        );
        assert_eq!(read.score.expect("a score").awards[0].name, "PURE_STRAIGHT");
    }
}
