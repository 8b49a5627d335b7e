//! Answers to the doubts of a reading, applied to it: the doubts that remain, and the new score.
//!
//! Input: a reading as it was returned, and the answers of a person; if that person changed more
//! than the answers do, also the hand as it is now. Output: the hand, its score, and the doubts
//! that remain, with the totals of their answers computed for this hand and this win context.
//! Invariant: nothing is stored between requests, so every request contains all answers given so
//! far.

mod compact;
mod given;
mod open;

use serde::{Deserialize, Serialize};

pub use self::compact::CompactAnsweredDto;
use self::given::{GivenDoubt, GivenReading};
use self::open::{Doubts, LeftDoubts};
use super::compact::Outline;
use super::detail::Detail;
use super::reading::{DoubtDto, RepairDto};
use crate::Status;
use crate::decide::doubts::HandScorer;
use crate::decide::repair::{TileCandidates, repairs};
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::ChangesDto;
use tilesight_core::contract::ContextDto;
use tilesight_core::contract::HandDto;
use tilesight_core::contract::HandInput;
use tilesight_core::contract::OtherDto;
use tilesight_core::contract::RequestFault;
use tilesight_core::contract::ScoreDto;
use tilesight_core::contract::Scoring;
use tilesight_core::contract::ScoringRulesets;
use tilesight_core::contract::TotalRangeDto;
use tilesight_core::contract::check_rulesets;
use tilesight_core::contract::hand_of_reading;
use tilesight_core::contract::with_reading_alone;
use tilesight_core::contract::{
    FieldError, Problem, ProblemKind, hand_faults, read_json, read_others,
};
use tilesight_core::contract::{RulesetScoreDto, side_by_side_read};
use tilesight_core::contract::{object, object_or_null, objects};
use tilesight_core::explain::Lang;
use tilesight_core::hand::{HandError, HandSetup};
use tilesight_core::rules::{
    OpenHand, OtherHand, RulesetId, Score, TableScore, TotalRange, score_read_table,
};
use tilesight_core::tile::Tile;

/// A reading, with answers to its doubts or a corrected hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with `reading`, and `answers` or `hand`")]
pub struct AnswersRequest {
    /// The reading as it was returned. Fields that are not needed here are ignored.
    #[serde(deserialize_with = "object")]
    pub reading: DoubtfulReading,
    /// Answers so far, in the order in which they were given.
    #[serde(default, deserialize_with = "objects")]
    #[schema(max_items = 64)]
    pub answers: Vec<GivenAnswer>,
    /// The current hand, if a person changed more than the answers do. It already contains the
    /// answers; they are listed only so that their doubts are not asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<HandInput>,
    /// The win context and the rule set.
    #[serde(default, deserialize_with = "object_or_null")]
    #[schema(value_type = Option<ContextDto>)]
    pub context: ContextDto,
    /// Hands of the players who did not win.
    #[serde(default, deserialize_with = "objects", skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 3)]
    pub others: Vec<OtherDto>,
    /// Rule sets to score by, side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<tilesight_core::contract::RulesetList>)]
    pub rulesets: Option<Vec<RulesetId>>,
    /// Level of detail of the answer; `full` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
}

/// Part of a reading that answers are applied to: the `reading` of a full answer, or a whole
/// compact answer. Other fields may be omitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(from = "GivenReading")]
pub struct DoubtfulReading {
    /// The hand as it was read.
    pub hand: HandDto,
    /// The doubts as the reading lists them.
    #[schema(value_type = Vec<GivenDoubt>, required = false)]
    pub doubts: Vec<DoubtDto>,
    /// The win context and the rule set that the photo was read with.
    #[schema(required = false)]
    pub context: ContextDto,
    /// Outlines of the tiles that doubts name, where they are known.
    #[serde(skip)]
    outlines: Vec<Option<Outline>>,
    /// Candidates of each tile in the photo, where they are known.
    #[serde(skip)]
    candidates: Vec<TileCandidates>,
}

