//! The `reading` of the contract: what a photo was read as, tile by tile, with its doubts.
//!
//! Polygons are in pixels of the upright photo and lie within it; every list of tiles holds
//! indices into `tiles`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tilesight_core::contract::HandDto;
use tilesight_core::contract::TotalRangeDto;
use tilesight_core::contract::{FieldError, Problem, ProblemKind};
use tilesight_core::contract::{FocusDto, answered_focus};
use tilesight_core::contract::{PaymentsDto, ScoreDto};
use tilesight_core::explain::{Lang, Message as _};
use tilesight_core::notation::Notation;
use tilesight_core::rules::Conventions;
use tilesight_core::tile::Face;

use crate::pipeline::classify::name;
use crate::pipeline::geometry::Quad;
use crate::pipeline::{
    DecodeError, Doubt, DoubtKind, Ends, HandInView, IgnoreReason, LeftOut, NoHand, NoScore,
    NoScoreKind, PhotoFault, PhotoLook, PhotoOfHand, PossibleTotals, ReadError, ReadTile, Reading,
    Repair, Role, Status,
};

/// A reading as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Reading))]
pub struct ReadingDto {
    /// Whether it can be relied on.
    pub status: Status,
    /// Whether the photo is mirrored, as selfie cameras make them: the hand is as it really lies,
    /// polygons as the photo shows them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mirrored: bool,
    /// The hand, complete or not.
    pub hand: HandDto,
    /// The winning tile that the score supposes where no tile of the photo lies apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supposed_winning_tile: Option<String>,
    /// The probability that the whole hand is right: its tiles, and what of it is exposed or won
    /// by.
    pub probability: f32,
    /// The probability that its tiles are right, however they are divided into sets.
    pub tiles_probability: f32,
    /// The probability that the score is right, whatever the hand is called; 0 without a score.
    pub score_probability: f32,
    /// How tiles are laid under the rule set: what turned tiles were taken for.
    pub conventions: Conventions,
    /// Every tile that was seen, those of the hand first in reading order.
    pub tiles: Vec<TileDto>,
    /// The complete hands in the photo, where it shows more than one: the one that was read first,
    /// then the others, best first. Sent again with the `focus` of one of them, the photo is read
    /// as that hand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hands_in_view: Vec<HandInViewDto>,
    /// What became of each of several photos of the hand, in the order in which they were sent;
    /// absent for one photo.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub photos: Vec<PhotoOfHandDto>,
    /// What the program is not sure of.
    pub doubts: Vec<DoubtDto>,
    /// The totals that are possible: with any answers to the doubts, and any values of what is not
    /// given of the win. Absent where there is one total or none, and in stored answers of older
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<TotalRangeDto>,
    /// The single changes with which a hand that does not win is a winning one, the most probable
    /// first; absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<RepairDto>,
    /// The score, if the hand wins.
    pub score: Option<ScoreDto>,
    /// Why there is no score; absent beside one, and in stored answers of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_score: Option<NoScoreDto>,
}

/// Why there is no score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = NoScore))]
pub struct NoScoreDto {
    /// What sort of reason.
    pub kind: NoScoreKind,
    /// The reason, in the requested language.
    pub detail: String,
}

/// One tile as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = SeenTile))]
pub struct TileDto {
    /// Its code, `back`, or `none` where it is not a face.
    pub tile: String,
    /// Four corners, clockwise.
    pub polygon: [[f32; 2]; 4],
    /// Whether its face looks up.
    pub face_up: bool,
    /// Whether it lies across the others of its group.
    pub sideways: bool,
    /// The detector's score.
    pub score: f32,
    /// The probability of its face by the picture of this tile alone.
    pub p: f32,
    /// Whether it is a red five.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub red: bool,
    /// The likeliest faces.
    pub candidates: Vec<CandidateDto>,
    /// Its part in the hand.
    pub role: Role,
    /// The group it lies in; `null` for a tile that is ignored.
    pub group: Option<usize>,
    /// The meld that it is a part of, as an index into the hand's melds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meld: Option<usize>,
    /// Why it is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored: Option<IgnoreReason>,
    /// The photo that it was named from, as an index into `photos`, where several were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo: Option<usize>,
    /// Where each photo shows it, where several were sent; those that do not show it are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<LookDto>,
}

