//! Compact form of a reading with answers, for apps.

use serde::{Deserialize, Serialize};
use tilesight_core::contract::ChangesDto;

use super::AnsweredReadingDto;
use crate::contract::compact::{
    CompactDetail, CompactDoubtDto, CompactRangeDto, CompactReadingDto, CompactRepairDto,
    CompactRulesetScoreDto, CompactScoreDto, Outline, compact_scores, outline_of,
};
use crate::contract::reading::{NoScoreDto, ReadingDto};

/// A reading with answers to its doubts, for `detail=compact`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactAnswered)]
pub struct CompactAnsweredDto {
    /// Id of the request.
    pub request_id: String,
    /// The hand after the answers, its score, and the doubts that remain. These fields are
    /// flattened into this object.
    #[serde(flatten)]
    pub reading: CompactReadingDto,
    /// Scores by each rule set of `rulesets`, if the request named any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<CompactRulesetScoreDto>>,
    /// Differences from the hand that was read, if the request had a `hand`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<ChangesDto>,
}

impl CompactAnsweredDto {
    /// Builds the compact form of a reading with answers from the reading before them.
    #[must_use]
    pub fn from_answered(answered: AnsweredReadingDto, before: &ReadingDto) -> CompactAnsweredDto {
        let outlines: Vec<_> = before.tiles.iter().map(|tile| Some(outline_of(tile))).collect();
        CompactAnsweredDto::new(answered, &outlines)
    }

    /// Builds the compact form of a reading with answers. The doubts that remain name tiles by
    /// index into `outlines`.
    pub(super) fn new(
        answered: AnsweredReadingDto,
        outlines: &[Option<Outline>],
    ) -> CompactAnsweredDto {
        let before = answered.hand.to_setup().unwrap_or_default();
        let doubts = answered.doubts.into_iter();
        let reading = CompactReadingDto {
            detail: CompactDetail::Compact,
            status: answered.status,
            hand: answered.hand,
            context: answered.context,
            supposed_winning_tile: answered.supposed_winning_tile,
            score_probability: None,
            score: answered.score.map(CompactScoreDto::from),
            no_score: answered.problem.as_ref().map(NoScoreDto::from),
            set: None,
            doubts: doubts.map(|doubt| CompactDoubtDto::new(doubt, &before, outlines)).collect(),
            possible: answered.possible.map(CompactRangeDto::from),
            repairs: answered
                .repairs
                .into_iter()
                .map(|repair| CompactRepairDto::new(repair, outlines))
                .collect(),
            hands_in_view: Vec::new(),
            photos: Vec::new(),
        };
        CompactAnsweredDto {
            request_id: answered.request_id,
            reading,
            scores: answered.scores.map(compact_scores),
            changes: answered.changes,
        }
    }
}
