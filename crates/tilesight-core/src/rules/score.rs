//! An itemized score: the lines that count with the sets that form them, the lines that do not
//! count, and the payments.
//!
//! All rule sets use the same structure. Invariant: every award keeps the sets that earned it, so
//! an explanation only lists the awards; payments sum to zero.

use crate::context::{ContextField, Feeder};
use crate::settle::Payments;

use super::RulesetId;
use super::riichi::figures::Figures;
use super::rule::{Halves, Rule, Worth};
use super::scored_set::ScoredSet;

/// An itemized score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    /// Rules that were applied; `None` for an engine with custom options.
    pub ruleset: Option<RulesetId>,
    /// Total by which hands are compared: in MCR the sum of all points, flowers included; where
    /// points are doubled, the points after doubling or the value of the table.
    pub total: u32,
    /// Calculation of the total, where points are doubled.
    pub doubling: Option<Doubling>,
    /// Han, fu and limit of a hand of riichi.
    pub riichi: Option<Figures>,
    /// Tai that a player and the dealer owe each other beside those of the hand, in games of tai.
    pub dealer_tai: Option<u32>,
    /// Minimum of a legal win, and the amount that the hand reaches.
    pub minimum: Minimum,
    /// Value that the winner is paid for. In MCR it equals `total`; other rules can cap it.
    pub value: u32,
    /// Lines that count, in the order of the rules: in MCR by falling points, then by number.
    pub awards: Vec<Award>,
    /// Lines that the hand also shows but that do not count.
    pub excluded: Vec<Exclusion>,
    /// Chosen decomposition: melds in their order, then concealed sets, the pair last.
    pub sets: Vec<ScoredSet>,
    /// Other decompositions of the same tiles, by falling total; each worth no more than the chosen
    /// one.
    pub runners_up: Vec<RunnerUp>,
    /// Changes that would have made the hand legal, if it is not legal and little was missing.
    pub within_reach: Vec<Reach>,
    /// Payments between the players; all zero for a hand that is not a legal win.
    pub payments: Payments,
    /// Feeder that was assumed for the set that decides who pays, if none was given and the
    /// payments depend on it: then [`ContextField::Feeder`] can change them.
    pub assumed_feeder: Option<Feeder>,
}

impl Score {
    /// Returns whether the hand reaches the minimum.
    #[must_use]
    pub const fn is_legal(&self) -> bool {
        self.minimum.missing() == 0
    }

    /// Returns the faan that the lines add up to; `None` in games without faan.
    #[must_use]
    pub fn faan(&self) -> Option<FaanCount> {
        if self.minimum.unit != Unit::Faan {
            return None;
        }
        let limit = self.awards.iter().find(|award| matches!(award.worth, Worth::FaanLimit(_)));
        let added = self.awards.iter().filter_map(|award| award.worth.times(award.count).faan());
        Some(match limit {
            Some(_) => FaanCount { faan: self.total, raw: self.total, is_limit_hand: true },
            None => FaanCount { faan: self.total, raw: added.sum(), is_limit_hand: false },
        })
    }

    /// Returns the tai of the hand; `None` in games without tai.
    #[must_use]
    pub fn tai(&self) -> Option<TaiCount> {
        let dealer = self.dealer_tai?;
        let added = self.awards.iter().filter_map(|award| award.worth.times(award.count).tai());
        Some(TaiCount { tai: self.total, raw: added.sum(), dealer })
    }

    /// Returns the fields of the win context that were assumed, when the context was completed and
    /// by the engine.
    #[must_use]
    pub fn assumed(&self, in_context: &[ContextField]) -> Vec<ContextField> {
        let by_engine = self.assumed_feeder.map(|_| ContextField::Feeder);
        in_context.iter().copied().chain(by_engine).collect()
    }
}

/// The calculation of a total from points, doublings and limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Doubling {
    /// Points before doubling.
    pub points: u32,
    /// Doublings, before any cap.
    pub doublings: Halves,
    /// Worth of the hand in limits; 0 if it is not a limit hand.
    pub limits: Halves,
    /// Whether a limit or the highest doubling reduced the total.
    pub capped: bool,
    /// Limit to which points are cut; `None` if they are never cut, or only by the highest
    /// doubling.
    pub limit: Option<u32>,
}

impl Doubling {
    /// Returns the limit that one more doubling would reach.
    #[must_use]
    pub(crate) fn limit_in_reach(&self) -> Option<u32> {
        let limit = self.limit.filter(|_| self.limits == Halves(0))?;
        let now = self.doublings.0 / 2;
        let reaches = self.doubled(now) < limit && self.doubled(now + 1) >= limit;
        reaches.then_some(limit)
    }

    /// Returns the points after a number of doublings, uncut.
    fn doubled(&self, times: u32) -> u32 {
        let factor = 2_u32.checked_pow(times).unwrap_or(u32::MAX);
        self.points.saturating_mul(factor)
    }
}

/// The faan of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaanCount {
    /// Faan, cut at the limit.
    pub faan: u32,
    /// Faan before the cut.
    pub raw: u32,
    /// Whether a line is worth the limit by itself.
    pub is_limit_hand: bool,
}

