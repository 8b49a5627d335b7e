//! Answers to the doubts of a reading, applied to it: what is still in doubt, and the score now.
//!
//! Input: a reading as it was answered, and the answers of a person; where that person changed more
//! than the answers do, the hand as it is now. Output: the hand, its score, and the doubts that are
//! left, with the totals of their answers computed for this hand and this win context. Invariant:
//! nothing is remembered between requests, so every request has all answers so far.

mod compact;
mod given;
mod open;

use serde::{Deserialize, Serialize};

pub use self::compact::CompactAnsweredDto;
use self::given::GivenReading;
use self::open::{Doubts, LeftDoubts};
#[cfg(feature = "http")]
use super::compact::CompactDoubtDto;
use super::compact::Outline;
use super::detail::Detail;
use super::reading::{DoubtDto, RepairDto};
use crate::pipeline::doubts::Judge;
use crate::pipeline::{Status, TileLook, repairs};
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::ContextDto;
use tilesight_core::contract::HandDto;
use tilesight_core::contract::HandInput;
use tilesight_core::contract::OtherDto;
use tilesight_core::contract::RequestFault;
use tilesight_core::contract::ScoreDto;
use tilesight_core::contract::ScoringRulesets;
use tilesight_core::contract::TotalRangeDto;
use tilesight_core::contract::check_rulesets;
use tilesight_core::contract::with_reading_alone;
use tilesight_core::contract::{CorrectionRequest, hand_of_reading};
use tilesight_core::contract::{
    FieldError, Problem, ProblemKind, hand_faults, read_json, read_others,
};
use tilesight_core::contract::{RulesetScoreDto, side_by_side_read};
use tilesight_core::contract::{object, object_or_null, objects};
use tilesight_core::explain::Lang;
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::{
    OpenHand, OtherHand, RulesetId, TableScore, TotalRange, score_read_table,
};
use tilesight_core::tile::Tile;

/// A reading and the answers to its doubts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `reading` and `answers`")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct AnswersRequest {
    /// The reading as it was answered; fields that are not needed here are ignored.
    #[serde(deserialize_with = "object")]
    pub reading: DoubtfulReading,
    /// The answers so far, in the order in which they were given.
    #[serde(default, deserialize_with = "objects")]
    #[cfg_attr(feature = "http", schema(max_items = 64))]
    pub answers: Vec<GivenAnswer>,
    /// The hand as it is now, where a person changed more than the answers do. It has the answers
    /// in it; they are only not asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<HandInput>,
    /// The win context and the rule set.
    #[serde(default, deserialize_with = "object_or_null")]
    #[cfg_attr(feature = "http", schema(value_type = Option<ContextDto>))]
    pub context: ContextDto,
    /// The hands of those who did not win.
    #[serde(default, deserialize_with = "objects", skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "http", schema(max_items = 3))]
    pub others: Vec<OtherDto>,
    /// The rule sets to score by side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "http", schema(value_type = Option<tilesight_core::contract::RulesetList>))]
    pub rulesets: Option<Vec<RulesetId>>,
    /// How much the answer has; `full` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
}

/// The part of a reading that answers are applied to: of the full answer's `reading`, or of the
/// compact answer as it is. Other fields may be left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "GivenReading")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct DoubtfulReading {
    /// The hand as it was read.
    pub hand: HandDto,
    /// The doubts as the reading lists them.
    #[cfg_attr(feature = "http", schema(value_type = Vec<ListedDoubt>))]
    pub doubts: Vec<DoubtDto>,
    /// The outlines of the tiles that doubts name, where they are known.
    #[serde(skip)]
    outlines: Vec<Option<Outline>>,
    /// What the photo shows of its tiles, where that is known.
    #[serde(skip)]
    looks: Vec<TileLook>,
}

/// A doubt of a full or of a compact answer.
#[cfg(feature = "http")]
#[derive(utoipa::ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "describes the JSON, which `GivenReading` reads")]
enum ListedDoubt {
    Full(DoubtDto),
    Compact(CompactDoubtDto),
}

/// A reading with answers, as much of it as is wanted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "it is written at once")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub enum AnswersResponse {
    /// All of it.
    Full(AnsweredReadingDto),
    /// What an app shows.
    Compact(CompactAnsweredDto),
}

/// The answer to one doubt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `doubt` and `answer`")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct GivenAnswer {
    /// The `id` of the doubt.
    pub doubt: String,
    /// The `answer` of one of its alternatives; without one the hand is right as it is.
    #[serde(default)]
    pub answer: Option<String>,
}

