//! Stored result of one photo, as the JSON that every front end returns.
//!
//! Input: a reading, or the problem that kept a photo from being read. Output: an [`Outcome`], and
//! from it a line of `results.jsonl`. Invariant: the bytes depend only on the photo, the request
//! and the engine. They contain no timings, no ids and no file names; an item's id and index are
//! added when its line is written.

use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use tilesight_core::contract::{Problem, RulesetScoreDto};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Profile;
use tilesight_core::tile::Wind;
use tilesight_vision::contract::{
    AnswerDto, EngineDto, ImageDto, ModelsDto, OtherReadingDto, ReadingDto,
};
use tilesight_vision::networks::Manifest;
use tilesight_vision::{Status, TableReading};

/// Stored result of one photo: `{"reading":...}`, or `{"error":problem}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome(String);

/// Parsed content of an outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// The photo was read.
    Read(Box<ReadDto>),
    /// The photo could not be read.
    Refused {
        /// Reason.
        error: Problem,
    },
}

/// Answer for a photo without the values that differ between two readings of it: [`AnswerDto`]
/// without the timings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = JobResult)]
pub struct ReadDto {
    /// Reading of the photo.
    pub reading: ReadingDto,
    /// Scores of the hand by each requested rule set, if several were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<RulesetScoreDto>>,
    /// Readings of the photos of other players' hands, with their seats, if any were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherReadDto>,
    /// Whether the readings of all hands can be relied on, if hands of other players were given:
    /// `ok` if all that were read are `ok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_status: Option<Status>,
    /// Upright photo; polygons are in its pixels.
    pub image: ImageDto,
    /// Program that read the photo.
    pub engine: EngineDto,
    /// Networks that read the photo.
    pub models: ModelsDto,
}

/// Photo of a hand that did not win: [`OtherReadingDto`] without the timings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = JobOtherResult)]
pub struct OtherReadDto {
    /// Seat of the player.
    pub seat: Wind,
    /// Reading of the photo. The payments are in the winner's reading.
    pub reading: ReadingDto,
    /// Upright photo.
    pub image: ImageDto,
}

impl From<OtherReadingDto> for OtherReadDto {
    fn from(other: OtherReadingDto) -> OtherReadDto {
        let OtherReadingDto { seat, reading, image, .. } = other;
        OtherReadDto { seat, reading, image }
    }
}

/// Error when a text is not an outcome.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an outcome of a photo")]
pub struct OutcomeError;

const REFUSED: &str = r#"{"error":"#;
const READ: &str = r#"{"reading":"#;

impl Outcome {
    /// Returns the outcome of photos that were read.
    #[must_use]
    pub fn from_table(
        table: &TableReading,
        rulesets: Option<&[Arc<Profile>]>,
        manifest: &Manifest,
        lang: Lang,
    ) -> Outcome {
        let answer = AnswerDto::from_table(table, rulesets, manifest, &[], lang);
        let AnswerDto { reading, scores, others, table_status, image, engine, models, .. } = answer;
        let others = others.into_iter().map(OtherReadDto::from).collect();
        let read = ReadDto { reading, scores, others, table_status, image, engine, models };
        Outcome::from_content(&Content::Read(Box::new(read)))
    }

    /// Returns the outcome of a photo that could not be read.
    #[must_use]
    pub fn from_problem(error: Problem) -> Outcome {
        Outcome::from_content(&Content::Refused { error })
    }

    fn from_content(content: &Content) -> Outcome {
        Outcome(serde_json::to_string(content).expect("its keys are texts"))
    }

    /// Parses a stored outcome.
    ///
    /// # Errors
    /// [`OutcomeError`] when this program did not write it.
    pub fn from_json(json: String) -> Result<Outcome, OutcomeError> {
        let known = json.starts_with(READ) || json.starts_with(REFUSED);
        let whole = known && serde_json::from_str::<IgnoredAny>(&json).is_ok();
        if whole { Ok(Outcome(json)) } else { Err(OutcomeError) }
    }

    /// Returns the JSON to store.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.0
    }

    /// Returns whether the photo could not be read.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.0.starts_with(REFUSED)
    }

    /// Parses the content.
    ///
    /// # Errors
    /// [`OutcomeError`] when another version of the program wrote it in a form that this version
    /// does not know.
    pub fn content(&self) -> Result<Content, OutcomeError> {
        serde_json::from_str(&self.0).map_err(|_| OutcomeError)
    }

    /// Returns the item's line of `results.jsonl`, without the line end: `{"id":...,"index":...,`
    /// and the outcome.
    #[must_use]
    pub fn line(&self, id: &str, index: u64) -> String {
        line_of(id, index, &self.0)
    }
}

/// Returns the line of an item with these fields, which are a non-empty JSON object.
#[must_use]
pub fn line_of(id: &str, index: u64, fields: &str) -> String {
    let id = serde_json::to_string(id).expect("a text is JSON");
    format!(r#"{{"id":{id},"index":{index},{}"#, &fields[1..])
}

#[cfg(test)]
mod tests {
    use tilesight_core::contract::ProblemKind;

    use super::*;

    #[test]
    fn a_line_is_json_whatever_the_item_is_called() {
        let problem = Problem::new(ProblemKind::UnreadableImage, "broken");
        let outcome = Outcome::from_problem(problem.clone());
        for id in ["a.jpg", "", "\"\\\n\u{0}", "🀄 ü"] {
            let line = outcome.line(id, 7);
            assert!(!line.contains('\n'), "{line}");
            let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
            let expected = serde_json::json!({ "id": id, "index": 7, "error": problem });
            assert_eq!(line, expected);
        }
        assert!(outcome.is_failure());
        assert_eq!(outcome.content(), Ok(Content::Refused { error: problem }));
    }

    #[test]
    fn only_what_was_written_as_an_outcome_is_read_as_one() {
        let kept =
            Outcome::from_problem(Problem::new(ProblemKind::NoHand, "none")).json().to_owned();
        assert!(Outcome::from_json(kept.clone()).is_ok());
        for bad in ["", "{}", "null", r#"{"other":1}"#, &kept[..kept.len() - 1], &kept[1..]] {
            assert_eq!(Outcome::from_json(bad.to_owned()), Err(OutcomeError), "{bad}");
        }
    }
}
