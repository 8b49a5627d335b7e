//! The `reading` of the contract: the result for a photo, tile by tile, with its doubts.
//!
//! Polygons are in pixels of the upright photo and lie within it. Every list of tiles holds indices
//! into `tiles`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tilesight_core::contract::ContextDto;
use tilesight_core::contract::TotalRangeDto;
use tilesight_core::contract::{FieldError, Problem, ProblemKind, SeenInPhotoDto, TileInPhotoDto};
use tilesight_core::contract::{FocusDto, deserialize_answered};
use tilesight_core::contract::{HandDto, SetChoice};
use tilesight_core::contract::{PaymentsDto, ScoreDto};
use tilesight_core::explain::{Lang, Message as _};
use tilesight_core::notation::Notation;
use tilesight_core::rules::Conventions;
use tilesight_core::tile::Face;

use crate::decide::possible_totals::Ends;
use crate::geometry::Quad;
use crate::pixels::faces::name;
use crate::sets::{SetUse, UnknownSet};
use crate::{
    DecodeError, Doubt, DoubtKind, HandInView, IgnoreReason, LeftOut, NoHand, NoScore, NoScoreKind,
    PhotoFault, PhotoOfHand, PhotoView, ReadError, ReadTile, Reading, Repair, Role, Status,
};

/// A reading as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Reading)]
pub struct ReadingDto {
    /// Whether the reading is reliable.
    pub status: Status,
    /// Whether the photo is mirrored, as selfie cameras make them. The hand is given as it really
    /// lies, polygons are given as the photo shows them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mirrored: bool,
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
    /// Probability that the whole hand is right: its tiles, its exposed sets and its winning tile.
    pub probability: f32,
    /// Probability that the tiles of the hand are right, however they are divided into sets.
    pub tiles_probability: f32,
    /// Probability that the score is right, even if the hand is not; 0 without a score.
    pub score_probability: f32,
    /// The rule set's conventions for laying tiles, used to interpret sideways and face-down tiles.
    pub conventions: Conventions,
    /// Own set that the tiles were named with, if the request asked for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<SetUseDto>,
    /// Every tile that was detected. Tiles of the hand come first, in reading order.
    pub tiles: Vec<TileDto>,
    /// Whole hands in the photo, if it shows more than one: the hand of the reading first, then the
    /// others, best first. To read another hand, send the photo again with that hand's `focus`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hands_in_view: Vec<HandInViewDto>,
    /// Outcome of each of several photos of the hand, in the order in which they were sent. Absent
    /// for one photo.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub photos: Vec<PhotoOfHandDto>,
    /// Tiles that lie face up in a wall: proposals for `context.dora_indicators`, in rule sets that
    /// have them. No score uses them before they are given. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indicators: Vec<usize>,
    /// Doubts about the reading.
    pub doubts: Vec<DoubtDto>,
    /// Possible totals for any answers to the doubts and any values of the win context's missing
    /// fields. Absent if there is one total or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<TotalRangeDto>,
    /// Single changes that turn a hand that does not win into a winning one, most probable first.
    /// Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<RepairDto>,
    /// The score, if the hand wins.
    pub score: Option<ScoreDto>,
    /// Reason why there is no score; absent beside one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_score: Option<NoScoreDto>,
}

/// Use of an own set, as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = SetUse)]
pub struct SetUseDto {
    /// The choice that was asked for: the name of a set, or `auto`.
    pub asked: SetChoice,
    /// Name of the set that was used; `null` if none explains the photo, which is then read by the
    /// networks alone.
    pub used: Option<String>,
    /// Identity of that set: a hash of all that is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Fit of the best set to the photo, at most 1; absent if it shows too few tiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<f32>,
}

impl From<&SetUse> for SetUseDto {
    fn from(SetUse { asked, used, fit }: &SetUse) -> SetUseDto {
        SetUseDto {
            asked: asked.clone(),
            used: used.as_ref().map(|set| set.name.to_string()),
            id: used.as_ref().map(|set| set.id.to_string()),
            fit: fit.map(short),
        }
    }
}

/// Reason why there is no score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = NoScore)]
pub struct NoScoreDto {
    /// Kind of the reason.
    pub kind: NoScoreKind,
    /// Explanation in the requested language.
    pub detail: String,
}

