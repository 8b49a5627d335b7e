//! The `score` of the contract: a [`Score`](crate::rules::Score) with names, explanations and the
//! fields that got a default, for the winner and for those who did not win.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::range::{TotalRangeDto, assumed_values};
use crate::context::{Context, ContextField, ContextSetup, Feeder};
use crate::explain::Lang;
use crate::rules::{
    Award, Doubling, Exclusion, ExclusionReason, Halves, Reach, RulesetId, RunnerUp, Score,
    ScoredSet, SetKind, TableScore, TotalRange, Unit,
};
use crate::settle::Payments;
use crate::tile::{Tile, Wind};

/// An itemised score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Score)]
pub struct ScoreDto {
    /// The rules that were applied; `null` for options that are not those of a named rule set.
    pub ruleset: Option<RulesetId>,
    /// The points that hands are compared by: all points, flowers included; after doubling, where
    /// points are doubled.
    pub total: u32,
    /// How the total came about, where points are doubled; `null` where they are only added up.
    pub doubling: Option<DoublingDto>,
    /// What the hand must reach to be a legal win; 0 where every winning hand is one.
    pub minimum: u32,
    /// What the minimum is counted in.
    pub minimum_unit: Unit,
    /// What the hand has towards it: points without flowers, or doubles.
    pub towards_minimum: u32,
    /// How much of it is missing for a legal win.
    pub missing: u32,
    /// Whether the minimum is reached.
    pub legal: bool,
    /// How the total came about and whether the minimum is reached, in the requested
    /// language; empty where there is nothing to say.
    #[serde(default)]
    pub verdict: String,
    /// What is settled.
    pub value: u32,
    /// The lines that count: in MCR the fans, by falling points.
    pub awards: Vec<AwardDto>,
    /// The lines that the hand shows but that do not count.
    pub excluded: Vec<ExclusionDto>,
    /// What would have made the hand legal, where it is not and little was missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within_reach: Vec<ReachDto>,
    /// What every seat gains or loses; all zero for a hand that is not a legal win.
    pub payments: PaymentsDto,
    /// The fields of the context that got a default; `feeder` only where the payments depend on it.
    pub assumed: Vec<ContextField>,
    /// These fields with their defaults, as `context` takes them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub assumed_values: BTreeMap<ContextField, String>,
    /// The totals that are possible, where fields that were not given, or a winning tile that the
    /// photo does not show, change the total. `total` is only one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<TotalRangeDto>,
    /// The default for the feeder of the set that decides who pays, where `assumed` names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumed_feeder: Option<Feeder>,
    /// The decomposition of the hand that scores most.
    pub sets: Vec<SetDto>,
    /// Other decompositions of the same tiles.
    pub runners_up: Vec<RunnerUpDto>,
    /// What the hands of those who did not win are worth, in rule sets that score every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherScoreDto>,
    /// Seats whose hands would count and were not given: the payments do not include what these
    /// seats and the others who did not win pay each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsettled: Vec<Wind>,
}

/// The score of a hand that did not win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = OtherScore)]
pub struct OtherScoreDto {
    /// The player's seat.
    pub seat: Wind,
    /// What it is worth.
    pub total: u32,
    /// How the total came about, where points are doubled.
    pub doubling: Option<DoublingDto>,
    /// The lines that count.
    pub awards: Vec<AwardDto>,
    /// The lines that the hand shows but that do not count.
    pub excluded: Vec<ExclusionDto>,
    /// Its sets; tiles that form none stand together at the end.
    pub sets: Vec<SetDto>,
}

