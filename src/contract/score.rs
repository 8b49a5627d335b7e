//! The `score` of the contract: a [`Score`](crate::rules::Score) with names, explanations and what
//! was assumed.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::context::ContextField;
use crate::explain::{self, Lang};
use crate::rules::{
    Award, Exclusion, ExclusionReason, Fan, RulesetId, RunnerUp, Score, ScoredSet, SetKind,
};
use crate::settle::Payments;
use crate::tile::{Tile, Wind};

/// An itemised score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Score))]
pub struct ScoreDto {
    /// The rules that were applied; `null` for options that are those of no named rules.
    pub ruleset: Option<RulesetId>,
    /// All points, flowers included.
    pub total: u32,
    /// What the hand must reach without flowers.
    pub minimum: u32,
    /// Whether it does.
    pub legal: bool,
    /// What is settled.
    pub value: u32,
    /// The points that count towards the minimum.
    pub without_flowers: u32,
    /// The points that are missing for a legal win.
    pub missing: u32,
    /// The fans that count, by falling points.
    pub awards: Vec<AwardDto>,
    /// The fans that the hand shows but that do not count.
    pub excluded: Vec<ExclusionDto>,
    /// What every seat gains or loses.
    pub payments: PaymentsDto,
    /// The fields of the context that nobody gave.
    pub assumed: Vec<ContextField>,
    /// The reading of the hand that scores most.
    pub sets: Vec<SetDto>,
    /// Other readings of the same tiles.
    pub runners_up: Vec<RunnerUpDto>,
}

/// A fan that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Award))]
pub struct AwardDto {
    /// The fan.
    pub code: Fan,
    /// Its WMO number.
    pub number: u8,
    /// Its name in the language that was asked for.
    pub name: Cow<'static, str>,
    /// The points of one.
    pub points: u32,
    /// How often it counts.
    pub count: u32,
    /// The sets that form it, one list for each time it counts; empty where the whole hand or the
    /// circumstances do.
    pub sets: Vec<Vec<SetDto>>,
    /// What it needs, in the language that was asked for.
    pub explanation: Cow<'static, str>,
    /// The assumed fields of the context that this line hangs on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<ContextField>,
}

/// A fan that does not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Exclusion))]
pub struct ExclusionDto {
    /// The fan that does not count.
    pub code: Fan,
    /// The fan that keeps it out.
    pub by: Fan,
    /// Its name.
    pub name: Cow<'static, str>,
    /// The name of the fan that keeps it out.
    pub by_name: Cow<'static, str>,
    /// How often it would have counted.
    pub count: u32,
    /// `implied`, `same_fan_twice` or `account_once`.
    pub reason: Cow<'static, str>,
}

/// A set of a reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = ScoredSet))]
pub struct SetDto {
    /// `chow`, `pung`, `kong`, `pair`, `knitted` or `singles`.
    pub kind: Cow<'static, str>,
    /// Its tiles.
    pub tiles: Vec<Tile>,
    /// Whether it counts as concealed.
    pub concealed: bool,
    /// Whether the winning tile completed it.
    pub winning: bool,
}

/// Another reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = RunnerUp))]
pub struct RunnerUpDto {
    /// What the hand would score read like this.
    pub total: u32,
    /// Its sets.
    pub sets: Vec<SetDto>,
    /// Its fans.
    pub awards: Vec<AwardDto>,
}

/// What every seat gains (positive) or loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Payments))]
pub struct PaymentsDto {
    /// East.
    pub e: i32,
    /// South.
    pub s: i32,
    /// West.
    pub w: i32,
    /// North.
    pub n: i32,
}

impl ScoreDto {
    /// A score in a language, with the fields of its context that were assumed.
    #[must_use]
    pub fn new(score: &Score, assumed: &[ContextField], lang: Lang) -> ScoreDto {
        ScoreDto {
            ruleset: score.ruleset,
            total: score.total,
            minimum: score.minimum,
            legal: score.legal,
            value: score.value,
            without_flowers: score.without_flowers(),
            missing: score.missing(),
            awards: awards(&score.awards, &score.sets, assumed, lang),
            excluded: score.excluded.iter().map(|one| ExclusionDto::new(one, lang)).collect(),
            payments: PaymentsDto::from(&score.payments),
            assumed: assumed.to_vec(),
            sets: score.sets.iter().map(SetDto::from).collect(),
            runners_up: score
                .runners_up
                .iter()
                .map(|other| RunnerUpDto::new(other, assumed, lang))
                .collect(),
        }
    }
}

