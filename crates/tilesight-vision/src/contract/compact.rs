//! Compact answer to a photo, for apps: the hand, the score and the doubts.
//!
//! Input: an [`AnswerDto`], or a reading with answers to its doubts. Output: a [`CompactAnswerDto`]
//! of at most 4 kB for a hand of 14 tiles.
//!
//! Omitted are tiles that no doubt is about, the candidates of each tile, the sets behind each
//! line, excluded lines, and the timings. Invariant: a field that is in both answers means the same
//! in both, except for doubts: compact ones hold outlines in whole pixels instead of indices.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tilesight_core::contract::ContextDto;
use tilesight_core::contract::FocusDto;
use tilesight_core::contract::HandDto;
use tilesight_core::contract::Problem;
use tilesight_core::contract::RulesetScoreDto;
use tilesight_core::contract::TotalRangeDto;
use tilesight_core::contract::{AwardDto, PaymentsDto, ScoreDto, nullable, object};
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::riichi::Limit;
use tilesight_core::rules::{Halves, RulesetId};
use tilesight_core::tile::Wind;

use super::answer::{AnswerDto, ImageDto, ModelsDto, OtherReadingDto};
use super::named::hand_of_tile;
use super::reading::{
    AlternativeDto, DoubtDto, HandInViewDto, NoScoreDto, PhotoOfHandDto, ReadingDto, RepairDto,
    SetUseDto, TileDto,
};
use crate::{DoubtKind, Status};

/// The answer to a photo with `detail=compact`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactAnswer)]
pub struct CompactAnswerDto {
    /// Id of the request, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Path of the file that was read, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The reading of the photo. Its fields are flattened into this object.
    #[serde(flatten)]
    pub reading: CompactReadingDto,
    /// Scores by each rule set of `rulesets`, if the request named any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<CompactRulesetScoreDto>>,
    /// Readings of the other players' hands, by seat, if photos of them were sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<CompactOtherDto>,
    /// Whether the scores of the table are reliable, if hands of other players were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_status: Option<Status>,
    /// Size of the upright photo. Outlines and boxes are given in its pixels.
    pub image: ImageDto,
    /// The networks that were used.
    pub models: ModelsDto,
}

/// Compact form of a reading, for apps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactReading)]
pub struct CompactReadingDto {
    /// Level of detail: always `compact`, which a full answer does not have.
    #[serde(default)]
    #[schema(required = true)]
    pub detail: CompactDetail,
    /// Whether the reading is reliable.
    pub status: Status,
    /// The hand, complete or not.
    pub hand: HandDto,
    /// Fields of the win context that were given with the photo, and the rule set that it was read
    /// by. A request that sends the reading back takes from here what it leaves out.
    #[serde(
        default,
        skip_serializing_if = "ContextDto::is_empty",
        serialize_with = "ContextDto::serialize_given"
    )]
    #[schema(required = false)]
    pub context: ContextDto,
    /// Winning tile that the score assumes if no tile of the photo lies apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supposed_winning_tile: Option<String>,
    /// Probability that the score is right; 0 without a score. Absent once doubts are answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_probability: Option<f32>,
    /// The score, if the hand wins.
    pub score: Option<CompactScoreDto>,
    /// Reason why there is no score; absent beside one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_score: Option<NoScoreDto>,
    /// Own set that the tiles were named with, if the request asked for one. Absent once doubts are
    /// answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<SetUseDto>,
    /// Doubts about the reading.
    pub doubts: Vec<CompactDoubtDto>,
    /// Possible totals for any answers to the doubts and any values of the win context's missing
    /// fields. Absent if there is one total or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<CompactRangeDto>,
    /// Single changes that turn a hand that does not win into a winning one, most probable first.
    /// Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<CompactRepairDto>,
    /// Whole hands in the photo, if it shows more than one. The first one is the hand of the
    /// reading.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hands_in_view: Vec<CompactHandInViewDto>,
    /// Outcome of each of several photos of the hand. Absent for one photo, and once doubts are
    /// answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub photos: Vec<PhotoOfHandDto>,
}

/// Level of detail of a compact answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CompactDetail {
    /// The hand, the score and the doubts: what an app shows, in a few kilobytes.
    #[default]
    Compact,
}