/// A tile as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = SeenTile)]
pub struct TileDto {
    /// Code of the tile, `back`, or `none` if it is not a face.
    pub tile: String,
    /// Corners of the tile, clockwise.
    pub polygon: [[f32; 2]; 4],
    /// Whether the tile lies face up.
    pub face_up: bool,
    /// Whether the tile lies across the others of its group.
    pub sideways: bool,
    /// Confidence of the detector that this is a tile.
    pub score: f32,
    /// Probability of the face, judged from this tile's crop alone.
    pub p: f32,
    /// Whether the tile is a red five.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub red: bool,
    /// Most probable faces.
    pub candidates: Vec<CandidateDto>,
    /// Role of the tile in the hand.
    pub role: Role,
    /// Group that the tile lies in; `null` for an ignored tile.
    pub group: Option<usize>,
    /// Meld that the tile is a part of, as an index into the hand's melds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meld: Option<usize>,
    /// Reason why the tile is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored: Option<IgnoreReason>,
    /// Photo that the tile's name comes from, as an index into `photos`, if several were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo: Option<usize>,
    /// Position of the tile in each photo, if several were sent. Photos that do not show it are
    /// omitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<TileViewDto>,
}

/// Position of a tile in one of several photos, as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = TileView)]
pub struct TileViewDto {
    /// The photo, as an index into `photos`.
    pub photo: usize,
    /// Corners of the tile, clockwise, in pixels of this photo.
    pub polygon: [[f32; 2]; 4],
    /// Probability of the face from this photo alone; low for a covered tile.
    pub p: f32,
}

