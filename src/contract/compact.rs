//! The answer to a photo as an app shows it: the hand, the score and the doubts.
//!
//! Input: an [`AnswerDto`], or a reading with answers to its doubts. Output: a [`CompactAnswerDto`]
//! of at most 4 kB for a hand of 14 tiles.
//! Left out are tiles that no doubt is about, what every tile could be, the sets behind each line,
//! what does not count, and the timings. Invariant: a field that both answers have means the same
//! in both, but for doubts: theirs hold outlines in whole pixels instead of indices.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tilesight_core::context::ContextField;
use tilesight_core::contract::FocusDto;
use tilesight_core::contract::HandDto;
use tilesight_core::contract::Problem;
use tilesight_core::contract::RulesetScoreDto;
use tilesight_core::contract::TotalRangeDto;
use tilesight_core::contract::{AwardDto, PaymentsDto, ScoreDto};
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::{Halves, RulesetId};
use tilesight_core::tile::Wind;

use super::answer::{AnswerDto, ImageDto, ModelsDto, OtherReadingDto};
use super::named::hand_of_tile;
use super::reading::{
    AlternativeDto, DoubtDto, HandInViewDto, NoScoreDto, PhotoOfHandDto, ReadingDto, RepairDto,
    TileDto,
};
use crate::pipeline::{DoubtKind, Status};

/// The answer to a photo with `detail=compact`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactAnswer))]
pub struct CompactAnswerDto {
    /// The id of the request, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The file that was read, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What the photo was read as; its fields stand here.
    #[serde(flatten)]
    pub reading: CompactReadingDto,
    /// The scores by each rule set of `rulesets`, where they were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<CompactRulesetScoreDto>>,
    /// The photos of other players' hands, by their seats, where some were sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<CompactOtherDto>,
    /// Whether the scores of the table can be relied on, where hands of others were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_status: Option<Status>,
    /// The upright photo, in whose pixels outlines and boxes are given.
    pub image: ImageDto,
    /// The networks.
    pub models: ModelsDto,
}

/// A reading as an app shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactReading))]
pub struct CompactReadingDto {
    /// Whether it can be relied on.
    pub status: Status,
    /// The hand, complete or not.
    pub hand: HandDto,
    /// The winning tile that the score supposes where no tile of the photo lies apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supposed_winning_tile: Option<String>,
    /// The probability that the score is right; 0 without a score. Absent once doubts are answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_probability: Option<f32>,
    /// The score, if the hand wins.
    pub score: Option<CompactScoreDto>,
    /// Why there is no score; absent beside one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_score: Option<NoScoreDto>,
    /// What the program is not sure of.
    pub doubts: Vec<CompactDoubtDto>,
    /// The totals that are possible: with any answers to the doubts, and any values of what is not
    /// given of the win. Absent where there is one total or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<CompactRangeDto>,
    /// The single changes with which a hand that does not win is a winning one, the most probable
    /// first; absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<CompactRepairDto>,
    /// The complete hands in the photo, where it shows more than one: the one that was read first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hands_in_view: Vec<CompactHandInViewDto>,
    /// What became of each of several photos of the hand; absent for one photo, and once doubts are
    /// answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub photos: Vec<PhotoOfHandDto>,
}

/// The photo of a hand that did not win.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactOther))]
pub struct CompactOtherDto {
    /// Whose hand it is.
    pub seat: Wind,
    /// The file that was read, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What the photo was read as; its fields stand here.
    #[serde(flatten)]
    pub reading: CompactReadingDto,
    /// The upright photo.
    pub image: ImageDto,
}

/// A score without what lies behind its lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactScore))]
pub struct CompactScoreDto {
    /// The rules that were applied; `null` for options that are not those of a named rule set.
    pub ruleset: Option<RulesetId>,
    /// The points that hands are compared by.
    pub total: u32,
    /// Whether the minimum is reached.
    pub legal: bool,
    /// How the total came about and whether the minimum is reached, in the requested language.
    pub verdict: String,
    /// The totals that are possible, where something that is not given changes the total.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<CompactRangeDto>,
    /// The lines that count.
    pub awards: Vec<CompactAwardDto>,
    /// What every seat gains or loses.
    pub payments: PaymentsDto,
    /// The fields of the context that got a default, with it, as `context` takes them.
    pub assumed: BTreeMap<ContextField, String>,
    /// What the hands of those who did not win are worth, in rule sets that score every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<CompactOtherScoreDto>,
    /// Seats whose hands would count for the payments and were not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsettled: Vec<Wind>,
}

/// The totals that are possible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactRange))]
pub struct CompactRangeDto {
    /// The lowest.
    pub least: u32,
    /// The highest.
    pub most: u32,
    /// What the total depends on, the question that narrows the range most first: `winning_tile`,
    /// or a field of the context.
    pub open: Vec<String>,
    /// Whether the hand is a legal win; `null` where that depends on what is open.
    #[serde(default)]
    pub legal: Option<bool>,
    /// Whether the minimum is reached whatever the answers are, by some of them or by none, in the
    /// requested language; absent where the rules have no minimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
}