/// How points, doubles and limits became a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Doubling)]
pub struct DoublingDto {
    /// The points before doubling.
    pub points: u32,
    /// The doubles before any cap, in whole or half ones.
    #[schema(value_type = f64)]
    pub doublings: Halves,
    /// What the hand is worth in limits; 0 for a hand that is not a limit hand.
    #[schema(value_type = f64)]
    pub limits: Halves,
    /// Whether a limit or the highest number of doubles cut the total.
    pub capped: bool,
    /// What points are cut to; left out where they never are, or by the highest number of doubles
    /// alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A line that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Award)]
pub struct AwardDto {
    /// The line, the same in all languages.
    pub code: Cow<'static, str>,
    /// Its number, where the rules number their lines: those of the WMO.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// Where the rules say it.
    pub paragraph: String,
    /// Its name in the requested language.
    pub name: Cow<'static, str>,
    /// The points of one; 0 for doubles and limits.
    pub points: u32,
    /// The doubles of one, in whole or half ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub doublings: Option<Halves>,
    /// The limits of one, in whole or half ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub limits: Option<Halves>,
    /// How often it counts.
    pub count: u32,
    /// The sets that form it, one list for each time it counts; empty where the whole hand or the
    /// win context does.
    pub sets: Vec<Vec<SetDto>>,
    /// What it needs, in the requested language.
    pub explanation: Cow<'static, str>,
    /// The fields of the context with a default that this line depends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<ContextField>,
}

/// A line that does not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Exclusion)]
pub struct ExclusionDto {
    /// The line that does not count.
    pub code: Cow<'static, str>,
    /// The line that excludes it.
    pub by: Cow<'static, str>,
    /// Its name.
    pub name: Cow<'static, str>,
    /// The name of the line that excludes it.
    pub by_name: Cow<'static, str>,
    /// How often it would have counted.
    pub count: u32,
    /// `implied`, `same_fan_twice`, `account_once`, `counts_alone` or `knitted_tile`; later
    /// versions may have others.
    pub reason: Cow<'static, str>,
}

/// A set of a decomposition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = ScoredSet)]
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

/// Another decomposition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = RunnerUp)]
pub struct RunnerUpDto {
    /// What the hand would score by it.
    pub total: u32,
    /// Why it was not chosen, in the requested language: by how much it is worth less, and in
    /// which lines it differs.
    #[serde(default)]
    pub why_not: String,
    /// Its sets.
    pub sets: Vec<SetDto>,
    /// Its lines.
    pub awards: Vec<AwardDto>,
}

/// A change that would have been enough for the minimum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Reach)]
pub struct ReachDto {
    /// `self_draw`, `nothing_called` or `nothing_called_and_self_draw`.
    pub change: Cow<'static, str>,
    /// What the hand would have scored.
    pub total: u32,
    /// The lines that it would have had beyond those that it has, by their codes.
    pub lines: Vec<Cow<'static, str>>,
    /// The same in a sentence of the requested language.
    pub told: String,
}

/// What every seat gains (positive) or loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = Payments)]
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
    /// A score in a language, with the fields of its context that got a default.
    #[must_use]
    pub fn new(score: &Score, assumed: &[ContextField], lang: Lang) -> ScoreDto {
        ScoreDto {
            ruleset: score.ruleset,
            total: score.total,
            doubling: score.doubling.map(DoublingDto::from),
            minimum: score.minimum.needed,
            minimum_unit: score.minimum.unit,
            towards_minimum: score.minimum.reached,
            missing: score.minimum.missing(),
            legal: score.is_legal(),
            verdict: lang.labels().verdict(score),
            value: score.value,
            awards: awards(&score.awards, assumed, lang),
            excluded: score.excluded.iter().map(|one| ExclusionDto::new(one, lang)).collect(),
            within_reach: score.within_reach.iter().map(|one| ReachDto::new(one, lang)).collect(),
            payments: PaymentsDto::from(&score.payments),
            assumed: score.assumed(assumed),
            assumed_values: BTreeMap::new(),
            range: None,
            assumed_feeder: score.assumed_feeder,
            sets: score.sets.iter().map(SetDto::from).collect(),
            runners_up: score
                .runners_up
                .iter()
                .map(|other| RunnerUpDto::new(score, other, assumed, lang))
                .collect(),
            others: Vec::new(),
            unsettled: Vec::new(),
        }
    }

