//! An itemised score: what counts, by which sets, what does not, and who pays whom.
//!
//! The same shape for every rule set. Invariant: every award keeps the sets that earned it, so an
//! explanation is a walk over the awards; payments sum to zero.

use crate::context::{ContextField, Feeder};
use crate::settle::Payments;
use crate::tile::Tile;

use super::rule::{Halves, Rule, Worth};
use super::{Reach, RulesetId};

/// An itemised score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    /// The rules that were applied; `None` for an engine with custom options.
    pub ruleset: Option<RulesetId>,
    /// What hands are compared by: in MCR the sum of all points, flowers included; where points are
    /// doubled, the points after doubling or what the table of values says.
    pub total: u32,
    /// How the total came about, where points are doubled.
    pub doubling: Option<Doubling>,
    /// What the hand must reach to be a legal win, and what it has.
    pub minimum: Minimum,
    /// What the winner is paid for. In MCR the same as `total`; other rules can cap it.
    pub value: u32,
    /// The lines that count, in the order of the rules: in MCR by falling points, then by number.
    pub awards: Vec<Award>,
    /// The lines that the hand also shows but that do not count.
    pub excluded: Vec<Exclusion>,
    /// The chosen decomposition: melds in their order, then concealed sets, the pair last.
    pub sets: Vec<ScoredSet>,
    /// Other decompositions of the same tiles, by falling total; each worth no more than the chosen
    /// one.
    pub runners_up: Vec<RunnerUp>,
    /// What would have made the hand legal, where it is not and little was missing.
    pub within_reach: Vec<Reach>,
    /// Who pays whom; nobody pays for a hand that is not a legal win.
    pub payments: Payments,
    /// Who was taken for the feeder of the set that decides who pays, where nobody said and players
    /// differ: then the payments hang on [`ContextField::Feeder`].
    pub assumed_feeder: Option<Feeder>,
}

impl Score {
    /// Whether the hand reaches the minimum.
    #[must_use]
    pub const fn is_legal(&self) -> bool {
        self.minimum.missing() == 0
    }

    /// The win context that were assumed, by the one that completed the context and by the engine.
    #[must_use]
    pub fn assumed(&self, in_context: &[ContextField]) -> Vec<ContextField> {
        let by_engine = self.assumed_feeder.map(|_| ContextField::Feeder);
        in_context.iter().copied().chain(by_engine).collect()
    }
}

/// How points, doublings and limits became a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Doubling {
    /// The points before doubling.
    pub points: u32,
    /// The doublings, before any cap.
    pub doublings: Halves,
    /// What the hand is worth in limits; 0 if it is not a limit hand.
    pub limits: Halves,
    /// Whether a limit or the highest doubling cut the total.
    pub capped: bool,
    /// What points are cut to; `None` where they never are, or by the highest doubling alone.
    pub limit: Option<u32>,
}

impl Doubling {
    /// The limit that one more doubling would reach.
    #[must_use]
    pub fn limit_in_reach(&self) -> Option<u32> {
        let limit = self.limit.filter(|_| self.limits == Halves(0))?;
        let after = |doublings: u32| {
            let factor = 2_u32.checked_pow(doublings).unwrap_or(u32::MAX);
            self.points.saturating_mul(factor)
        };
        let now = self.doublings.0 / 2;
        (after(now) < limit && after(now + 1) >= limit).then_some(limit)
    }
}

/// What a hand must reach to be a legal win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Minimum {
    /// What must be reached; 0 where every winning hand is legal.
    pub needed: u32,
    /// What the hand has towards it: in MCR its points without flowers.
    pub reached: u32,
    /// What is counted.
    pub unit: Unit,
}

impl Minimum {
    /// How much is missing; 0 for a legal win.
    #[must_use]
    pub const fn missing(&self) -> u32 {
        self.needed.saturating_sub(self.reached)
    }
}

/// What a minimum is counted in.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = MinimumUnit)]
pub enum Unit {
    /// Points.
    Points,
    /// Doublings.
    Doublings,
}

/// A line that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Award {
    /// The line.
    pub rule: &'static Rule,
    /// What one is worth under the options.
    pub worth: Worth,
    /// How often it counts.
    pub count: u32,
    /// The sets that form it, one list for each time it counts; empty where the whole hand or the
    /// win context do.
    pub sets: Vec<Vec<ScoredSet>>,
    /// The context fields that decide whether it counts, besides the tiles.
    pub needs: &'static [ContextField],
}

impl Award {
    /// Points of one times count; 0 for doublings and limits.
    #[must_use]
    pub const fn points(&self) -> u32 {
        self.worth.points() * self.count
    }
}

/// A line that the hand shows but that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    /// The line that does not count.
    pub rule: &'static Rule,
    /// The line that excludes it.
    pub by: &'static Rule,
    /// How often it would have counted.
    pub count: u32,
    /// The principle that excludes it.
    pub reason: ExclusionReason,
}

/// Why a line does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExclusionReason {
    /// Non-repeat: the other line can't be had without this one.
    Implied,
    /// Non-identical: a set of it was used for the same line already.
    SameFanTwice,
    /// The other line counts alone: a limit hand is worth its limit and nothing more.
    CountsAlone,
    /// Account once: its sets are already bound together by other lines.
    AccountOnce,
    /// The winning tile is one of the nine knitted tiles of the other line, and by these rules a
    /// wait for such a tile does not count.
    KnittedTile,
}

/// A set of the chosen decomposition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredSet {
    /// What kind of set it is.
    pub kind: SetKind,
    /// Its tiles in order.
    pub tiles: Vec<Tile>,
    /// Whether it counts as concealed: neither melded nor, for a pung, completed by a discard.
    pub concealed: bool,
    /// Whether the winning tile completed it in this decomposition.
    pub winning: bool,
}

/// The kinds of sets that decompositions are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SetKind {
    /// Three consecutive tiles of a suit.
    Chow,
    /// Three of a kind.
    Pung,
    /// Four of a kind.
    Kong,
    /// Two of a kind.
    Pair,
    /// 1-4-7, 2-5-8 and 3-6-9 in three suits: nine tiles.
    Knitted,
    /// Tiles that belong to a special hand one by one, or to no set.
    Singles,
}

/// Another decomposition of the same tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerUp {
    /// What the hand would score read like this.
    pub total: u32,
    /// Its sets, as in [`Score::sets`].
    pub sets: Vec<ScoredSet>,
    /// Its lines, as in [`Score::awards`].
    pub awards: Vec<Award>,
}

/// A line and how often it counts, without what forms it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineCount {
    /// The line.
    pub rule: &'static Rule,
    /// What one is worth.
    pub worth: Worth,
    /// How often.
    pub count: u32,
}

impl RunnerUp {
    /// The lines that another decomposition has and this one has not, or not as often.
    #[must_use]
    pub fn lacks(&self, chosen: &[Award]) -> Vec<LineCount> {
        more_often(chosen, &self.awards)
    }

    /// The lines that this decomposition has and another has not, or not as often.
    #[must_use]
    pub fn has_beyond(&self, chosen: &[Award]) -> Vec<LineCount> {
        more_often(&self.awards, chosen)
    }
}

/// The lines of some awards that count more often than among others, and how much more often.
pub(super) fn more_often(awards: &[Award], others: &[Award]) -> Vec<LineCount> {
    let lines = awards.iter().map(|&Award { rule, worth, count, .. }| {
        let other = others.iter().find(|other| other.rule == rule);
        let count = count.saturating_sub(other.map_or(0, |other| other.count));
        LineCount { rule, worth, count }
    });
    lines.filter(|line| line.count > 0).collect()
}