/// A single change with which a hand that does not win is a winning one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactRepair))]
pub struct CompactRepairDto {
    /// `rename`, `leave_out` or `add`.
    pub change: Cow<'static, str>,
    /// The face that the hand has before; absent for `add`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The face that it has after; absent for `leave_out`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The change in the requested language.
    pub told: String,
    /// How probable it is among the repairs.
    pub p: f32,
    /// The total that the hand would then have.
    pub total: u32,
    /// The lowest total that is possible then, where several are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<u32>,
    /// The highest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
    /// Whether the hand would be a legal win; `null` where that depends on what is open.
    #[serde(default)]
    pub legal: Option<bool>,
    /// The hand with it, in one line of notation: `hand` of the request takes it as it is.
    pub hand: String,
    /// What to cut out of the photo to show the tile, where the photo shows it.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 4]>,
}

impl CompactRepairDto {
    /// A repair with the outline of its tile.
    pub(super) fn new(
        repair: RepairDto,
        outline: impl Fn(usize) -> Option<Outline>,
    ) -> CompactRepairDto {
        let RepairDto { change, tile, from, to, told, p, total, least, most, legal, hand } = repair;
        let bounds = tile.and_then(outline).and_then(|outline| bounds(&[outline]));
        CompactRepairDto { change, from, to, told, p, total, least, most, legal, hand, bounds }
    }
}

/// A line that counts, without what lies behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactAward))]
pub struct CompactAwardDto {
    /// The line, the same in all languages.
    pub code: Cow<'static, str>,
    /// Its name in the requested language.
    pub name: Cow<'static, str>,
    /// The points of one; 0 for doubles and limits.
    pub points: u32,
    /// The doubles of one, in whole or half ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "http", schema(value_type = Option<f64>))]
    pub doublings: Option<Halves>,
    /// The limits of one, in whole or half ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "http", schema(value_type = Option<f64>))]
    pub limits: Option<Halves>,
    /// How often it counts.
    pub count: u32,
}

/// What the hand of a seat that did not win is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactOtherScore))]
pub struct CompactOtherScoreDto {
    /// The player's seat.
    pub seat: Wind,
    /// What it is worth.
    pub total: u32,
    /// The lines that count.
    pub awards: Vec<CompactAwardDto>,
}

/// The score by one of several rule sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactRulesetScore))]
pub struct CompactRulesetScoreDto {
    /// The rule set.
    pub ruleset: RulesetId,
    /// The score; `null` where the hand can't be scored by these rules.
    pub score: Option<CompactScoreDto>,
    /// Why it can't; `null` beside a score.
    pub problem: Option<Problem>,
}

/// A doubt with everything that an app needs to ask about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactDoubt))]
pub struct CompactDoubtDto {
    /// Its name among the doubts of this reading.
    pub id: String,
    /// What sort of doubt.
    pub kind: DoubtKind,
    /// The question to put to a person.
    pub question: String,
    /// Whether the answers lead to different scores, or could for all we know.
    pub affects_score: bool,
    /// The field that it is about, such as `context.win`, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What to cut out of the photo to show the tiles: left, top, right and bottom edge in pixels.
    /// Absent for a doubt that is about no tile.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 4]>,
    /// The outlines of the tiles it is about: four corners each, clockwise. Empty for a doubt about
    /// the hand as a whole that has no answers: its `box` is that of the hand.
    #[cfg_attr(feature = "http", schema(value_type = Vec<tilesight_core::contract::TileOutline>))]
    pub tiles: Vec<Outline>,
    /// The possible answers.
    pub answers: Vec<CompactChoiceDto>,
}

/// The four corners of a tile, clockwise, in whole pixels.
pub(super) type Outline = [[u32; 2]; 4];

/// A possible answer to a doubt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactChoice))]
pub struct CompactChoiceDto {
    /// The answer, for people.
    pub answer: String,
    /// How probable it is.
    pub p: f32,
    /// The total the hand would then have; `null` where it would not be a winning hand.
    pub total: Option<u32>,
    /// The lowest total that is possible after this answer, where several are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<u32>,
    /// The highest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
    /// What to send back for this answer.
    pub send: String,
    /// The hand with this answer, in one line of notation. Absent where the answer is the tile that
    /// won or that of a kong that lies face down, which says it all, and where it takes more than
    /// the answer to carry it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<String>,
    /// What every seat would gain or lose: where the answers differ in nothing else, and where the
    /// hands of several players were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<PaymentsDto>,
}

