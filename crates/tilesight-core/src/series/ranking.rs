//! The rules of ranking: what a table is worth, and which rounds count.
//!
//! Input: the law of a rule set, and what the organiser stated. Output: [`Ranking`]. Invariant: its
//! lists have one number for each seat of a table.

use serde::{Deserialize, Serialize};

use super::SeriesError;
use crate::rules::Profile;

/// Maximum number of points of a rule of ranking.
const MAX_POINTS: u32 = 1_000_000;
/// Table points of first, second and third place where the rule set defines none.
const USUAL_TABLE_POINTS: [u32; 4] = [4, 2, 1, 0];

/// The number that decides the places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SeriesOrder)]
pub enum Order {
    /// Table points; then points.
    TablePoints,
    /// Points with uma and oka; then points.
    Uma,
    /// Points; then table points.
    Points,
}

impl Order {
    /// All orders.
    pub const ALL: [Order; 3] = [Order::TablePoints, Order::Uma, Order::Points];

    /// Returns the name of the order in requests and flags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Order::TablePoints => "table_points",
            Order::Uma => "uma",
            Order::Points => "points",
        }
    }
}

/// Table points and points that are given or taken without a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FixedScore {
    /// Table points, negative if they are taken.
    #[serde(default)]
    #[schema(required = false, minimum = -1000000, maximum = 1000000)]
    pub table_points: i32,
    /// Points, negative if they are taken.
    #[serde(default)]
    #[schema(required = false, minimum = -1000000, maximum = 1000000)]
    pub points: i32,
}

/// Rules of ranking of a series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesRanking)]
pub struct Ranking {
    /// The number that decides the places.
    pub order: Order,
    /// Table points of each place at a table; equal players share theirs.
    pub table_points: Vec<u32>,
    /// Uma of each place at a table; equal players share theirs.
    pub uma: Vec<i32>,
    /// Points of each player at the start of a game: results may be entered with or without them.
    pub start: i32,
    /// Points that results are counted from; what the players are short of together is the oka, and
    /// goes to the first.
    pub target: i32,
    /// Number of best rounds of a player that count; 0 if all do.
    pub best: u32,
    /// Score of a round in which a player rests because the tables are full.
    pub rest: FixedScore,
    /// Whether a player has the score that a substitute made in their place.
    pub substitutes_count: bool,
}

/// Rules of ranking as they are stated: what is left out stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = NewSeriesRanking)]
pub struct RankingDto {
    /// The number that decides the places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// Table points of each place at a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 3, max_items = 4)]
    pub table_points: Option<Vec<u32>>,
    /// Uma of each place at a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 3, max_items = 4)]
    pub uma: Option<Vec<i32>>,
    /// Points of each player at the start of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<i32>,
    /// Points that results are counted from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<i32>,
    /// Number of best rounds of a player that count; 0 if all do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<u32>,
    /// Score of a round in which a player rests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<FixedScore>,
    /// Whether a player has the score that a substitute made in their place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub substitutes_count: Option<bool>,
}

impl FixedScore {
    /// Refuses numbers that could overflow a total.
    pub(super) fn check(self, field: &'static str) -> Result<(), SeriesError> {
        check_points(field, &[self.table_points, self.points])
    }
}

impl Ranking {
    /// Returns the usual rules of ranking of a rule set: by table points if it has some, by uma in
    /// riichi, by points otherwise.
    #[must_use]
    pub fn from_ruleset(ruleset: &Profile) -> Ranking {
        let law = ruleset.rules().law();
        let seats = ruleset.rules().seats().winds().len();
        let order = match (law.table_points, law.riichi) {
            (Some(_), _) => Order::TablePoints,
            (None, Some(_)) => Order::Uma,
            (None, None) => Order::Points,
        };
        let table_points = law.table_points.map_or(USUAL_TABLE_POINTS, |all| all.map(u32::from));
        let uma = law.riichi.map_or([0; 4], |riichi| riichi.uma);
        Ranking {
            order,
            table_points: table_points[..seats].to_vec(),
            uma: uma[..seats].to_vec(),
            start: law.riichi.map_or(0, |riichi| riichi.start),
            target: law.riichi.map_or(0, |riichi| riichi.target),
            best: 0,
            rest: FixedScore::default(),
            substitutes_count: false,
        }
    }

    /// Returns these rules with what is stated.
    ///
    /// # Errors
    /// [`SeriesError`] if a list has not one number for each seat, or a number is too large.
    pub(super) fn with(&self, stated: &RankingDto) -> Result<Ranking, SeriesError> {
        let RankingDto { order, table_points, uma, start, target, best, rest, substitutes_count } =
            stated.clone();
        let ranking = Ranking {
            order: order.unwrap_or(self.order),
            table_points: table_points.unwrap_or_else(|| self.table_points.clone()),
            uma: uma.unwrap_or_else(|| self.uma.clone()),
            start: start.unwrap_or(self.start),
            target: target.unwrap_or(self.target),
            best: best.unwrap_or(self.best),
            rest: rest.unwrap_or(self.rest),
            substitutes_count: substitutes_count.unwrap_or(self.substitutes_count),
        };
        ranking.check(self.table_points.len())?;
        Ok(ranking)
    }

    fn check(&self, seats: usize) -> Result<(), SeriesError> {
        let lists = [("table_points", self.table_points.len()), ("uma", self.uma.len())];
        for (list, length) in lists {
            if length != seats {
                return Err(SeriesError::RankingLength { list, seats });
            }
        }
        if self.table_points.iter().any(|&points| points > MAX_POINTS) {
            return Err(SeriesError::TooManyPoints { field: "ranking", max: MAX_POINTS });
        }
        check_points("ranking", &self.uma)?;
        check_points("ranking", &[self.start, self.target])?;
        self.rest.check("ranking")
    }
}

/// Refuses numbers that could overflow a total.
pub(super) fn check_points(field: &'static str, points: &[i32]) -> Result<(), SeriesError> {
    if points.iter().any(|points| points.unsigned_abs() > MAX_POINTS) {
        return Err(SeriesError::TooManyPoints { field, max: MAX_POINTS });
    }
    Ok(())
}