/// What one of several photos shows of a tile, as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Look))]
pub struct LookDto {
    /// The photo, as an index into `photos`.
    pub photo: usize,
    /// Four corners, clockwise, in pixels of this photo.
    pub polygon: [[f32; 2]; 4],
    /// The probability of its face by this photo alone: low where something covers it.
    pub p: f32,
}

/// One of several photos of a hand as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = PhotoOfHand))]
pub struct PhotoOfHandDto {
    /// Its place among the photos of the hand, from 0 on.
    pub index: usize,
    /// The file that was read, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Whether it counts: a photo whose tiles are not those of the others is left out.
    pub used: bool,
    /// Whether this is the photo in whose pixels polygons, points and boxes are given.
    pub base: bool,
    /// Width of the upright photo in pixels.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// How many tiles of the hand it shows.
    pub tiles: usize,
    /// Why it was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// The same in the requested language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One of several hands in a photo as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = HandInView))]
pub struct HandInViewDto {
    /// Its tiles.
    pub tiles: Vec<usize>,
    /// A point on one of its tiles, in pixels of the upright photo.
    #[serde(deserialize_with = "answered_focus")]
    pub focus: FocusDto,
    /// Its outline for a thumbnail, in whole pixels: left, top, right and bottom edge. Absent in
    /// stored answers of older versions.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 4]>,
    /// The hand in one line: the first one as it was read, of the others the likeliest names of
    /// their tiles.
    pub notation: String,
}

/// A face that a tile may show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Candidate))]
pub struct CandidateDto {
    /// Its code.
    pub tile: String,
    /// How probable it is.
    pub p: f32,
}

/// A doubt as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Doubt))]
pub struct DoubtDto {
    /// Its name among the doubts of this reading, the same whenever the photo is read like this:
    /// an answer names it.
    #[serde(default)]
    pub id: String,
    /// What sort of doubt.
    pub kind: DoubtKind,
    /// The tiles it is about.
    pub tiles: Vec<usize>,
    /// The question to put to a person.
    pub question: String,
    /// The possible answers.
    pub alternatives: Vec<AlternativeDto>,
    /// The field that it is about, such as `context.win`, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Whether the answers lead to different scores, or could for all we know.
    pub affects_score: bool,
}

/// A possible answer as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Alternative))]
pub struct AlternativeDto {
    /// The answer.
    pub answer: String,
    /// How probable it is.
    pub p: f32,
    /// The total the hand would then have.
    pub total: Option<u32>,
    /// The lowest total that is possible after this answer, where several are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<u32>,
    /// The highest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
    /// The hand with this answer, in one line of notation: `POST /v1/readings/score` takes it as it
    /// is. Absent where the answer takes more than itself to carry out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<String>,
    /// What every seat would gain or lose: where the answers differ in nothing else, and where the
    /// hands of several players were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<PaymentsDto>,
}

/// A single change with which a hand that does not win is a winning one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Repair))]
pub struct RepairDto {
    /// `rename`: a tile is another one; `leave_out`: a tile is not the hand's; `add`: a tile is
    /// missing.
    pub change: Cow<'static, str>,
    /// The tile that it is about, where the photo shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile: Option<usize>,
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
    pub legal: Option<bool>,
    /// The hand with it, in one line of notation.
    pub hand: String,
}

impl RepairDto {
    /// A repair in a language.
    pub(super) fn new(repair: &Repair, lang: Lang) -> RepairDto {
        let Repair { change, tile, p, total, range, legal, hand } = repair;
        RepairDto {
            change: change.name().into(),
            tile: *tile,
            from: change.from().map(|face| face.to_string()),
            to: change.to().map(|face| face.to_string()),
            told: change.said(lang),
            p: short(*p),
            total: *total,
            least: range.as_ref().map(|range| range.least),
            most: range.as_ref().map(|range| range.most),
            legal: *legal,
            hand: Notation::of(hand.clone()).to_string(),
        }
    }
}

/// Candidates that are listed for a tile, and the least probability of one.
const CANDIDATES: usize = 5;
const LEAST: f32 = 0.001;

/// A tile counts as a red five above this probability.
const RED: f32 = 0.5;

impl ReadingDto {
    /// A reading with the names of its fans in one language.
    #[must_use]
    pub fn new(reading: &Reading, lang: Lang) -> ReadingDto {
        let totals = PossibleTotals::of_reading(reading);
        let minimum = reading.ruleset.rules().minimum();
        let possible = totals.range.as_ref().map(|range| TotalRangeDto::new(range, minimum, lang));
        let repairs = reading.repairs();
        ReadingDto {
            status: reading.status,
            mirrored: reading.mirrored,
            hand: HandDto::from(&reading.hand),
            supposed_winning_tile: reading.supposed_winning.map(|tile| tile.to_string()),
            probability: short(reading.probability),
            tiles_probability: short(reading.tiles_probability),
            score_probability: short(reading.score_probability),
            conventions: reading.conventions,
            tiles: reading.tiles.iter().map(|tile| TileDto::new(tile, reading)).collect(),
            hands_in_view: hands_in_view(reading),
            photos: photos(&reading.photos, lang),
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
            no_score: NoScore::of(reading)
                .map(|reason| NoScoreDto { kind: reason.kind(), detail: reason.said(lang) }),
        }
    }
}

/// Listed where there are several: one hand alone leaves no choice.
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
            notation: Notation::of(hand.clone()).to_string(),
        }
    }
}