/// The tai of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaiCount {
    /// Tai, cut at the cap.
    pub tai: u32,
    /// Tai before the cut.
    pub raw: u32,
    /// Tai that a player and the dealer owe each other besides.
    pub dealer: u32,
}

/// The minimum of a legal win, and the amount that a hand reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Minimum {
    /// Amount to reach; 0 where every winning hand is legal.
    pub needed: u32,
    /// Amount that the hand reaches: in MCR its points without flowers.
    pub reached: u32,
    /// Unit of the amounts.
    pub unit: Unit,
}

impl Minimum {
    /// Returns the missing amount; 0 for a legal win.
    #[must_use]
    pub const fn missing(&self) -> u32 {
        self.needed.saturating_sub(self.reached)
    }
}

/// The unit of a minimum.
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
    /// Faan.
    Faan,
    /// Tai.
    Tai,
    /// Yaku, of which riichi needs one whatever the han of dora.
    Yaku,
}

/// A line that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Award {
    /// The line.
    pub rule: &'static Rule,
    /// Worth of one count of the line under the options.
    pub worth: Worth,
    /// Number of times that the line counts.
    pub count: u32,
    /// Sets that form the line, one list for each time it counts; empty if the whole hand or the
    /// win context forms it.
    pub sets: Vec<Vec<ScoredSet>>,
    /// Context fields that decide, besides the tiles, whether the line counts.
    pub needs: &'static [ContextField],
}

impl Award {
    /// Returns the points of all counts of the line; 0 for doublings and limits.
    #[must_use]
    pub const fn points(&self) -> u32 {
        self.worth.points() * self.count
    }
}

/// A line that the hand shows but that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    /// Line that does not count.
    pub rule: &'static Rule,
    /// Line that excludes it.
    pub by: &'static Rule,
    /// Number of times that the line would have counted.
    pub count: u32,
    /// Principle that excludes the line.
    pub reason: ExclusionReason,
}

/// The reason why a line does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExclusionReason {
    /// Non-repeat: the other line can't occur without this one.
    Implied,
    /// Non-identical: one of its sets was used for the same line already.
    SameFanTwice,
    /// Limit hands: the other line counts alone, because a limit hand is worth its limit and
    /// nothing more.
    CountsAlone,
    /// Account once: its sets are already combined by other lines.
    AccountOnce,
    /// Knitted tiles: the winning tile is one of the nine knitted tiles of the other line, and by
    /// these rules a wait for such a tile does not count.
    KnittedTile,
}

/// A decomposition of the same tiles that was not chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerUp {
    /// Total of the hand in this decomposition.
    pub total: u32,
    /// Sets, as in [`Score::sets`].
    pub sets: Vec<ScoredSet>,
    /// Lines, as in [`Score::awards`].
    pub awards: Vec<Award>,
}

/// A line and its count, without the sets that form it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineCount {
    /// The line.
    pub rule: &'static Rule,
    /// Worth of one count of the line.
    pub worth: Worth,
    /// Number of times that the line counts.
    pub count: u32,
}

impl RunnerUp {
    /// Returns the lines that the chosen decomposition has more often than this one.
    #[must_use]
    pub fn lacks(&self, chosen: &[Award]) -> Vec<LineCount> {
        more_often(chosen, &self.awards)
    }

    /// Returns the lines that this decomposition has more often than the chosen one.
    #[must_use]
    pub(crate) fn has_beyond(&self, chosen: &[Award]) -> Vec<LineCount> {
        more_often(&self.awards, chosen)
    }
}

/// Returns the lines of some awards that count more often than in others, with the difference.
pub(super) fn more_often(awards: &[Award], others: &[Award]) -> Vec<LineCount> {
    let lines = awards.iter().map(|&Award { rule, worth, count, .. }| {
        let other = others.iter().find(|other| other.rule == rule);
        let count = count.saturating_sub(other.map_or(0, |other| other.count));
        LineCount { rule, worth, count }
    });
    lines.filter(|line| line.count > 0).collect()
}

/// A change that would have been enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The change.
    pub change: Change,
    /// Total of the changed hand.
    pub total: u32,
    /// Lines that the changed hand has in addition.
    pub lines: Vec<LineCount>,
}

/// A change in how a hand came together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The winning tile drawn.
    SelfDraw,
    /// No set called.
    NothingCalled,
    /// No set called, and the winning tile drawn.
    NothingCalledAndSelfDraw,
}

impl Change {
    /// Returns the name of the change in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Change::SelfDraw => "self_draw",
            Change::NothingCalled => "nothing_called",
            Change::NothingCalledAndSelfDraw => "nothing_called_and_self_draw",
        }
    }

    pub(super) const fn draws(self) -> bool {
        matches!(self, Change::SelfDraw | Change::NothingCalledAndSelfDraw)
    }

    pub(super) const fn calls_nothing(self) -> bool {
        matches!(self, Change::NothingCalled | Change::NothingCalledAndSelfDraw)
    }
}