/// Reading of a hand that did not win.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactOther)]
pub struct CompactOtherDto {
    /// Seat of the player.
    pub seat: Wind,
    /// Path of the file that was read, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The reading of the photo. Its fields are flattened into this object.
    #[serde(flatten)]
    pub reading: CompactReadingDto,
    /// Size of the upright photo.
    pub image: ImageDto,
}

/// A score without the details of its lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactScore)]
pub struct CompactScoreDto {
    /// Rule set that was applied; `null` if the options are not those of a named rule set.
    pub ruleset: Option<RulesetId>,
    /// Points that hands are compared by.
    pub total: u32,
    /// Han of all lines, in riichi alone; of a yakuman 13 for each that is paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub han: Option<u32>,
    /// Fu, in riichi alone; `null` for a yakuman, and for a hand without a yaku.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "nullable")]
    #[schema(value_type = Option<u32>)]
    pub fu: Option<Option<u32>>,
    /// Limit that the hand reaches, in riichi alone; `null` below a mangan.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "nullable")]
    #[schema(value_type = Option<Limit>)]
    pub limit: Option<Option<Limit>>,
    /// Number of yakuman that are paid, in riichi alone. A counted one is not among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yakuman: Option<u32>,
    /// Whether 13 han and more are paid as a yakuman, in riichi alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_yakuman: Option<bool>,
    /// Points of the riichi sticks on the table, which the winner takes, in riichi alone. Neither
    /// `total` nor `payments` includes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sticks: Option<u32>,
    /// Faan of the hand, cut at the limit; absent in games without faan. It equals `total`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faan: Option<u32>,
    /// Faan before the limit cuts them; absent in games without faan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_faan: Option<u32>,
    /// Whether a line is worth the limit by itself; absent in games without faan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_hand: Option<bool>,
    /// Tai of the hand, cut at the cap; absent in games without tai. It equals `total`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tai: Option<u32>,
    /// Tai before the cap cuts them; absent in games without tai.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_tai: Option<u32>,
    /// Tai that a player and the dealer owe each other besides; absent in games without tai.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer_tai: Option<u32>,
    /// Whether the minimum is reached.
    pub legal: bool,
    /// Explanation of the total and of the minimum, in the requested language.
    pub verdict: String,
    /// Possible totals, if a value that is not given changes the total.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<CompactRangeDto>,
    /// Lines that count.
    pub awards: Vec<CompactAwardDto>,
    /// Gain or loss of every seat.
    pub payments: PaymentsDto,
    /// Context fields that got a default, with its value as `context` takes it.
    #[serde(serialize_with = "ContextDto::serialize_given", deserialize_with = "object")]
    pub assumed: ContextDto,
    /// Red fives that count although none was named, because the hand has all four fives of the
    /// suit, in riichi alone: `0p`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed_red_fives: Vec<String>,
    /// Values of the hands that did not win, in rule sets that score every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<CompactOtherScoreDto>,
    /// Seats whose hands would affect the payments but were not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsettled: Vec<Wind>,
}

/// Possible totals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactRange)]
pub struct CompactRangeDto {
    /// Lowest total.
    pub min: u32,
    /// Highest total.
    pub max: u32,
    /// Open questions that the total depends on: `winning_tile`, or a field of the context. The
    /// question that narrows the range most comes first.
    pub open: Vec<String>,
    /// Whether the hand is a legal win; `null` if that depends on the open questions.
    #[serde(default)]
    pub legal: Option<bool>,
    /// Statement whether the minimum is reached with all, some or none of the answers, in the
    /// requested language, or that not all combinations were tried. Absent if the rules have no
    /// minimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether there are too many combinations of answers to try all of them: totals outside of
    /// this range are then possible too, and `text` says so. Absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub partial: bool,
}