impl TileDto {
    fn new(tile: &ReadTile, reading: &Reading) -> TileDto {
        let candidates = tile.seen.faces.candidates(LEAST).into_iter().take(CANDIDATES);
        TileDto {
            tile: name(tile.face),
            polygon: polygon(&tile.seen.quad, reading.size),
            face_up: tile.face != Some(Face::Back),
            sideways: tile.sideways,
            score: short(tile.seen.score),
            p: short(tile.seen.faces.of(tile.face)),
            red: is_red_five(tile),
            candidates: candidates
                .map(|(face, p)| CandidateDto { tile: name(face), p: short(p) })
                .collect(),
            role: tile.role,
            group: tile.group,
            meld: tile.meld,
            ignored: tile.ignored,
            photo: tile.named_from(),
            looks: looks(tile, &reading.photos),
        }
    }
}

/// The corners of an outline, within a photo of this size.
fn polygon(quad: &Quad, (width, height): (u32, u32)) -> [[f32; 2]; 4] {
    let within = |at: f32, side: u32| (at.clamp(0.0, side as f32) * 10.0).round() / 10.0;
    quad.0.map(|corner| [within(corner.x, width), within(corner.y, height)])
}

/// Where each of several photos shows a tile.
fn looks(tile: &ReadTile, photos: &[PhotoOfHand]) -> Vec<LookDto> {
    let looks = tile.looks.iter().flat_map(|looks| looks.by_photo(tile.face));
    let look = |PhotoLook { photo, outline, p }| {
        let size = photos.get(photo)?.size;
        Some(LookDto { photo, polygon: polygon(&outline, size), p: short(p) })
    };
    looks.filter_map(look).collect()
}

/// The photos of the hand, their reasons in a language.
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
        reason: photo.left_out.map(|why| why.said(lang)),
    });
    photos.collect()
}

/// Only fives have a red variant, whatever the network says of other faces.
fn is_red_five(tile: &ReadTile) -> bool {
    let number = tile.face.and_then(|face| face.tile()).and_then(|tile| tile.number());
    number == Some(5) && tile.seen.red > RED
}

/// The doubts in a language, each with its own id.
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

