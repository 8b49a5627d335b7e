//! The `score` of the contract: a [`Score`](crate::rules::Score) with names, explanations and the
//! context fields that got a default, for the winner and for the players who did not win.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::ContextDto;
use super::object;
use super::range::{TotalRangeDto, assumed_values};
use super::riichi::{FuPartDto, nullable};
use super::scored_set::SetDto;
use crate::context::{Context, ContextField, ContextSetup, Feeder};
use crate::explain::Lang;
use crate::rules::riichi::{Figures, Limit};
use crate::rules::{
    Award, Doubling, Exclusion, ExclusionReason, Halves, Reach, RulesetId, RunnerUp, Score,
    TableScore, TotalRange, Unit,
};
use crate::settle::Payments;
use crate::tile::{PrintedTile, Wind};

/// An itemised score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Score)]
pub struct ScoreDto {
    /// Rule set that was applied; `null` if the options are not those of a named rule set.
    pub ruleset: Option<RulesetId>,
    /// Points that hands are compared by: all points, flowers included; after doubling, if points
    /// are doubled.
    pub total: u32,
    /// Explanation of the total, if points are doubled; `null` if they are only added up.
    pub doubling: Option<DoublingDto>,
    /// Han of all lines, in riichi alone; of a yakuman 13 for each that is paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub han: Option<u32>,
    /// Fu, rounded up to tens (seven pairs: 25), in riichi alone; `null` for a yakuman, and for a
    /// hand without a yaku.
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
    /// Base points, from which every payment follows, in riichi alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<u32>,
    /// Parts of the fu, which add up to it, in riichi alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fu_parts: Option<Vec<FuPartDto>>,
    /// Points of the riichi sticks on the table, which the winner takes, in riichi alone. They were
    /// paid before, so neither `total` nor `payments` includes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sticks: Option<u32>,
    /// Minimum of a legal win; 0 if every winning hand is legal.
    pub minimum: u32,
    /// Unit of the minimum.
    pub minimum_unit: Unit,
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
    /// Tai that a player and the dealer owe each other besides: one, and more for each deal that
    /// the dealer stayed on; absent in games without tai.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer_tai: Option<u32>,
    /// Amount that counts towards the minimum: points without flowers, or doubles.
    pub towards_minimum: u32,
    /// Amount that is missing for a legal win.
    pub missing: u32,
    /// Whether the minimum is reached.
    pub legal: bool,
    /// Explanation of the total and of the minimum, in the requested language; empty if there is
    /// nothing to explain.
    #[serde(default)]
    pub verdict: String,
    /// Value that is settled. In games with faan it is what the table of payments has for them, in
    /// the smallest chips, in games of tai what a player owes without the tai of the dealer; 0
    /// below the minimum.
    pub value: u32,
    /// Lines that count: in MCR the fans, from most to fewest points.
    pub awards: Vec<AwardDto>,
    /// Lines that the hand shows but that do not count.
    pub excluded: Vec<ExclusionDto>,
    /// Changes that would have made the hand legal, if it is not and little was missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within_reach: Vec<ReachDto>,
    /// Gain or loss of every seat; all zero for a hand that is not a legal win.
    pub payments: PaymentsDto,
    /// Context fields that got a default; `feeder` only if the payments depend on it.
    pub assumed: Vec<ContextField>,
    /// The fields of `assumed` with their defaults, as `context` takes them.
    #[serde(
        default,
        skip_serializing_if = "ContextDto::is_empty",
        serialize_with = "ContextDto::serialize_given",
        deserialize_with = "object"
    )]
    #[schema(required = false)]
    pub assumed_values: ContextDto,
    /// Possible totals, if missing fields or a winning tile that the photo does not show change the
    /// total. `total` is only one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<TotalRangeDto>,
    /// Default for the feeder of the set that decides who pays, if `assumed` contains `feeder`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumed_feeder: Option<Feeder>,
    /// Red fives that count although none was named, because the hand has all four fives of the
    /// suit, in riichi alone: `0p`. They belong to the hand, so no field of `context` says
    /// otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed_red_fives: Vec<String>,
    /// Decomposition of the hand that scores most.
    pub sets: Vec<SetDto>,
    /// Other decompositions of the same tiles.
    pub runners_up: Vec<RunnerUpDto>,
    /// Values of the hands that did not win, in rule sets that score every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherScoreDto>,
    /// Seats whose hands would count but were not given. The payments do not include the payments
    /// between these seats and the others who did not win.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsettled: Vec<Wind>,
}

/// Score of a hand that did not win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = OtherScore)]
pub struct OtherScoreDto {
    /// Seat of the player.
    pub seat: Wind,
    /// Value of the hand.
    pub total: u32,
    /// Explanation of the total, if points are doubled.
    pub doubling: Option<DoublingDto>,
    /// Lines that count.
    pub awards: Vec<AwardDto>,
    /// Lines that the hand shows but that do not count.
    pub excluded: Vec<ExclusionDto>,
    /// Sets of the hand. Tiles that form no set are together at the end.
    pub sets: Vec<SetDto>,
}