/// A single change that turns a hand that does not win into a winning one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactRepair)]
pub struct CompactRepairDto {
    /// `rename`, `leave_out` or `add`.
    pub change: Cow<'static, str>,
    /// Face in the hand before the change; absent for `add`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Face in the hand after the change; absent for `leave_out`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Description of the change in the requested language.
    pub text: String,
    /// Probability of this repair among all repairs.
    pub p: f32,
    /// Total of the hand after the change.
    pub total: u32,
    /// Lowest possible total after the change, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
    /// Highest possible total after the change, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// Whether there are too many combinations of answers to try all of them: totals outside of
    /// `min` and `max` are then possible too. Absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub partial: bool,
    /// Whether the hand would be a legal win; `null` if that depends on the open questions.
    #[serde(default)]
    pub legal: Option<bool>,
    /// The hand after the change, in one line of notation. It can be sent as the `hand` of a
    /// request.
    pub hand: String,
    /// Box to cut out of the photo to show the tile, if the photo shows it.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 4]>,
}

impl CompactRepairDto {
    /// Builds the compact form of a repair, with the outline of its tile among those of the photo.
    pub(super) fn new(repair: RepairDto, outlines: &[Option<Outline>]) -> CompactRepairDto {
        let outline = repair.tile.and_then(|tile| find_outline(outlines, tile));
        CompactRepairDto {
            change: repair.change,
            from: repair.from,
            to: repair.to,
            text: repair.text,
            p: repair.p,
            total: repair.total,
            min: repair.min,
            max: repair.max,
            partial: repair.partial,
            legal: repair.legal,
            hand: repair.hand,
            bounds: outline.and_then(|outline| bounds(&[outline])),
        }
    }
}

/// A line that counts, without its details.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactAward)]
pub struct CompactAwardDto {
    /// Code of the line, the same in all languages.
    pub code: Cow<'static, str>,
    /// Name of the line in the requested language.
    pub name: Cow<'static, str>,
    /// Points of one occurrence; 0 for doubles, limits, faan, tai and han.
    pub points: u32,
    /// Doubles of one occurrence, in steps of one half.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub doublings: Option<Halves>,
    /// Limits of one occurrence, in steps of one half.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub limits: Option<Halves>,
    /// Faan of the line, all occurrences together; the limit for a line that is worth it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faan: Option<u32>,
    /// Tai of the line, all occurrences together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tai: Option<u32>,
    /// Han of the line in riichi; of dora those of all their tiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub han: Option<u32>,
    /// Number of times that the line counts.
    pub count: u32,
}

/// Value of a hand that did not win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactOtherScore)]
pub struct CompactOtherScoreDto {
    /// Seat of the player.
    pub seat: Wind,
    /// Value of the hand.
    pub total: u32,
    /// Lines that count.
    pub awards: Vec<CompactAwardDto>,
}

/// Score by one of several rule sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactRulesetScore)]
pub struct CompactRulesetScoreDto {
    /// The rule set.
    pub ruleset: RulesetId,
    /// The score; `null` if the hand can't be scored by these rules.
    pub score: Option<CompactScoreDto>,
    /// Reason why the hand can't be scored; `null` beside a score.
    pub problem: Option<Problem>,
}

/// A doubt with everything that an app needs to ask about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactDoubt)]
pub struct CompactDoubtDto {
    /// Identifier of the doubt within this reading.
    pub id: String,
    /// Kind of the doubt.
    pub kind: DoubtKind,
    /// Question to ask a person.
    pub question: String,
    /// Whether the answers lead to different scores, or may do so.
    pub affects_score: bool,
    /// Field that the doubt is about, such as `context.win`, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Game whose hands have as many tiles, if the rule set has smaller hands: one of its rule sets
    /// reads the photo as such a hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Box to cut out of the photo to show the tiles: left, top, right and bottom edge in pixels.
    /// Absent for a doubt that is about no tile.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 4]>,
    /// Outlines of the tiles that the doubt is about, with four corners each, clockwise. Empty for
    /// a doubt about the whole hand that has no answers: its `box` is that of the hand.
    #[schema(value_type = Vec<tilesight_core::contract::TileOutline>)]
    pub tiles: Vec<Outline>,
    /// Possible answers.
    pub answers: Vec<CompactChoiceDto>,
}

/// The four corners of a tile, clockwise, in whole pixels.
pub(super) type Outline = [[u32; 2]; 4];