/// A reading with answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = AnsweredReading))]
pub struct AnsweredReadingDto {
    /// The id of the request.
    pub request_id: String,
    /// `ok` where a score is there and no doubt that it depends on.
    pub status: Status,
    /// The hand with the answers.
    pub hand: HandDto,
    /// The winning tile that the score supposes where none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supposed_winning_tile: Option<String>,
    /// The score; `null` where the hand has none.
    pub score: Option<ScoreDto>,
    /// Why it has none; `null` beside a score.
    pub problem: Option<Problem>,
    /// The scores by each rule set of `rulesets`, where they were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<RulesetScoreDto>>,
    /// The doubts that are left: those that the score depends on first, and of these the one that
    /// narrows the totals most. `tiles` are those of the reading.
    pub doubts: Vec<DoubtDto>,
    /// The totals that are possible: with any answers to these doubts, and any values of what is
    /// not given of the win. Absent where there is one total or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<TotalRangeDto>,
    /// The single changes with which a hand that does not win is a winning one, the most probable
    /// first; absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<RepairDto>,
}

impl AnswersRequest {
    /// Bytes that a request may have: a reading of 60 tiles with their candidates and all its
    /// runners-up has some 60 KB.
    pub const MAX_BYTES: usize = CorrectionRequest::MAX_BYTES;

    /// Doubts and answers that a request may have: a photo of a whole table has some 20.
    const MOST: usize = 64;

    /// Reads a request from JSON.
    ///
    /// # Errors
    /// A [`Problem`] that names the first field of a wrong shape.
    pub fn from_json(json: &[u8]) -> Result<AnswersRequest, Problem> {
        let request: AnswersRequest = read_json(&with_reading_alone(json), "")?;
        check_rulesets(request.rulesets.as_deref())?;
        for (field, count) in
            [("reading.doubts", request.reading.doubts.len()), ("answers", request.answers.len())]
        {
            if count > Self::MOST {
                let errors =
                    vec![FieldError::of(field, &RequestFault::TooMany { most: Self::MOST })];
                return Err(Problem::with_errors(ProblemKind::MalformedRequest, errors));
            }
        }
        Ok(request)
    }

    /// An answer with as much as is wanted.
    #[must_use]
    pub fn cut(&self, answered: AnsweredReadingDto, detail: Detail) -> AnswersResponse {
        match detail {
            Detail::Full => AnswersResponse::Full(answered),
            Detail::Compact => {
                AnswersResponse::Compact(CompactAnsweredDto::new(answered, &self.reading.outlines))
            }
        }
    }

    /// The reading with its answers; `context` is what body and query say together.
    ///
    /// # Errors
    /// A [`Problem`]: a hand or a context that can't be read, or an answer that is not one of its
    /// doubt. A hand that does not score is not an error.
    pub fn answered(
        &self,
        context: &ContextDto,
        rulesets: &ScoringRulesets,
        lang: Lang,
    ) -> Result<AnsweredReadingDto, Problem> {
        let before = hand_of_reading(&self.reading.hand)?;
        let doubts = Doubts::read(&before, &self.reading.doubts)?;
        // A hand that is given has the answers in it, and may have been changed between them.
        let applied = match &self.hand {
            Some(_) => doubts.apply_possible(&self.answers)?,
            None => doubts.apply(&self.answers)?,
        };
        let mut setup = context.setup;
        setup.feeder = setup.feeder.or(applied.feeder);
        let hand = match &self.hand {
            Some(hand) => hand.setup()?,
            None => applied.hand.clone(),
        };
        let case = Case::new(&setup, rulesets, read_others(&self.others)?)?;
        let scored = case.scored(&hand);
        let left = doubts.left(&scored, &case, &applied, &self.answers);
        let scores = rulesets.all.as_ref().map(|all| {
            let hand = with_winning_tile(&hand, scored.supposed);
            side_by_side_read(&hand, &case.others, &case.open(scored.hand), all, lang)
        });
        let repairs = match &scored.table {
            Ok(_) => Vec::new(),
            Err(_) => repairs(&case.judge, &hand, &self.reading.looks, &left.open),
        };
        let repairs = repairs.iter().map(|repair| RepairDto::new(repair, lang)).collect();
        Ok(AnsweredReadingDto { repairs, ..case.answer(scored, left, scores, lang) })
    }
}