/// A reading with answers, at the requested level of detail.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "it is written at once")]
pub enum AnswersResponse {
    /// The compact answer, for apps. It comes first because its `detail` tells it apart.
    Compact(CompactAnsweredDto),
    /// The full answer.
    Full(AnsweredReadingDto),
}

/// Answer to one doubt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with `doubt` and `answer`")]
pub struct GivenAnswer {
    /// `id` of the doubt.
    pub doubt: String,
    /// `answer` of one of its alternatives. If absent, the hand is right as it is.
    #[serde(default)]
    pub answer: Option<String>,
}

/// A reading with answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = AnsweredReading)]
pub struct AnsweredReadingDto {
    /// Id of the request.
    pub request_id: String,
    /// `ok` if there is a score and it depends on no doubt.
    pub status: Status,
    /// The hand after the answers.
    pub hand: HandDto,
    /// Fields of the win context that were given with the photo or in this request, and the rule
    /// set.
    #[serde(
        default,
        skip_serializing_if = "ContextDto::is_empty",
        serialize_with = "ContextDto::serialize_given"
    )]
    #[schema(required = false)]
    pub context: ContextDto,
    /// Winning tile that the score assumes if none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supposed_winning_tile: Option<String>,
    /// The score; `null` if the hand has none.
    pub score: Option<ScoreDto>,
    /// Reason why there is no score; `null` beside a score.
    pub problem: Option<Problem>,
    /// Scores by each rule set of `rulesets`, if the request named any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<RulesetScoreDto>>,
    /// Doubts that remain. Doubts that the score depends on come first, and of these the one that
    /// narrows the totals most. `tiles` are indices into the tiles of the reading.
    pub doubts: Vec<DoubtDto>,
    /// Possible totals for any answers to these doubts and any values of the win context's missing
    /// fields. Absent if there is one total or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<TotalRangeDto>,
    /// Single changes that turn a hand that does not win into a winning one, most probable first.
    /// Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<RepairDto>,
    /// Differences from the hand that was read, if the request had a `hand`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<ChangesDto>,
}

impl AnswersRequest {
    /// Maximum size of a request in bytes. A reading of 60 tiles with their candidates and all its
    /// runners-up has about 60 KB; the answer to a table has four readings.
    pub const MAX_BYTES: usize = 256 * 1024;

    /// Maximum number of doubts and of answers in a request. A photo of a whole table has about 20.
    const MAX_ANSWERS: usize = 64;

    /// Maximum number of answers that a doubt offers: the 34 kinds of tiles, the eight flowers, and
    /// that it is no tile.
    const MAX_OFFERED: usize = 43;

    /// Maximum number of answers that all doubts offer. Fourteen tiles with four names each, any of
    /// which may have won, have 70.
    const MAX_OFFERED_BY_ALL: usize = 512;

    /// Maximum number of tiles of a reading. Two sets of tiles have 288.
    const MAX_TILES: usize = 400;

    /// Reads a request from JSON.
    ///
    /// # Errors
    /// A [`Problem`] that names the first field of a wrong shape.
    pub fn from_json(json: &[u8]) -> Result<AnswersRequest, Problem> {
        let request: AnswersRequest = read_json(&with_reading_alone(json), "")?;
        check_rulesets(request.rulesets.as_deref())?;
        request.check_size()?;
        Ok(request)
    }

    /// Refuses a reading that is larger than that of any photo.
    fn check_size(&self) -> Result<(), Problem> {
        let DoubtfulReading { doubts, outlines, .. } = &self.reading;
        check_length("answers", self.answers.len(), Self::MAX_ANSWERS)?;
        check_length("reading.tiles", outlines.len(), Self::MAX_TILES)?;
        check_length("reading.doubts", doubts.len(), Self::MAX_ANSWERS)?;
        let mut offered = 0;
        for (at, doubt) in doubts.iter().enumerate() {
            let field = format!("reading.doubts[{at}].alternatives");
            let left = Self::MAX_OFFERED_BY_ALL - offered;
            check_length(&field, doubt.alternatives.len(), Self::MAX_OFFERED.min(left))?;
            offered += doubt.alternatives.len();
        }
        Ok(())
    }

