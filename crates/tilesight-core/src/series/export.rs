//! Tables of a series for spreadsheets.
//!
//! Output: [`SheetTable`]s: the standings, one row for each player; the results, one row for each
//! table, in the form that [`read_results`](super::read_results) reads. Invariant: results that are
//! read again are those that were written.

use std::fmt;

use serde::Deserialize;

use super::ranking::Order;
use super::standings::{PlayedRound, Presence, Standing, standings};
use super::{Chair, Progress, Score, SeriesError, SeriesPlayer, Table};
use crate::evening::{Cell, SheetTable};

/// Columns of the standings before those of the rounds.
const OF_PLAYER: [&str; 8] = [
    "place",
    "player",
    "rounds",
    "table_points",
    "points",
    "result",
    "penalty_table_points",
    "penalty_points",
];

/// Word in the column of the tables for a row with players who rest.
pub(super) const REST: &str = "rest";

/// A table of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeriesTableKind {
    /// Standings, a row for each player.
    #[default]
    Standings,
    /// Results, a row for each table of a round.
    Results,
}

impl SeriesTableKind {
    /// All kinds.
    pub const ALL: [SeriesTableKind; 2] = [SeriesTableKind::Standings, SeriesTableKind::Results];

    /// Returns the name of the kind in requests and flags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SeriesTableKind::Standings => "standings",
            SeriesTableKind::Results => "results",
        }
    }

    /// Returns the table; standings are those after a round, or after the last one that has a
    /// result.
    ///
    /// # Errors
    /// [`SeriesError::NoRound`] if the round was not seated.
    pub fn table(self, progress: &Progress, round: Option<u32>) -> Result<SheetTable, SeriesError> {
        let round = progress.find_shown_round(round)?;
        Ok(match self {
            SeriesTableKind::Standings => standings_table(progress, round as usize),
            SeriesTableKind::Results => results_table(progress),
        })
    }
}

impl fmt::Display for SeriesTableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the standings after the first rounds.
#[must_use]
pub fn standings_table(progress: &Progress, rounds: usize) -> SheetTable {
    let shown = rounds.min(progress.rounds.len());
    let fixed = OF_PLAYER.into_iter().map(str::to_owned);
    let head = fixed.chain((1..=shown).map(|round| format!("round_{round}"))).collect();
    let rows = standings(progress, rounds).iter().map(|one| place(progress, one)).collect();
    SheetTable { head, rows }
}

/// Returns the cells of a player's place.
fn place(progress: &Progress, one: &Standing) -> Vec<Cell> {
    let fixed = [
        Cell::Number(one.place.into()),
        Cell::from_text(progress.name_of(one.player)),
        Cell::Number(one.played.into()),
        Cell::Decimal(one.score.table_points.as_f64()),
        Cell::Number(one.score.points),
        Cell::Number(one.score.result),
        Cell::Decimal(one.penalty.table_points.as_f64()),
        Cell::Number(one.penalty.points),
    ];
    let rounds = one.rounds.iter().map(|round| cell(round, progress.ranking.order));
    fixed.into_iter().chain(rounds).collect()
}

/// Returns the number of a round that decides places, in brackets if the round does not count.
fn cell(round: &PlayedRound, order: Order) -> Cell {
    match (round.score, round.presence) {
        (Some(score), _) if round.counts => Cell::Decimal(deciding(&score, order)),
        (Some(score), _) => Cell::Uncounted(deciding(&score, order)),
        (None, Presence::Rested) => Cell::Text("rested".to_owned()),
        (None, Presence::Absent) => Cell::Text("absent".to_owned()),
        (None, Presence::Substituted) => Cell::Text("substituted".to_owned()),
        (None, Presence::Played) => Cell::Empty,
    }
}

fn deciding(score: &Score, order: Order) -> f64 {
    match order {
        Order::TablePoints => score.table_points.as_f64(),
        Order::Uma => score.result as f64,
        Order::Points => score.points as f64,
    }
}

/// Returns the results of all tables, and who rested; tables without a result have empty points.
#[must_use]
pub fn results_table(progress: &Progress) -> SheetTable {
    let chairs = 1..=progress.seats();
    let fixed = ["round", "table"].map(str::to_owned).into_iter();
    let of_chairs = chairs.flat_map(|chair| [format!("player_{chair}"), format!("points_{chair}")]);
    let mut rows = Vec::new();
    for (round, seated) in (1..).zip(&progress.rounds) {
        let tables = (1..).zip(&seated.tables);
        rows.extend(tables.map(|(number, table)| result(progress, [round, number], table)));
        let resting = seated.resting.chunks(progress.seats());
        rows.extend(resting.map(|players| rest(progress, round, players)));
    }
    SheetTable { head: fixed.chain(of_chairs).collect(), rows }
}

/// Returns the cells of a row with players who rest.
fn rest(progress: &Progress, round: i64, players: &[SeriesPlayer]) -> Vec<Cell> {
    let mut cells = vec![Cell::Number(round), Cell::Text(REST.to_owned())];
    for &player in players {
        cells.extend([Cell::Text(name(progress, &Chair::for_player(player))), Cell::Empty]);
    }
    cells.resize(2 + 2 * progress.seats(), Cell::Empty);
    cells
}

/// Returns the cells of a table of a round, with the numbers of both.
fn result(progress: &Progress, numbers: [i64; 2], table: &Table) -> Vec<Cell> {
    let mut cells = numbers.map(Cell::Number).to_vec();
    for (at, chair) in table.chairs.iter().enumerate() {
        let points = table.result.as_ref().map(|result| Cell::Number(result.points[at].into()));
        cells.extend([Cell::from_text(name(progress, chair)), points.unwrap_or(Cell::Empty)]);
    }
    cells
}

/// Returns the name on a chair; guests are in brackets. A player whose own name ends with a bracket
/// has an empty pair behind it.
fn name(progress: &Progress, chair: &Chair) -> String {
    let player = chair.player.map(|player| progress.name_of(player));
    match (player, &chair.guest) {
        (Some(player), Some(guest)) => format!("{player} ({guest})"),
        (None, Some(guest)) => format!("({guest})"),
        (Some(player), None) if player.ends_with(')') => format!("{player} ()"),
        (player, None) => player.unwrap_or_default().to_owned(),
    }
}