fn awards(
    awards: &[Award],
    reading: &[ScoredSet],
    assumed: &[ContextField],
    lang: Lang,
) -> Vec<AwardDto> {
    let dtos = awards.iter().map(|award| {
        let needed = circumstances(award, reading);
        let depends_on = assumed.iter().filter(|field| needed.contains(field)).copied().collect();
        AwardDto { depends_on, ..AwardDto::new(award, lang) }
    });
    dtos.collect()
}

impl AwardDto {
    fn new(award: &Award, lang: Lang) -> AwardDto {
        let text = explain::fan(award.fan, lang);
        AwardDto {
            code: award.fan,
            number: award.fan.number(),
            name: text.name.into(),
            points: award.points,
            count: award.count,
            sets: award.sets.iter().map(|sets| sets.iter().map(SetDto::from).collect()).collect(),
            explanation: text.explanation.into(),
            depends_on: Vec::new(),
        }
    }
}

/// The circumstances that decide whether a fan of a reading counts, besides the tiles.
pub(crate) fn circumstances(award: &Award, reading: &[ScoredSet]) -> &'static [ContextField] {
    use ContextField::{Prevalent, Seat, Win};
    match award.fan {
        Fan::SeatWind => &[Seat],
        Fan::PrevalentWind => &[Prevalent],
        // A pung of a wind is one of these exactly when the wind is nobody's.
        Fan::PungOfTerminalsOrHonors if has_wind(award) => &[Seat, Prevalent],
        // A discard leaves the pung that it completes exposed.
        Fan::FourConcealedPungs | Fan::ThreeConcealedPungs | Fan::TwoConcealedPungs
            if won_on_pung(reading) =>
        {
            &[Win]
        }
        Fan::ChickenHand
        | Fan::LastTileDraw
        | Fan::LastTileClaim
        | Fan::OutWithReplacementTile
        | Fan::RobbingTheKong
        | Fan::MeldedHand
        | Fan::FullyConcealedHand
        | Fan::ConcealedHand
        | Fan::SelfDrawn => &[Win],
        _ => &[],
    }
}

fn won_on_pung(reading: &[ScoredSet]) -> bool {
    reading.iter().any(|set| set.winning && set.kind == SetKind::Pung)
}

fn has_wind(award: &Award) -> bool {
    award.sets.iter().flatten().flat_map(|set| &set.tiles).any(|tile| tile.is_wind())
}

impl ExclusionDto {
    fn new(exclusion: &Exclusion, lang: Lang) -> ExclusionDto {
        ExclusionDto {
            code: exclusion.fan,
            by: exclusion.by,
            name: explain::fan(exclusion.fan, lang).name.into(),
            by_name: explain::fan(exclusion.by, lang).name.into(),
            count: exclusion.count,
            reason: match exclusion.reason {
                ExclusionReason::Implied => "implied",
                ExclusionReason::SameFanTwice => "same_fan_twice",
                ExclusionReason::AccountOnce => "account_once",
            }
            .into(),
        }
    }
}

impl From<&ScoredSet> for SetDto {
    fn from(set: &ScoredSet) -> SetDto {
        let kind = match set.kind {
            SetKind::Chow => "chow",
            SetKind::Pung => "pung",
            SetKind::Kong => "kong",
            SetKind::Pair => "pair",
            SetKind::Knitted => "knitted",
            SetKind::Singles => "singles",
        };
        SetDto {
            kind: kind.into(),
            tiles: set.tiles.clone(),
            concealed: set.concealed,
            winning: set.winning,
        }
    }
}

impl RunnerUpDto {
    fn new(other: &RunnerUp, assumed: &[ContextField], lang: Lang) -> RunnerUpDto {
        RunnerUpDto {
            total: other.total,
            sets: other.sets.iter().map(SetDto::from).collect(),
            awards: awards(&other.awards, &other.sets, assumed, lang),
        }
    }
}

impl From<&Payments> for PaymentsDto {
    fn from(payments: &Payments) -> PaymentsDto {
        PaymentsDto {
            e: payments.of(Wind::East),
            s: payments.of(Wind::South),
            w: payments.of(Wind::West),
            n: payments.of(Wind::North),
        }
    }
}