/// A possible answer to a doubt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactChoice)]
pub struct CompactChoiceDto {
    /// Text of the answer, for people.
    pub answer: String,
    /// Probability of the answer.
    pub p: f32,
    /// Total of the hand after this answer; `null` if it would not be a winning hand.
    pub total: Option<u32>,
    /// Lowest possible total after this answer, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
    /// Highest possible total after this answer, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// Value to send back for this answer.
    pub send: String,
    /// The hand after this answer, in one line of notation. Absent if the answer is the winning
    /// tile or the tile of a face-down kong, because the tile says it all, and if the answer alone
    /// does not determine the hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<String>,
    /// Gain or loss of every seat after this answer, if the answers differ in nothing else or if
    /// the hands of several players were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<PaymentsDto>,
}

/// A hand in a photo that shows several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = CompactHandInView)]
pub struct CompactHandInViewDto {
    /// Bounding box of the hand, for a thumbnail: left, top, right and bottom edge in pixels.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 4]>,
    /// A point on one of the hand's tiles, which selects the hand.
    #[serde(deserialize_with = "tilesight_core::contract::deserialize_answered")]
    pub focus: FocusDto,
    /// The hand in one line of notation.
    pub notation: String,
}

/// Maximum number of tiles of a doubt that is about single tiles. A doubt about more tiles than a
/// kong has is about the whole hand.
const MAX_TILES: usize = 4;

impl From<AnswerDto> for CompactAnswerDto {
    fn from(answer: AnswerDto) -> CompactAnswerDto {
        CompactAnswerDto {
            request_id: answer.request_id,
            file: answer.file,
            reading: answer.reading.into(),
            scores: answer.scores.map(compact_scores),
            others: answer.others.into_iter().map(CompactOtherDto::from).collect(),
            table_status: answer.table_status,
            image: answer.image,
            models: answer.models,
        }
    }
}

/// Returns the outline of a tile, rounded to whole pixels.
pub(super) fn outline_of(tile: &TileDto) -> Outline {
    tile.polygon.map(|corner| corner.map(|at| at.round() as u32))
}

/// Converts the scores by several rule sets.
pub fn compact_scores(scores: Vec<RulesetScoreDto>) -> Vec<CompactRulesetScoreDto> {
    scores.into_iter().map(CompactRulesetScoreDto::from).collect()
}

impl From<OtherReadingDto> for CompactOtherDto {
    fn from(other: OtherReadingDto) -> CompactOtherDto {
        let OtherReadingDto { seat, file, reading, image, .. } = other;
        CompactOtherDto { seat, file, reading: reading.into(), image }
    }
}

impl From<ReadingDto> for CompactReadingDto {
    fn from(reading: ReadingDto) -> CompactReadingDto {
        let ReadingDto { tiles, doubts, repairs, hands_in_view, photos, .. } = reading;
        let outlines: Vec<_> = tiles.iter().map(|tile| Some(outline_of(tile))).collect();
        let before = reading.hand.to_setup().unwrap_or_default();
        let doubts = doubts.into_iter();
        CompactReadingDto {
            detail: CompactDetail::Compact,
            status: reading.status,
            hand: reading.hand,
            context: reading.context,
            supposed_winning_tile: reading.supposed_winning_tile,
            score_probability: Some(reading.score_probability),
            score: reading.score.map(CompactScoreDto::from),
            no_score: reading.no_score,
            set: reading.set,
            doubts: doubts.map(|doubt| CompactDoubtDto::new(doubt, &before, &outlines)).collect(),
            possible: reading.possible.map(CompactRangeDto::from),
            repairs: repairs
                .into_iter()
                .map(|repair| CompactRepairDto::new(repair, &outlines))
                .collect(),
            hands_in_view: hands_in_view.into_iter().map(CompactHandInViewDto::from).collect(),
            photos,
        }
    }
}

impl From<TotalRangeDto> for CompactRangeDto {
    fn from(range: TotalRangeDto) -> CompactRangeDto {
        let TotalRangeDto { min, max, legal, open, text, partial } = range;
        let open = open.into_iter().map(|open| open.field).collect();
        CompactRangeDto { min, max, open, legal, text, partial }
    }
}