/// Calculation of a total from points, doubles and limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Doubling)]
pub struct DoublingDto {
    /// Points before doubling.
    pub points: u32,
    /// Doubles before any cap, in steps of one half.
    #[schema(value_type = f64)]
    pub doublings: Halves,
    /// Value of the hand in limits; 0 for a hand that is not a limit hand.
    #[schema(value_type = f64)]
    pub limits: Halves,
    /// Whether a limit or the maximum number of doubles reduced the total.
    pub capped: bool,
    /// Limit that points are cut to; absent if the rules have no limit on points or only one on the
    /// number of doubles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A line that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Award)]
pub struct AwardDto {
    /// Code of the line, the same in all languages.
    pub code: Cow<'static, str>,
    /// Number of the line, if the rules number their lines, as those of the WMO do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// Reference to the paragraph in the rules.
    pub paragraph: String,
    /// Name of the line in the requested language.
    pub name: Cow<'static, str>,
    /// Points of one occurrence; 0 for doubles, limits, faan and tai.
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
    /// Sets that form the line, one list for each time it counts; empty if the whole hand or the
    /// win context forms it.
    pub sets: Vec<Vec<SetDto>>,
    /// Conditions of the line, in the requested language.
    pub explanation: Cow<'static, str>,
    /// Context fields with a default that this line depends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<ContextField>,
}

/// A line that does not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Exclusion)]
pub struct ExclusionDto {
    /// Code of the line that does not count.
    pub code: Cow<'static, str>,
    /// Code of the line that excludes it.
    pub by: Cow<'static, str>,
    /// Name of the line that does not count.
    pub name: Cow<'static, str>,
    /// Name of the line that excludes it.
    pub by_name: Cow<'static, str>,
    /// Number of times that the line would have counted.
    pub count: u32,
    /// `implied`, `same_fan_twice`, `account_once`, `counts_alone` or `knitted_tile`. Later
    /// versions may add others.
    pub reason: Cow<'static, str>,
}

/// A decomposition other than the one that was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = RunnerUp)]
pub struct RunnerUpDto {
    /// Total of the hand with this decomposition.
    pub total: u32,
    /// Reason why it was not chosen, in the requested language: the difference in value, and the
    /// lines that differ.
    #[serde(default)]
    pub why_not: String,
    /// Sets of the decomposition.
    pub sets: Vec<SetDto>,
    /// Lines of the decomposition.
    pub awards: Vec<AwardDto>,
}

/// A change that would have been enough for the minimum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Reach)]
pub struct ReachDto {
    /// `self_draw`, `nothing_called` or `nothing_called_and_self_draw`.
    pub change: Cow<'static, str>,
    /// Total of the hand with the change.
    pub total: u32,
    /// Codes of the lines that the change would have added.
    pub lines: Vec<Cow<'static, str>>,
    /// Description of the change and its effect, in the requested language.
    pub text: String,
}

/// Gain (positive) or loss of every seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = Payments)]
pub struct PaymentsDto {
    /// Gain or loss of East.
    pub e: i32,
    /// Gain or loss of South.
    pub s: i32,
    /// Gain or loss of West.
    pub w: i32,
    /// Gain or loss of North.
    pub n: i32,
}

impl ScoreDto {
    /// Builds the JSON of a score in a language. `assumed` are the context fields that got a
    /// default.
    #[must_use]
    pub fn new(score: &Score, assumed: &[ContextField], lang: Lang) -> ScoreDto {
        let riichi = score.riichi.as_ref();
        ScoreDto {
            ruleset: score.ruleset,
            total: score.total,
            doubling: score.doubling.map(DoublingDto::from),
            han: riichi.map(|figures| figures.han),
            fu: riichi.map(|figures| figures.fu),
            limit: riichi.map(|figures| figures.limit),
            yakuman: riichi.map(|figures| figures.yakuman),
            counted_yakuman: riichi.map(|figures| figures.counted_yakuman),
            base: riichi.map(|figures| figures.base),
            fu_parts: riichi.map(|figures| fu_parts(figures, lang)),
            sticks: riichi.map(|figures| figures.sticks),
            minimum: score.minimum.needed,
            minimum_unit: score.minimum.unit,
            faan: score.faan().map(|count| count.faan),
            raw_faan: score.faan().map(|count| count.raw),
            limit_hand: score.faan().map(|count| count.is_limit_hand),
            tai: score.tai().map(|count| count.tai),
            raw_tai: score.tai().map(|count| count.raw),
            dealer_tai: score.dealer_tai,
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
            assumed_values: ContextDto::default(),
            range: None,
            assumed_feeder: score.assumed_feeder,
            assumed_red_fives: riichi.map(assumed_red_fives).unwrap_or_default(),
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

    /// Builds the JSON of the scores of a table in a language. `assumed` are the context fields
    /// that got a default.
    #[must_use]
    pub fn from_table(table: &TableScore, assumed: &[ContextField], lang: Lang) -> ScoreDto {
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
    /// Returns this score with the defaults of its context, and the totals that other values allow.
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
    /// Builds the JSON of the score of a seat in a language.
    #[must_use]
    pub fn new(seat: Wind, score: &Score, assumed: &[ContextField], lang: Lang) -> OtherScoreDto {
        // The seat was given with the hand, even if the winner's seat got a default.
        let assumed: Vec<_> =
            assumed.iter().copied().filter(|&field| field != ContextField::Seat).collect();
        let ScoreDto { total, doubling, awards, excluded, sets, .. } =
            ScoreDto::new(score, &assumed, lang);
        OtherScoreDto { seat, total, doubling, awards, excluded, sets }
    }
}

/// Returns the codes of the red fives that count although nobody named them.
pub(crate) fn assumed_red_fives(figures: &Figures) -> Vec<String> {
    figures.assumed_reds.iter().map(PrintedTile::to_string).collect()
}

fn fu_parts(figures: &Figures, lang: Lang) -> Vec<FuPartDto> {
    figures.fu_parts.iter().map(|part| FuPartDto::new(part, lang)).collect()
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
            faan: award.worth.times(award.count).faan(),
            tai: award.worth.times(award.count).tai(),
            han: award.worth.han(),
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
            text: lang.enough(reach),
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
            e: payments.for_seat(Wind::East),
            s: payments.for_seat(Wind::South),
            w: payments.for_seat(Wind::West),
            n: payments.for_seat(Wind::North),
        }
    }
}