/// One of several hands in a photo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = CompactHandInView))]
pub struct CompactHandInViewDto {
    /// Its outline for a thumbnail: left, top, right and bottom edge in pixels.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 4]>,
    /// A point on one of its tiles, which selects it.
    #[serde(deserialize_with = "tilesight_core::contract::answered_focus")]
    pub focus: FocusDto,
    /// The hand in one line.
    pub notation: String,
}

/// A doubt about more tiles than a kong has is about the hand as a whole.
const MOST_TILES: usize = 4;

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

/// The outline of a tile in whole pixels.
pub(super) fn outline_of(tile: &TileDto) -> Outline {
    tile.polygon.map(|corner| corner.map(|at| at.round() as u32))
}

/// Scores side by side.
pub(crate) fn compact_scores(scores: Vec<RulesetScoreDto>) -> Vec<CompactRulesetScoreDto> {
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
        // An answer of an older version that is read back may name tiles that it does not have.
        let outline = |i: usize| tiles.get(i).map(outline_of);
        let before = reading.hand.to_setup().unwrap_or_default();
        let doubts = doubts.into_iter();
        CompactReadingDto {
            status: reading.status,
            hand: reading.hand,
            supposed_winning_tile: reading.supposed_winning_tile,
            score_probability: Some(reading.score_probability),
            score: reading.score.map(CompactScoreDto::from),
            no_score: reading.no_score,
            doubts: doubts.map(|doubt| CompactDoubtDto::new(doubt, &before, outline)).collect(),
            possible: reading.possible.map(CompactRangeDto::from),
            repairs: repairs
                .into_iter()
                .map(|repair| CompactRepairDto::new(repair, outline))
                .collect(),
            hands_in_view: hands_in_view.into_iter().map(CompactHandInViewDto::from).collect(),
            photos,
        }
    }
}

impl From<TotalRangeDto> for CompactRangeDto {
    fn from(range: TotalRangeDto) -> CompactRangeDto {
        let TotalRangeDto { least, most, legal, open, told } = range;
        let open = open.into_iter().map(|open| open.field).collect();
        CompactRangeDto { least, most, open, legal, told }
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
            legal: score.legal,
            verdict: score.verdict,
            range,
            awards: compact_awards(score.awards),
            payments: score.payments,
            assumed: score.assumed_values,
            others: others.collect(),
            unsettled: score.unsettled,
        }
    }
}

fn compact_awards(awards: Vec<AwardDto>) -> Vec<CompactAwardDto> {
    let compact = |AwardDto { code, name, points, doublings, limits, count, .. }| CompactAwardDto {
        code,
        name,
        points,
        doublings,
        limits,
        count,
    };
    awards.into_iter().map(compact).collect()
}

impl From<RulesetScoreDto> for CompactRulesetScoreDto {
    fn from(scored: RulesetScoreDto) -> CompactRulesetScoreDto {
        let RulesetScoreDto { ruleset, score, problem } = scored;
        CompactRulesetScoreDto { ruleset, score: score.map(CompactScoreDto::from), problem }
    }
}

impl CompactDoubtDto {
    /// A doubt about this hand with the outlines of its tiles.
    pub(super) fn new(
        doubt: DoubtDto,
        before: &HandSetup,
        outline: impl Fn(usize) -> Option<Outline>,
    ) -> CompactDoubtDto {
        let outlines: Vec<Outline> = doubt.tiles.iter().filter_map(|&i| outline(i)).collect();
        let is_whole = outlines.len() > MOST_TILES && doubt.alternatives.is_empty();
        let choice = |one: AlternativeDto| {
            let said = hand_of_tile(doubt.kind, &one.answer, before);
            let hand = if one.hand == said { None } else { one.hand };
            CompactChoiceDto::from(AlternativeDto { hand, ..one })
        };
        let answers = doubt.alternatives.into_iter().map(choice).collect();
        CompactDoubtDto {
            bounds: bounds(&outlines),
            tiles: if is_whole { Vec::new() } else { outlines },
            id: doubt.id,
            kind: doubt.kind,
            question: doubt.question,
            affects_score: doubt.affects_score,
            field: doubt.field,
            answers,
        }
    }
}

/// The smallest box that holds some tiles: left, top, right and bottom edge.
fn bounds(outlines: &[Outline]) -> Option<[u32; 4]> {
    let corners = outlines.iter().flatten().map(|&[x, y]| [x, y, x, y]);
    corners.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}

impl From<AlternativeDto> for CompactChoiceDto {
    fn from(answer: AlternativeDto) -> CompactChoiceDto {
        let AlternativeDto { answer, p, total, least, most, hand, payments } = answer;
        CompactChoiceDto { send: answer.clone(), answer, p, total, least, most, hand, payments }
    }
}

impl From<HandInViewDto> for CompactHandInViewDto {
    fn from(hand: HandInViewDto) -> CompactHandInViewDto {
        let HandInViewDto { bounds, focus, notation, .. } = hand;
        CompactHandInViewDto { bounds, focus, notation }
    }
}