/// Doubts with the totals that each of their answers leaves, where these are several.
pub(super) fn with_ends(doubts: Vec<DoubtDto>, ends: &[Vec<Option<Ends>>]) -> Vec<DoubtDto> {
    let with_ends = |(doubt, ends): (DoubtDto, &Vec<Option<Ends>>)| {
        let answers = doubt.alternatives.into_iter().zip(ends);
        let several = |ends: &Option<Ends>| ends.filter(|(least, most)| least < most);
        let alternatives = answers.map(|(one, ends)| {
            let (least, most) = several(ends).unzip();
            AlternativeDto { least, most, ..one }
        });
        DoubtDto { alternatives: alternatives.collect(), ..doubt }
    };
    doubts.into_iter().zip(ends).map(with_ends).collect()
}

/// A doubt about more tiles than a kong has is about the hand as a whole, and is named without
/// them.
const MOST_NAMED_TILES: usize = 4;

impl DoubtDto {
    /// What a doubt is called: its kind, with the tiles or the field that it is about.
    fn name_of(doubt: &Doubt) -> String {
        let kind = doubt.kind.name().to_owned();
        let few = doubt.tiles.len() <= MOST_NAMED_TILES;
        let tiles = doubt.tiles.iter().filter(|_| few && doubt.field.is_none());
        let field = doubt.field.map(|field| field.name().to_owned());
        let about = field.into_iter().chain(tiles.map(usize::to_string));
        std::iter::once(kind).chain(about).collect::<Vec<_>>().join("-")
    }

    /// A doubt with its question in a language.
    fn new(doubt: &Doubt, lang: Lang) -> DoubtDto {
        let alternatives = doubt.alternatives.iter().map(|answer| AlternativeDto {
            answer: answer.answer.clone(),
            p: short(answer.p),
            total: answer.total,
            least: None,
            most: None,
            hand: answer.hand.clone().map(|hand| Notation::of(hand).to_string()),
            payments: answer.payments.as_ref().map(PaymentsDto::from),
        });
        DoubtDto {
            id: String::new(),
            kind: doubt.kind,
            tiles: doubt.tiles.clone(),
            question: doubt.question.said(lang),
            alternatives: alternatives.collect(),
            field: doubt.field.map(|field| format!("context.{field}")),
            affects_score: doubt.affects_score,
        }
    }
}

/// Four digits: more would only be noise.
fn short(p: f32) -> f32 {
    (p * 10_000.0).round() / 10_000.0
}

/// Returns the problem of a photo in which no hand was found.
#[must_use]
pub fn no_hand_problem(reading: &Reading) -> Problem {
    Problem::of(ProblemKind::NoHand, &NoHand::of(reading))
}

impl From<&Problem> for NoScoreDto {
    /// Why a hand that was corrected has no score.
    fn from(problem: &Problem) -> NoScoreDto {
        let is_about = |field: &str| problem.errors.iter().any(|error| error.field == field);
        let kind = match problem.kind {
            ProblemKind::NotAWin => NoScoreKind::NotAWin,
            ProblemKind::InvalidContext if is_about("context.won") => NoScoreKind::NotWon,
            ProblemKind::InvalidContext => NoScoreKind::InvalidContext,
            ProblemKind::NoHand => NoScoreKind::NoHand,
            _ if is_about("hand.flowers") => NoScoreKind::FlowersNotPlayed,
            _ => NoScoreKind::InvalidHand,
        };
        NoScoreDto { kind, detail: problem.detail.to_string() }
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
                    | DecodeError::TooLong { .. } => ProblemKind::TooLarge,
                    _ => ProblemKind::UnreadableImage,
                };
                Problem::of(kind, &PhotoFault(error))
            }
            ReadError::Context(error) => {
                Problem::with_errors(ProblemKind::InvalidContext, vec![FieldError::from(error)])
            }
            ReadError::Outside(error) => {
                let errors = vec![FieldError::of(error.pointer.name(), error)];
                Problem::with_errors(ProblemKind::InvalidContext, errors)
            }
            ReadError::Rules(error) => Problem::from(error),
            ReadError::Model(error) => Problem::new(ProblemKind::Internal, error.to_string()),
        }
    }
}
