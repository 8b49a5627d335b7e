//! The answer to a photo or a table of photos: the reading, the image, the program and its
//! networks.
//!
//! The front ends differ in one field: HTTP adds the id of the request, the command the file.
//! Invariant: `timings_ms` has an entry for each step and `total`, their sum.

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
use crate::pipeline::model::Manifest;
use crate::pipeline::{Reading, Status, TableReading};

/// A reading and what belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Answer))]
pub struct AnswerDto {
    /// The id of the request, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The file that was read, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What the photo was read as.
    pub reading: ReadingDto,
    /// The scores by each rule set of `rulesets`, where they were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<RulesetScoreDto>>,
    /// The photos of other players' hands, by their seats, where some were sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherReadingDto>,
    /// Whether the scores of the table can be relied on, where hands of others were sent: `ok`
    /// where all readings are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_status: Option<Status>,
    /// The upright photo, in whose pixels polygons are given.
    pub image: ImageDto,
    /// The program.
    pub engine: EngineDto,
    /// The networks.
    pub models: ModelsDto,
    /// How long each step took, in milliseconds.
    pub timings_ms: BTreeMap<String, f64>,
}

/// The photo of a hand that did not win, in rule sets that score every player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = OtherReading))]
pub struct OtherReadingDto {
    /// Whose hand it is.
    pub seat: Wind,
    /// The file that was read, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What the photo was read as. The payments are in the winner's reading.
    pub reading: ReadingDto,
    /// The upright photo.
    pub image: ImageDto,
    /// How long each step took, in milliseconds.
    pub timings_ms: BTreeMap<String, f64>,
}

/// The size of the upright photo in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Image))]
pub struct ImageDto {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// The program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Engine))]
pub struct EngineDto {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The networks, by the SHA-256 of their files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Models))]
pub struct ModelsDto {
    /// The network that finds tiles.
    pub detector: String,
    /// The network that refines their corners, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refiner: Option<String>,
    /// The network that classifies them.
    pub classifier: String,
}

impl AnswerDto {
    /// The answer with the time that each step took; neither file nor request is named yet.
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
            image: ImageDto::of(reading),
            engine: EngineDto {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            models: ModelsDto {
                detector: manifest.detector.sha256.clone(),
                refiner: manifest.refiner.as_ref().map(|refiner| refiner.sha256.clone()),
                classifier: manifest.classifier.sha256.clone(),
            },
            timings_ms: named(steps),
        }
    }

    /// The answer to a table, with the time that each step took until all of it was read; scored by
    /// several rule sets side by side where they are given.
    #[must_use]
    pub fn of_table(
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
                ScoreDto::of_table(score, &winner.assumed, lang).with_assumptions(
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

    /// The same with the hand, beside those of others, scored by several rule sets side by side.
    ///
    /// One reading is scored: where rule sets lay tiles differently, it was laid out by the one
    /// that the reading's own score is by.
    #[must_use]
    pub fn side_by_side(
        self,
        winner: &Reading,
        others: &[OtherHand],
        rulesets: &[Arc<Profile>],
        lang: Lang,
    ) -> AnswerDto {
        let open = OpenHand::of_setup(&winner.hand, &winner.context, &winner.assumed);
        let scores = side_by_side_read(&winner.scored_hand(), others, &open, rulesets, lang);
        AnswerDto { scores: Some(scores), ..self }
    }
}

impl OtherReadingDto {
    fn new(reading: &Reading, lang: Lang) -> OtherReadingDto {
        let mut dto = ReadingDto::new(reading, lang);
        // What is still to be settled stands beside the payments, in the winner's score.
        if let Some(score) = &mut dto.score {
            score.unsettled = Vec::new();
        }
        OtherReadingDto {
            seat: reading.context.seat,
            file: None,
            reading: dto,
            image: ImageDto::of(reading),
            timings_ms: named(&reading.timings),
        }
    }
}

impl ImageDto {
    fn of(reading: &Reading) -> ImageDto {
        let (width, height) = reading.size;
        ImageDto { width, height }
    }
}

fn named(steps: &[(&'static str, Duration)]) -> BTreeMap<String, f64> {
    milliseconds(steps).map(|(step, took)| (step.to_owned(), took)).collect()
}

/// The steps in their order, then `total`, in milliseconds with one digit: more would only be
/// noise.
pub(crate) fn milliseconds<'a>(
    steps: &'a [(&'static str, Duration)],
) -> impl Iterator<Item = (&'static str, f64)> + 'a {
    let total = ("total", steps.iter().map(|(_, took)| *took).sum());
    let tenths = |took: Duration| (took.as_secs_f64() * 1e4).round() / 10.0;
    steps.iter().copied().chain([total]).map(move |(step, took)| (step, tenths(took)))
}