/// Photo of a hand of which several were sent, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = PhotoOfHand)]
pub struct PhotoOfHandDto {
    /// Index of the photo among those of the hand, counted from 0.
    pub index: usize,
    /// Path of the file that was read, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Whether the photo is used. A photo whose tiles differ from those of the others is left out.
    pub used: bool,
    /// Whether the reading's polygons, points and boxes are in the pixels of this photo.
    pub base: bool,
    /// Width of the upright photo in pixels.
    pub width: u32,
    /// Height of the upright photo in pixels.
    pub height: u32,
    /// Number of tiles of the hand that the photo shows.
    pub tiles: usize,
    /// Reason why the photo was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// Explanation of `left_out` in the requested language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A hand in a photo that shows several, as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = HandInView)]
pub struct HandInViewDto {
    /// Tiles of the hand.
    pub tiles: Vec<usize>,
    /// A point on one of the hand's tiles, in pixels of the upright photo.
    #[serde(deserialize_with = "deserialize_answered")]
    pub focus: FocusDto,
    /// Bounding box of the hand for a thumbnail, in whole pixels: left, top, right and bottom edge.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 4]>,
    /// The hand in one line of notation. The first one is given as it was read, the others with the
    /// most probable names of their tiles.
    pub notation: String,
}

/// A possible face of a tile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Candidate)]
pub struct CandidateDto {
    /// Code of the face.
    pub tile: String,
    /// Probability of the face.
    pub p: f32,
}

/// A doubt as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Doubt)]
pub struct DoubtDto {
    /// Identifier of the doubt within this reading, which answers refer to. It is the same whenever
    /// the photo is read in the same way.
    pub id: String,
    /// Kind of the doubt.
    pub kind: DoubtKind,
    /// Tiles that the doubt is about.
    pub tiles: Vec<usize>,
    /// Question to ask a person.
    pub question: String,
    /// Possible answers.
    pub alternatives: Vec<AlternativeDto>,
    /// Field that the doubt is about, such as `context.win`, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Game whose hands have as many tiles, if the rule set has smaller hands: one of its rule sets
    /// reads the photo as such a hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Whether the answers lead to different scores, or may do so.
    pub affects_score: bool,
}

/// A possible answer as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Alternative)]
pub struct AlternativeDto {
    /// Text of the answer.
    pub answer: String,
    /// Probability of the answer.
    pub p: f32,
    /// Total of the hand after this answer.
    pub total: Option<u32>,
    /// Lowest possible total after this answer, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
    /// Highest possible total after this answer, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// The hand after this answer, in one line of notation, as the `hand` of a request takes it.
    /// Absent if the answer alone does not determine the hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<String>,
    /// Gain or loss of every seat after this answer, if the answers differ in nothing else or if
    /// the hands of several players were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<PaymentsDto>,
}

/// A single change that turns a hand that does not win into a winning one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Repair)]
pub struct RepairDto {
    /// `rename`: a tile has another name; `leave_out`: a tile is not part of the hand; `add`: a
    /// tile is missing.
    pub change: Cow<'static, str>,
    /// Tile that the change is about, if the photo shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile: Option<usize>,
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
    pub legal: Option<bool>,
    /// The hand after the change, in one line of notation.
    pub hand: String,
}

impl RepairDto {
    /// Builds the JSON of a repair, in a language.
    pub(super) fn new(repair: &Repair, lang: Lang) -> RepairDto {
        let Repair { change, tile, p, total, range, legal, hand } = repair;
        RepairDto {
            change: change.name().into(),
            tile: *tile,
            from: change.from().map(|face| face.to_string()),
            to: change.to().map(|face| face.to_string()),
            text: change.text(lang),
            p: short(*p),
            total: *total,
            min: range.as_ref().map(|range| range.min),
            max: range.as_ref().map(|range| range.max),
            partial: range.as_ref().is_some_and(|range| range.partial),
            legal: *legal,
            hand: Notation::from_hand(hand.clone()).to_string(),
        }
    }
}

/// Maximum number of candidates that are listed for a tile.
const MAX_CANDIDATES: usize = 5;

/// Minimum probability of a listed candidate.
const MIN_CANDIDATE: f32 = 0.001;

impl ReadingDto {
    /// Builds the JSON of a reading, with texts in one language.
    #[must_use]
    pub fn new(reading: &Reading, lang: Lang) -> ReadingDto {
        let totals = reading.all_totals();
        let minimum = reading.ruleset.rules().minimum();
        let possible = totals.range.as_ref().map(|range| TotalRangeDto::new(range, minimum, lang));
        let repairs = reading.repairs();
        ReadingDto {
            status: reading.status,
            mirrored: reading.mirrored,
            hand: HandDto::from(&reading.hand),
            context: ContextDto { ruleset: Some(reading.ruleset.id()), setup: reading.given },
            supposed_winning_tile: reading.supposed_winning.map(|tile| tile.to_string()),
            probability: short(reading.probability),
            tiles_probability: short(reading.tiles_probability),
            score_probability: short(reading.score_probability),
            conventions: reading.conventions,
            set: reading.set.as_ref().map(SetUseDto::from),
            tiles: reading.tiles.iter().map(|tile| TileDto::new(tile, reading)).collect(),
            hands_in_view: hands_in_view(reading),
            photos: photos(&reading.photos, lang),
            indicators: reading.indicators.clone(),
            doubts: with_ends(doubts(&reading.doubts, lang), &totals.by_answer),
            possible,
            repairs: repairs.iter().map(|repair| RepairDto::new(repair, lang)).collect(),
            score: reading.score.as_ref().map(|score| ScoreDto {
                unsettled: reading.unsettled.clone(),
                ..ScoreDto::new(score, &reading.assumed, lang).with_assumptions(
                    &reading.context,
                    reading.range.as_ref(),
                    lang,
                )
            }),
            no_score: NoScore::from_reading(reading)
                .map(|reason| NoScoreDto { kind: reason.kind(), detail: reason.text(lang) }),
        }
    }
}

/// Returns the hands in view if there are several: a single hand leaves no choice.
fn hands_in_view(reading: &Reading) -> Vec<HandInViewDto> {
    let several = reading.hands_in_view.iter().filter(|_| reading.hands_in_view.len() > 1);
    several.map(|hand| HandInViewDto::new(hand, reading)).collect()
}

impl HandInViewDto {
    fn new(HandInView { tiles, focus, hand }: &HandInView, reading: &Reading) -> HandInViewDto {
        HandInViewDto {
            tiles: tiles.clone(),
            focus: FocusDto::from(*focus),
            bounds: reading.bounds(tiles),
            notation: Notation::from_hand(hand.clone()).to_string(),
        }
    }
}

impl TileDto {
    fn new(tile: &ReadTile, reading: &Reading) -> TileDto {
        let candidates = tile.seen.faces.candidates(MIN_CANDIDATE).into_iter().take(MAX_CANDIDATES);
        TileDto {
            tile: name(tile.face),
            polygon: polygon(&tile.seen.quad, reading.size),
            face_up: tile.face != Some(Face::Back),
            sideways: tile.sideways,
            score: short(tile.seen.score),
            p: short(tile.seen.faces.probability(tile.face)),
            red: is_red_five(tile),
            candidates: candidates
                .map(|(face, p)| CandidateDto { tile: name(face), p: short(p) })
                .collect(),
            role: tile.role,
            group: tile.group,
            meld: tile.meld,
            ignored: tile.ignored,
            photo: tile.source_photo(),
            views: photo_views(tile, &reading.photos),
        }
    }
}

/// Returns the corners of an outline, limited to a photo of this size.
fn polygon(quad: &Quad, (width, height): (u32, u32)) -> [[f32; 2]; 4] {
    quad.0.map(|corner| [clamp_to_tenths(corner.x, width), clamp_to_tenths(corner.y, height)])
}

fn clamp_to_tenths(at: f32, side: u32) -> f32 {
    (at.clamp(0.0, side as f32) * 10.0).round() / 10.0
}

/// Returns the position of a tile in each of several photos.
fn photo_views(tile: &ReadTile, photos: &[PhotoOfHand]) -> Vec<TileViewDto> {
    let found = tile.views.iter().flat_map(|views| views.photo_views(tile.face));
    let views = found.filter_map(|PhotoView { photo, outline, p }| {
        let size = photos.get(photo)?.size;
        Some(TileViewDto { photo, polygon: polygon(&outline, size), p: short(p) })
    });
    views.collect()
}

/// Returns the photos of the hand, with explanations in a language.
fn photos(photos: &[PhotoOfHand], lang: Lang) -> Vec<PhotoOfHandDto> {
    let photos = photos.iter().enumerate().map(|(index, photo)| PhotoOfHandDto {
        index,
        file: None,
        used: photo.left_out.is_none(),
        base: photo.is_base,
        width: photo.size.0,
        height: photo.size.1,
        tiles: photo.tiles,
        left_out: photo.left_out,
        reason: photo.left_out.map(|why| why.text(lang)),
    });
    photos.collect()
}

fn is_red_five(tile: &ReadTile) -> bool {
    tile.face.and_then(Face::tile).is_some_and(|face| tile.seen.printed(face).red)
}

/// Returns the doubts in a language, each with a unique id.
fn doubts(doubts: &[Doubt], lang: Lang) -> Vec<DoubtDto> {
    let mut ids: Vec<String> = Vec::new();
    let named = doubts.iter().map(|doubt| {
        let name = DoubtDto::name_of(doubt);
        let same = ids.iter().filter(|id| **id == name).count();
        ids.push(name.clone());
        let id = if same == 0 { name } else { format!("{name}.{}", same + 1) };
        DoubtDto { id, ..DoubtDto::new(doubt, lang) }
    });
    named.collect()
}

/// Adds to each answer the range of totals that it leaves, if it leaves several.
pub(super) fn with_ends(doubts: Vec<DoubtDto>, ends: &[Vec<Option<Ends>>]) -> Vec<DoubtDto> {
    doubts.into_iter().zip(ends).map(|(doubt, ends)| doubt.with_ends(ends)).collect()
}

/// Maximum number of tiles in the name of a doubt. A doubt about more tiles than a kong has is
/// about the whole hand, and its name omits them.
const MAX_NAMED_TILES: usize = 4;

impl DoubtDto {
    /// Returns the name of a doubt: its kind, followed by the field or the tiles that it is about.
    fn name_of(doubt: &Doubt) -> String {
        let kind = doubt.kind.name().to_owned();
        let few = doubt.tiles.len() <= MAX_NAMED_TILES;
        let tiles = doubt.tiles.iter().filter(|_| few && doubt.field.is_none());
        let field = doubt.field.map(|field| field.name().to_owned());
        let about = field.into_iter().chain(tiles.map(usize::to_string));
        std::iter::once(kind).chain(about).collect::<Vec<_>>().join("-")
    }

