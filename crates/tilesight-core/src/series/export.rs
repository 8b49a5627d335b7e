//! Tables of a series for spreadsheets.
//!
//! Output: CSV as in RFC 4180: the standings, one line for each player; the results, one line for
//! each table, in the form that [`read_results`](super::read_results) reads. Invariant: a name is
//! never taken for a formula.

use std::fmt;

use serde::Deserialize;

use super::ranking::Order;
use super::standings::{PlayedRound, Presence, standings};
use super::{Chair, Progress, Score};
use crate::spreadsheet::{line, text};

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

    /// Returns the table as CSV; standings are those after a round, or after the last one that has
    /// a result.
    #[must_use]
    pub fn csv(self, progress: &Progress, round: Option<u32>) -> String {
        match self {
            SeriesTableKind::Standings => {
                standings_csv(progress, round.unwrap_or_else(|| progress.last_played()) as usize)
            }
            SeriesTableKind::Results => results_csv(progress),
        }
    }
}

impl fmt::Display for SeriesTableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the standings after the first rounds.
#[must_use]
pub fn standings_csv(progress: &Progress, rounds: usize) -> String {
    let shown = rounds.min(progress.rounds.len());
    let mut head: Vec<String> = [
        "place",
        "player",
        "rounds",
        "table_points",
        "points",
        "result",
        "penalty_table_points",
        "penalty_points",
    ]
    .map(str::to_owned)
    .to_vec();
    head.extend((1..=shown).map(|round| format!("round_{round}")));
    let mut out = line(&head);
    for one in standings(progress, rounds) {
        let mut cells = vec![
            one.place.to_string(),
            text(progress.name_of(one.player)),
            one.played.to_string(),
            one.score.table_points.as_f64().to_string(),
            one.score.points.to_string(),
            one.score.result.to_string(),
            one.penalty.table_points.as_f64().to_string(),
            one.penalty.points.to_string(),
        ];
        cells.extend(one.rounds.iter().map(|round| cell(round, progress.ranking.order)));
        out.push_str(&line(&cells));
    }
    out
}

/// Returns the number of a round that decides places, in brackets if the round does not count.
fn cell(round: &PlayedRound, order: Order) -> String {
    match (round.score, round.presence) {
        (Some(score), _) if round.counts => deciding(&score, order),
        (Some(score), _) => format!("({})", deciding(&score, order)),
        (None, Presence::Rested) => "rested".to_owned(),
        (None, Presence::Absent) => "absent".to_owned(),
        (None, Presence::Substituted) => "substituted".to_owned(),
        (None, Presence::Played) => String::new(),
    }
}

fn deciding(score: &Score, order: Order) -> String {
    match order {
        Order::TablePoints => score.table_points.as_f64().to_string(),
        Order::Uma => score.result.to_string(),
        Order::Points => score.points.to_string(),
    }
}

/// Returns the results of all tables; tables without a result have empty points.
#[must_use]
pub fn results_csv(progress: &Progress) -> String {
    let chairs = 1..=progress.seats();
    let mut head = vec!["round".to_owned(), "table".to_owned()];
    head.extend(chairs.flat_map(|chair| [format!("player_{chair}"), format!("points_{chair}")]));
    let mut out = line(&head);
    for (round, tables) in progress.rounds.iter().enumerate() {
        for (number, table) in tables.tables.iter().enumerate() {
            let mut cells = vec![(round + 1).to_string(), (number + 1).to_string()];
            for (at, chair) in table.chairs.iter().enumerate() {
                let points = table.result.as_ref().map(|result| result.points[at].to_string());
                cells.extend([name(progress, chair), points.unwrap_or_default()]);
            }
            out.push_str(&line(&cells));
        }
    }
    out
}

/// Returns the name on a chair; guests are in brackets.
fn name(progress: &Progress, chair: &Chair) -> String {
    let player = chair.player.map(|player| progress.name_of(player));
    text(&match (player, &chair.guest) {
        (Some(player), Some(guest)) => format!("{player} ({guest})"),
        (None, Some(guest)) => format!("({guest})"),
        (player, None) => player.unwrap_or_default().to_owned(),
    })
}
