//! Answer to a photo or to a table of photos: the reading, the image, the program and its networks.
//!
//! The front ends differ in one field: HTTP adds the id of the request, the command adds the file.
//! Invariant: `timings_ms` has an entry for each step, and `total` is their sum.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilesight_core::contract::ScoreDto;
use tilesight_core::contract::{RulesetScoreDto, side_by_side_read};
use tilesight_core::explain::Lang;
use tilesight_core::rules::{OpenHand, OtherHand, Profile};
use tilesight_core::tile::Wind;

use super::reading::ReadingDto;
use crate::networks::Manifest;
use crate::{Reading, Status, TableReading};

/// A reading with its image, the program, its networks and timings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Answer)]
pub struct AnswerDto {
    /// Id of the request, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Path of the file that was read, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The reading of the photo.
    pub reading: ReadingDto,
    /// Scores by each rule set of `rulesets`, if the request named any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<RulesetScoreDto>>,
    /// Readings of the other players' hands, by seat, if photos of them were sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherReadingDto>,
    /// Whether the scores of the table are reliable, if hands of other players were sent: `ok` if
    /// all readings are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_status: Option<Status>,
    /// Size of the upright photo. Polygons are given in its pixels.
    pub image: ImageDto,
    /// Name and version of the program.
    pub engine: EngineDto,
    /// The networks that were used.
    pub models: ModelsDto,
    /// Duration of each step, in milliseconds.
    pub timings_ms: BTreeMap<String, f64>,
}

/// Reading of a hand that did not win, for rule sets that score every player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = OtherReading)]
pub struct OtherReadingDto {
    /// Seat of the player.
    pub seat: Wind,
    /// Path of the file that was read, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The reading of the photo. The payments are in the winner's reading.
    pub reading: ReadingDto,
    /// Size of the upright photo.
    pub image: ImageDto,
    /// Duration of each step, in milliseconds.
    pub timings_ms: BTreeMap<String, f64>,
}

/// Size of the upright photo in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Image)]
pub struct ImageDto {
    /// Distance from the left to the right edge.
    pub width: u32,
    /// Distance from the top to the bottom edge.
    pub height: u32,
}

/// Name and version of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Engine)]
pub struct EngineDto {
    /// Name of the program.
    pub name: String,
    /// Version of the program.
    pub version: String,
}

/// The networks, by the SHA-256 of their files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Models)]
pub struct ModelsDto {
    /// The network that finds tiles.
    pub detector: String,
    /// The network that refines the corners of tiles, if one was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refiner: Option<String>,
    /// The network that classifies tiles.
    pub classifier: String,
    /// The network that classifies tiles in doubt again, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub large_classifier: Option<String>,
}

impl AnswerDto {
    /// Returns the answer to one photo with the duration of each step. Neither the file nor the
    /// request is named yet.
    #[must_use]
    pub fn new(
        reading: &Reading,
        manifest: &Manifest,
        steps: &[(&'static str, Duration)],
        lang: Lang,
    ) -> AnswerDto {
        AnswerDto {
            request_id: None,
            file: None,
            reading: ReadingDto::new(reading, lang),
            scores: None,
            others: Vec::new(),
            table_status: None,
            image: ImageDto::from_reading(reading),
            engine: EngineDto {
                name: "tilesight".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            models: ModelsDto {
                detector: manifest.detector.sha256.clone(),
                refiner: manifest.refiner.as_ref().map(|refiner| refiner.sha256.clone()),
                classifier: manifest.classifier.sha256.clone(),
                large_classifier: manifest.large_classifier.as_ref().map(|it| it.sha256.clone()),
            },
            timings_ms: steps_by_name(steps),
        }
    }

    /// Returns the answer to a table with the duration of each step until the whole table was read.
    /// The table is scored by each of `rulesets`, side by side, if they are given.
    #[must_use]
    pub fn from_table(
        table: &TableReading,
        rulesets: Option<&[Arc<Profile>]>,
        manifest: &Manifest,
        steps: &[(&'static str, Duration)],
        lang: Lang,
    ) -> AnswerDto {
        let winner = &table.winner;
        let mut answer = AnswerDto::new(winner, manifest, steps, lang);
        if !table.is_alone() {
            let score = table.score.as_ref();
            answer.reading.score = score.map(|score| {
                ScoreDto::from_table(score, &winner.assumed, lang).with_assumptions(
                    &winner.context,
                    winner.range.as_ref(),
                    lang,
                )
            });
            let others = table.others.iter();
            answer.others = others.map(|reading| OtherReadingDto::new(reading, lang)).collect();
            answer.table_status = Some(table.status);
        }
        match rulesets {
            Some(rulesets) => answer.side_by_side(winner, &table.hands(), rulesets, lang),
            None => answer,
        }
    }

    /// Returns this answer with the scores of the hand by several rule sets, side by side. `others`
    /// are the hands of the other players.
    ///
    /// Only one reading is scored: where rule sets lay tiles differently, the reading was laid out
    /// by the rule set of its own score.
    #[must_use]
    pub fn side_by_side(
        self,
        winner: &Reading,
        others: &[OtherHand],
        rulesets: &[Arc<Profile>],
        lang: Lang,
    ) -> AnswerDto {
        let open = OpenHand::from_setup(&winner.hand, &winner.context, &winner.assumed);
        let scores = side_by_side_read(&winner.scored_hand(), others, &open, rulesets, lang);
        AnswerDto { scores: Some(scores), ..self }
    }
}

impl OtherReadingDto {
    fn new(reading: &Reading, lang: Lang) -> OtherReadingDto {
        let mut dto = ReadingDto::new(reading, lang);
        // The winner's score lists what is still unsettled, beside the payments.
        if let Some(score) = &mut dto.score {
            score.unsettled = Vec::new();
        }
        OtherReadingDto {
            seat: reading.context.seat,
            file: None,
            reading: dto,
            image: ImageDto::from_reading(reading),
            timings_ms: steps_by_name(&reading.timings),
        }
    }
}

impl ImageDto {
    fn from_reading(reading: &Reading) -> ImageDto {
        let (width, height) = reading.size;
        ImageDto { width, height }
    }
}

fn steps_by_name(steps: &[(&'static str, Duration)]) -> BTreeMap<String, f64> {
    milliseconds(steps).map(|(step, took)| (step.to_owned(), took)).collect()
}

/// Returns the duration of each step in order, then `total`, in milliseconds with one decimal
/// place. More digits would be noise.
pub fn milliseconds<'a>(
    steps: &'a [(&'static str, Duration)],
) -> impl Iterator<Item = (&'static str, f64)> + 'a {
    let total = ("total", steps.iter().map(|(_, took)| *took).sum());
    steps.iter().copied().chain([total]).map(|(step, took)| (step, in_tenths(took)))
}

fn in_tenths(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e4).round() / 10.0
}