/// What a hand is scored by.
struct Case {
    judge: Judge,
    others: Vec<OtherHand>,
}

/// A hand with what it scores beside those of others, or why it scores nothing.
struct ScoredSetup<'a> {
    hand: &'a HandSetup,
    /// The winning tile that the score supposes.
    supposed: Option<Tile>,
    table: Result<TableScore, Problem>,
}

impl Case {
    fn new(
        setup: &ContextSetup,
        rulesets: &ScoringRulesets,
        others: Vec<OtherHand>,
    ) -> Result<Case, Problem> {
        let judge = Judge::new(setup, &rulesets.one).map_err(|error| {
            Problem::with_errors(ProblemKind::InvalidContext, vec![FieldError::from(&error)])
        })?;
        Ok(Case { judge, others })
    }

    /// The winning tile to suppose in a hand that has none.
    fn supposed(&self, hand: &HandSetup) -> Option<Tile> {
        let is_open = self.judge.expects_a_win() && hand.winning.is_none();
        is_open.then(|| self.judge.supposed_winning(hand)).flatten()
    }

    fn open(&self, hand: &HandSetup) -> OpenHand {
        OpenHand::of_setup(hand, self.judge.context(), self.judge.assumed())
    }

    /// What a hand scores.
    fn scored<'a>(&self, hand: &'a HandSetup) -> ScoredSetup<'a> {
        let supposed = self.supposed(hand);
        ScoredSetup { hand, supposed, table: self.score(&with_winning_tile(hand, supposed)) }
    }

    /// The score of a hand with its winning tile.
    fn score(&self, hand: &HandSetup) -> Result<TableScore, Problem> {
        let wrong = |error| Problem::with_errors(ProblemKind::InvalidHand, hand_faults(&error));
        let (ruleset, context) = (self.judge.ruleset(), self.judge.context());
        if self.judge.expects_a_win() {
            let hand = hand.clone().into_hand().map_err(wrong)?;
            return score_read_table(ruleset, &hand, context, &self.others)
                .map_err(|error| Problem::from(&error));
        }
        let holding = hand.clone().into_holding().map_err(wrong)?;
        let rules = ruleset.rules().table().ok_or_else(|| {
            let errors = vec![FieldError::of("context.won", &RequestFault::OtherNotWon)];
            Problem::with_errors(ProblemKind::InvalidContext, errors)
        })?;
        let score = rules.score_other(&holding, context.seat, context.prevalent);
        Ok(TableScore { winner: score, others: Vec::new(), unknown: Vec::new() })
    }

    fn answer(
        &self,
        scored: ScoredSetup,
        left: LeftDoubts,
        scores: Option<Vec<RulesetScoreDto>>,
        lang: Lang,
    ) -> AnsweredReadingDto {
        let LeftDoubts { doubts, range, .. } = left;
        let minimum = self.judge.ruleset().rules().minimum();
        let possible = range.map(|range| TotalRangeDto::new(&range, minimum, lang));
        let ScoredSetup { hand, supposed, table } = scored;
        let settled = table.is_ok() && doubts.iter().all(|doubt| !doubt.affects_score);
        let (score, problem) = match table {
            Ok(table) => (Some(self.score_dto(&table, hand, lang)), None),
            Err(problem) => (None, Some(problem.said(lang))),
        };
        AnsweredReadingDto {
            request_id: String::new(),
            status: if settled { Status::Ok } else { Status::NeedsReview },
            hand: HandDto::from(hand),
            supposed_winning_tile: supposed.map(|tile| tile.to_string()),
            score,
            problem,
            scores,
            doubts,
            possible,
            repairs: Vec::new(),
        }
    }

    fn score_dto(&self, table: &TableScore, hand: &HandSetup, lang: Lang) -> ScoreDto {
        let judge = &self.judge;
        let open = judge.expects_a_win().then(|| self.open(hand));
        let range = open.and_then(|open| TotalRange::of(judge.ruleset(), &open));
        ScoreDto::of_table(table, judge.assumed(), lang).with_assumptions(
            judge.context(),
            range.as_ref(),
            lang,
        )
    }
}

/// A hand with the winning tile that is supposed.
fn with_winning_tile(hand: &HandSetup, supposed: Option<Tile>) -> HandSetup {
    supposed.and_then(|tile| hand.won_by(tile)).unwrap_or_else(|| hand.clone())
}