    /// Returns the parameters of scoring: those of the body and of the query, and what both leave
    /// out as it was when the photo was read.
    ///
    /// # Errors
    /// A [`Problem`] with the fields for which body and query differ.
    pub fn scoring(&self, in_query: Scoring) -> Result<Scoring, Problem> {
        let in_body = Scoring { context: self.context, rulesets: self.rulesets.clone() };
        Ok(in_body.merge(in_query)?.complete_from(&self.reading.context))
    }

    /// Returns the answer at the requested level of detail.
    #[must_use]
    pub fn cut(&self, answered: AnsweredReadingDto, detail: Detail) -> AnswersResponse {
        match detail {
            Detail::Full => AnswersResponse::Full(answered),
            Detail::Compact => {
                AnswersResponse::Compact(CompactAnsweredDto::new(answered, &self.reading.outlines))
            }
        }
    }

    /// Returns the reading after its answers. `context` is that of [`scoring`](Self::scoring).
    ///
    /// # Errors
    /// A [`Problem`] for a hand or a context that can't be read, or for an answer that its doubt
    /// does not offer. A hand that does not score is not an error.
    pub fn answer(
        &self,
        context: &ContextDto,
        rulesets: &ScoringRulesets,
        lang: Lang,
    ) -> Result<AnsweredReadingDto, Problem> {
        let before = hand_of_reading(&self.reading.hand)?;
        let doubts = Doubts::read(&before, &self.reading.doubts)?;
        // A given hand already contains the answers, and may have been changed between them.
        let applied = match &self.hand {
            Some(_) => doubts.apply_possible(&self.answers)?,
            None => doubts.apply(&self.answers)?,
        };
        let mut setup = context.setup;
        setup.feeder = setup.feeder.or(applied.feeder);
        setup.dora_indicators = setup.dora_indicators.or(applied.indicators);
        let hand = match &self.hand {
            Some(hand) => hand.setup()?,
            None => applied.hand.clone(),
        };
        let case = Case::new(&setup, rulesets, read_others(&self.others)?)?;
        let scored = case.scored(&hand);
        let changes = self.hand.as_ref().map(|_| case.changes(&before, &scored));
        let left = doubts.open_doubts(&scored, &case, &applied, &self.answers);
        let scores = rulesets.all.as_ref().map(|all| {
            let hand = with_winning_tile(&hand, scored.supposed);
            side_by_side_read(&hand, &case.others, &case.open(scored.hand), all, lang)
        });
        let repairs = match &scored.table {
            Ok(_) => Vec::new(),
            Err(_) => repairs(&case.scorer, &hand, &self.reading.candidates, &left.open),
        };
        Ok(AnsweredReadingDto {
            repairs: repairs.iter().map(|repair| RepairDto::new(repair, lang)).collect(),
            changes,
            ..case.answer(scored, left, scores, lang)
        })
    }
}

/// Refuses a list with more than a number of entries.
fn check_length(field: &str, length: usize, max: usize) -> Result<(), Problem> {
    if length <= max {
        return Ok(());
    }
    let kind = ProblemKind::MalformedRequest;
    Err(Problem::for_field(kind, field, &RequestFault::TooMany { max }))
}

fn invalid_hand(error: &HandError) -> Problem {
    Problem::with_errors(ProblemKind::InvalidHand, hand_faults(error))
}

/// Rules, win context and other players' hands that a hand is scored with.
struct Case {
    scorer: HandScorer,
    others: Vec<OtherHand>,
}

/// A hand and its score beside the hands of others, or the reason why it has no score.
struct ScoredSetup<'a> {
    hand: &'a HandSetup,
    /// Winning tile that the score assumes.
    supposed: Option<Tile>,
    table: Result<TableScore, Problem>,
}

impl ScoredSetup<'_> {
    /// Returns the score of the hand, if it has one.
    fn score(&self) -> Option<&Score> {
        self.table.as_ref().ok().map(|table| &table.winner)
    }
}