    /// Adds to each answer the range of totals that it leaves, if it leaves several.
    fn with_ends(self, ends: &[Option<Ends>]) -> DoubtDto {
        let answers = self.alternatives.into_iter().zip(ends);
        let alternatives = answers.map(|(one, ends)| {
            let (min, max) = ends.filter(|(min, max)| min < max).unzip();
            AlternativeDto { min, max, ..one }
        });
        DoubtDto { alternatives: alternatives.collect(), ..self }
    }

    /// Builds the JSON of a doubt, with its question in a language.
    fn new(doubt: &Doubt, lang: Lang) -> DoubtDto {
        let alternatives = doubt.alternatives.iter().map(|answer| AlternativeDto {
            answer: answer.answer.clone(),
            p: short(answer.p),
            total: answer.total,
            min: None,
            max: None,
            hand: answer.hand.clone().map(|hand| Notation::from_hand(hand).to_string()),
            payments: answer.payments.as_ref().map(PaymentsDto::from),
        });
        DoubtDto {
            id: String::new(),
            kind: doubt.kind,
            tiles: doubt.tiles.clone(),
            question: doubt.question.text(lang),
            alternatives: alternatives.collect(),
            field: doubt.field.map(|field| format!("context.{field}")),
            game: doubt.question.game().map(str::to_owned),
            affects_score: doubt.affects_score,
        }
    }
}

/// Rounds to four decimal places: more would be noise.
fn short(p: f32) -> f32 {
    (p * 10_000.0).round() / 10_000.0
}

/// Returns the problem of a photo in which no hand was found, with the tiles that it shows.
#[must_use]
pub fn no_hand_problem(reading: &Reading) -> Problem {
    let (width, height) = reading.size;
    let count = reading.tiles.len();
    let tiles = reading
        .tiles
        .iter()
        .enumerate()
        .filter_map(|(at, tile)| {
            Some(TileInPhotoDto { tile: name(tile.face), bounds: reading.bounds(&[at])? })
        })
        .collect();
    Problem::from_message(ProblemKind::NoHand, &NoHand::from_reading(reading))
        .with_seen(SeenInPhotoDto { width, height, count, tiles })
}

impl From<&Problem> for NoScoreDto {
    /// Returns the reason why a corrected hand has no score.
    fn from(problem: &Problem) -> NoScoreDto {
        let kind = match problem.kind {
            ProblemKind::NotAWin => NoScoreKind::NotAWin,
            ProblemKind::InvalidContext if is_about(problem, "context.won") => NoScoreKind::NotWon,
            ProblemKind::InvalidContext => NoScoreKind::InvalidContext,
            ProblemKind::NoHand => NoScoreKind::NoHand,
            _ if is_about(problem, "hand.flowers") => NoScoreKind::FlowersNotPlayed,
            _ => NoScoreKind::InvalidHand,
        };
        NoScoreDto { kind, detail: problem.detail.to_string() }
    }
}

fn is_about(problem: &Problem, field: &str) -> bool {
    problem.errors.iter().any(|error| error.field == field)
}

impl From<&UnknownSet> for Problem {
    fn from(error: &UnknownSet) -> Problem {
        Problem::for_field(ProblemKind::InvalidContext, "set", error)
    }
}

impl From<&ReadError> for Problem {
    fn from(error: &ReadError) -> Problem {
        match error {
            ReadError::Decode(error) => {
                let kind = match error {
                    DecodeError::Unsupported { .. } | DecodeError::UnsupportedFeature { .. } => {
                        ProblemKind::UnsupportedMedia
                    }
                    DecodeError::TooLarge { .. }
                    | DecodeError::TooManyPixels { .. }
                    | DecodeError::TooMuchMemory { .. }
                    | DecodeError::TooLong { .. } => ProblemKind::TooLarge,
                    _ => ProblemKind::UnreadableImage,
                };
                Problem::from_message(kind, &PhotoFault(error))
            }
            ReadError::Context(error) => {
                Problem::with_errors(ProblemKind::InvalidContext, vec![FieldError::from(error)])
            }
            ReadError::Outside(error) => {
                Problem::for_field(ProblemKind::InvalidContext, error.pointer.name(), error)
            }
            ReadError::Set(error) => Problem::from(error),
            ReadError::Rules(error) => Problem::from(error),
            ReadError::Model(error) => Problem::new(ProblemKind::Internal, error.to_string()),
        }
    }
}