    /// The scores of a table in a language, with the fields of its context that were assumed.
    #[must_use]
    pub fn of_table(table: &TableScore, assumed: &[ContextField], lang: Lang) -> ScoreDto {
        let others = table.others.iter();
        ScoreDto {
            others: others
                .map(|(seat, score)| OtherScoreDto::new(*seat, score, assumed, lang))
                .collect(),
            unsettled: table.unknown.clone(),
            ..ScoreDto::new(&table.winner, assumed, lang)
        }
    }
}

impl ScoreDto {
    /// The same with the defaults of its context, and the totals that other values allow.
    #[must_use]
    pub fn with_assumptions(
        self,
        context: &Context,
        range: Option<&TotalRange>,
        lang: Lang,
    ) -> ScoreDto {
        let feeder = context.feeder.or(self.assumed_feeder);
        let context = ContextSetup { feeder, ..ContextSetup::from(*context) };
        let assumed_values = assumed_values(&self.assumed, context);
        let minimum = (self.minimum, self.minimum_unit);
        let range = range.map(|range| TotalRangeDto::new(range, minimum, lang));
        ScoreDto { assumed_values, range, ..self }
    }
}

impl OtherScoreDto {
    /// The score of a seat in a language.
    #[must_use]
    pub fn new(seat: Wind, score: &Score, assumed: &[ContextField], lang: Lang) -> OtherScoreDto {
        // The seat was given with the hand, even where the winner's got a default.
        let assumed: Vec<_> =
            assumed.iter().copied().filter(|&field| field != ContextField::Seat).collect();
        let ScoreDto { total, doubling, awards, excluded, sets, .. } =
            ScoreDto::new(score, &assumed, lang);
        OtherScoreDto { seat, total, doubling, awards, excluded, sets }
    }
}

fn awards(awards: &[Award], assumed: &[ContextField], lang: Lang) -> Vec<AwardDto> {
    awards.iter().map(|award| AwardDto::new(award, assumed, lang)).collect()
}

impl AwardDto {
    fn new(award: &Award, assumed: &[ContextField], lang: Lang) -> AwardDto {
        AwardDto {
            code: award.rule.code.into(),
            number: award.rule.number(),
            paragraph: award.rule.paragraph.to_string(),
            name: award.rule.name(lang).into(),
            points: award.worth.points(),
            doublings: award.worth.doublings(),
            limits: award.worth.limits(),
            count: award.count,
            sets: award.sets.iter().map(|sets| sets.iter().map(SetDto::from).collect()).collect(),
            explanation: award.rule.explanation(lang).into(),
            depends_on: assumed
                .iter()
                .filter(|field| award.needs.contains(field))
                .copied()
                .collect(),
        }
    }
}

impl ReachDto {
    fn new(reach: &Reach, lang: Lang) -> ReachDto {
        ReachDto {
            change: reach.change.name().into(),
            total: reach.total,
            lines: reach.lines.iter().map(|line| line.rule.code.into()).collect(),
            told: lang.enough(reach),
        }
    }
}

impl From<Doubling> for DoublingDto {
    fn from(doubling: Doubling) -> DoublingDto {
        let Doubling { points, doublings, limits, capped, limit } = doubling;
        DoublingDto { points, doublings, limits, capped, limit }
    }
}

impl ExclusionDto {
    fn new(exclusion: &Exclusion, lang: Lang) -> ExclusionDto {
        ExclusionDto {
            code: exclusion.rule.code.into(),
            by: exclusion.by.code.into(),
            name: exclusion.rule.name(lang).into(),
            by_name: exclusion.by.name(lang).into(),
            count: exclusion.count,
            reason: match exclusion.reason {
                ExclusionReason::Implied => "implied",
                ExclusionReason::SameFanTwice => "same_fan_twice",
                ExclusionReason::AccountOnce => "account_once",
                ExclusionReason::CountsAlone => "counts_alone",
                ExclusionReason::KnittedTile => "knitted_tile",
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
    fn new(score: &Score, other: &RunnerUp, assumed: &[ContextField], lang: Lang) -> RunnerUpDto {
        RunnerUpDto {
            total: other.total,
            why_not: lang.why_not(score, other),
            sets: other.sets.iter().map(SetDto::from).collect(),
            awards: awards(&other.awards, assumed, lang),
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