impl Case {
    fn new(
        setup: &ContextSetup,
        rulesets: &ScoringRulesets,
        others: Vec<OtherHand>,
    ) -> Result<Case, Problem> {
        let scorer = HandScorer::new(setup, &rulesets.one).map_err(|error| {
            Problem::with_errors(ProblemKind::InvalidContext, vec![FieldError::from(&error)])
        })?;
        Ok(Case { scorer, others })
    }

    /// Returns the winning tile to assume for a hand that has none.
    fn supposed(&self, hand: &HandSetup) -> Option<Tile> {
        let is_open = self.scorer.expects_a_win() && hand.winning.is_none();
        is_open.then(|| self.scorer.supposed_winning(hand)).flatten()
    }

    fn open(&self, hand: &HandSetup) -> OpenHand {
        OpenHand::from_setup(hand, self.scorer.context(), &self.scorer.assumed_of(hand))
    }

    /// Scores a hand, with an assumed winning tile if it has none.
    fn scored<'a>(&self, hand: &'a HandSetup) -> ScoredSetup<'a> {
        let supposed = self.supposed(hand);
        ScoredSetup { hand, supposed, table: self.score(&with_winning_tile(hand, supposed)) }
    }

    /// Returns the differences between the hand that was read and a hand that was given for it.
    fn changes(&self, read: &HandSetup, given: &ScoredSetup) -> ChangesDto {
        ChangesDto::new(read, self.scored(read).score(), given.hand, given.score())
    }

    /// Scores a hand that has its winning tile.
    fn score(&self, hand: &HandSetup) -> Result<TableScore, Problem> {
        let ruleset = self.scorer.ruleset();
        let context = self.scorer.context();
        if self.scorer.expects_a_win() {
            let checked = hand.clone().into_hand_of(ruleset.rules().size());
            let hand = checked.map_err(|error| invalid_hand(&error))?;
            return score_read_table(ruleset, &hand, context, &self.others)
                .map_err(|error| Problem::from(&error));
        }
        let holding = hand.clone().into_holding().map_err(|error| invalid_hand(&error))?;
        let rules = ruleset.rules().table().ok_or_else(|| {
            let kind = ProblemKind::InvalidContext;
            Problem::for_field(kind, "context.won", &RequestFault::OtherNotWon)
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
        let minimum = self.scorer.ruleset().rules().minimum();
        let possible = range.map(|range| TotalRangeDto::new(&range, minimum, lang));
        let ScoredSetup { hand, supposed, table } = scored;
        let settled = table.is_ok() && doubts.iter().all(|doubt| !doubt.affects_score);
        let (score, problem) = match table {
            Ok(table) => (Some(self.score_dto(&table, hand, lang)), None),
            Err(problem) => (None, Some(problem.translate(lang))),
        };
        AnsweredReadingDto {
            request_id: String::new(),
            status: if settled { Status::Ok } else { Status::NeedsReview },
            hand: HandDto::from(hand),
            context: ContextDto {
                ruleset: Some(self.scorer.ruleset().id()),
                setup: *self.scorer.given_context(),
            },
            supposed_winning_tile: supposed.map(|tile| tile.to_string()),
            score,
            problem,
            scores,
            doubts,
            possible,
            repairs: Vec::new(),
            changes: None,
        }
    }

    fn score_dto(&self, table: &TableScore, hand: &HandSetup, lang: Lang) -> ScoreDto {
        let scorer = &self.scorer;
        let open = scorer.expects_a_win().then(|| self.open(hand));
        let range = open.and_then(|open| TotalRange::for_hand(scorer.ruleset(), &open));
        ScoreDto::from_table(table, &scorer.assumed_of(hand), lang).with_assumptions(
            scorer.context(),
            range.as_ref(),
            lang,
        )
    }
}

/// Returns a hand with the assumed winning tile.
fn with_winning_tile(hand: &HandSetup, supposed: Option<Tile>) -> HandSetup {
    supposed.and_then(|tile| hand.won_by(tile)).unwrap_or_else(|| hand.clone())
}