impl From<ScoreDto> for CompactScoreDto {
    fn from(score: ScoreDto) -> CompactScoreDto {
        let others = score.others.into_iter().map(|other| CompactOtherScoreDto {
            seat: other.seat,
            total: other.total,
            awards: compact_awards(other.awards),
        });
        let range = score.range.map(CompactRangeDto::from);
        CompactScoreDto {
            ruleset: score.ruleset,
            total: score.total,
            han: score.han,
            fu: score.fu,
            limit: score.limit,
            yakuman: score.yakuman,
            counted_yakuman: score.counted_yakuman,
            sticks: score.sticks,
            faan: score.faan,
            raw_faan: score.raw_faan,
            limit_hand: score.limit_hand,
            tai: score.tai,
            raw_tai: score.raw_tai,
            dealer_tai: score.dealer_tai,
            legal: score.legal,
            verdict: score.verdict,
            range,
            awards: compact_awards(score.awards),
            payments: score.payments,
            assumed: score.assumed_values,
            assumed_red_fives: score.assumed_red_fives,
            others: others.collect(),
            unsettled: score.unsettled,
        }
    }
}

fn compact_awards(awards: Vec<AwardDto>) -> Vec<CompactAwardDto> {
    awards.into_iter().map(CompactAwardDto::from).collect()
}

impl From<AwardDto> for CompactAwardDto {
    fn from(award: AwardDto) -> CompactAwardDto {
        let AwardDto { code, name, points, doublings, limits, faan, tai, han, count, .. } = award;
        CompactAwardDto { code, name, points, doublings, limits, faan, tai, han, count }
    }
}

impl From<RulesetScoreDto> for CompactRulesetScoreDto {
    fn from(scored: RulesetScoreDto) -> CompactRulesetScoreDto {
        let RulesetScoreDto { ruleset, score, problem } = scored;
        CompactRulesetScoreDto { ruleset, score: score.map(CompactScoreDto::from), problem }
    }
}

impl CompactDoubtDto {
    /// Builds the compact form of a doubt about this hand, with the outlines of its tiles among
    /// those of the photo.
    pub(super) fn new(
        doubt: DoubtDto,
        before: &HandSetup,
        outlines: &[Option<Outline>],
    ) -> CompactDoubtDto {
        let found = doubt.tiles.iter().filter_map(|&tile| find_outline(outlines, tile));
        let tiles: Vec<Outline> = found.collect();
        let is_whole = tiles.len() > MAX_TILES && doubt.alternatives.is_empty();
        let mut answers = Vec::with_capacity(doubt.alternatives.len());
        for one in doubt.alternatives {
            let said = hand_of_tile(doubt.kind, &one.answer, before);
            let hand = if one.hand == said { None } else { one.hand };
            answers.push(CompactChoiceDto::from(AlternativeDto { hand, ..one }));
        }
        CompactDoubtDto {
            bounds: bounds(&tiles),
            tiles: if is_whole { Vec::new() } else { tiles },
            id: doubt.id,
            kind: doubt.kind,
            question: doubt.question,
            affects_score: doubt.affects_score,
            field: doubt.field,
            game: doubt.game,
            answers,
        }
    }
}

/// Returns the outline of a tile, if it is known: a reading that is sent back may name tiles that
/// it does not contain.
fn find_outline(outlines: &[Option<Outline>], tile: usize) -> Option<Outline> {
    outlines.get(tile).copied().flatten()
}

/// Returns the smallest box that holds all outlines: left, top, right and bottom edge.
fn bounds(outlines: &[Outline]) -> Option<[u32; 4]> {
    let corners = outlines.iter().flatten().map(|&[x, y]| [x, y, x, y]);
    corners.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}

impl From<AlternativeDto> for CompactChoiceDto {
    fn from(answer: AlternativeDto) -> CompactChoiceDto {
        let AlternativeDto { answer, p, total, min, max, hand, payments } = answer;
        CompactChoiceDto { send: answer.clone(), answer, p, total, min, max, hand, payments }
    }
}

impl From<HandInViewDto> for CompactHandInViewDto {
    fn from(hand: HandInViewDto) -> CompactHandInViewDto {
        let HandInViewDto { bounds, focus, notation, .. } = hand;
        CompactHandInViewDto { bounds, focus, notation }
    }
}
