//! Errors on changing a series.

use crate::contract::{FieldError, Problem, ProblemKind};
use crate::evening::GameError;
use crate::rules::RulesetId;

use super::SeriesPlayer;

/// Error when an action can't be applied. The series stays unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// The series was finished.
    Over,
    /// A title without a character.
    NoTitle,
    /// More players than a series may have.
    TooManyPlayers {
        /// Name of the field.
        field: &'static str,
        /// Maximum number of players.
        max: usize,
    },
    /// The player does not exist.
    NoPlayer {
        /// Name of the field.
        field: &'static str,
        /// The player.
        player: SeriesPlayer,
    },
    /// The round was not seated.
    NoRound(u32),
    /// The round has no such table.
    NoTable {
        /// The round.
        round: u32,
        /// The table.
        table: u32,
    },
    /// The table has no result.
    NoResult {
        /// The round.
        round: u32,
        /// The table.
        table: u32,
    },
    /// A round that is not the next one, or that has begun.
    NotNext {
        /// The round.
        round: u32,
        /// The next round.
        next: u32,
    },
    /// More rounds than a series may have.
    TooManyRounds {
        /// Name of the field.
        field: &'static str,
        /// Maximum number of rounds.
        max: usize,
    },
    /// Fewer players are present than a table has seats.
    TooFew {
        /// Number of players who are present.
        present: usize,
        /// Number of seats of a table.
        seats: usize,
    },
    /// A table with more or fewer chairs than seats.
    TableSize {
        /// Name of the field.
        field: &'static str,
        /// Number of seats.
        seats: usize,
    },
    /// A chair that names nobody, with the name of the field.
    EmptyChair(&'static str),
    /// A player on two chairs of a round, or on one although absent.
    Twice {
        /// Name of the field.
        field: &'static str,
        /// Name of the player.
        name: String,
    },
    /// A guest with the name of a player.
    GuestIsPlayer {
        /// Name of the field.
        field: &'static str,
        /// Name of the player.
        name: String,
    },
    /// A substitute who is named twice.
    TwoSubstitutes,
    /// A player who does not sit at a table of the round.
    NotSeated {
        /// Name of the player.
        name: String,
        /// The round.
        round: u32,
    },
    /// More or fewer points than chairs.
    NumberOfPoints(usize),
    /// Points of a table that do not add up.
    Unbalanced {
        /// Sum of the points.
        sum: i64,
        /// Sum of the points at the start.
        whole: i64,
    },
    /// Too many points to be added up.
    TooManyPoints {
        /// Name of the field.
        field: &'static str,
        /// Maximum number of points.
        max: u32,
    },
    /// A list of the ranking that has not one number for each seat.
    RankingLength {
        /// Name of the list.
        list: &'static str,
        /// Number of seats.
        seats: usize,
    },
    /// A game that is played by other rules than the series.
    OtherRules {
        /// Rules of the game.
        found: RulesetId,
        /// Rules of the series.
        expected: RulesetId,
    },
    /// Other players than those who were seated, or in another order.
    OtherPlayers {
        /// Name of the field.
        field: &'static str,
        /// The round.
        round: u32,
        /// The table.
        table: u32,
    },
    /// No table of the round has an evening that is over.
    NothingToCollect,
    /// Cells of a table of results that are wrong.
    Rows(Vec<CellFault>),
    /// More changes than a series needs.
    Full(usize),
    /// Changes that take more space than a series needs.
    TooLarge(usize),
    /// A fault that an evening can have too.
    Game(#[from] GameError),
}

/// A cell of a table of results that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellFault {
    /// Line in the file, from 1.
    pub line: u64,
    /// Name of the column.
    pub column: String,
    /// Fault of the cell.
    pub fault: RowFault,
}

/// Fault of a cell in a table of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowFault {
    /// The table has no such column.
    NoColumn,
    /// The table has no rows.
    NoRows,
    /// The cell is empty.
    Empty,
    /// The cell has no whole number.
    NotANumber(String),
    /// No player has this name.
    UnknownName(String),
    /// The name was in the row before.
    NameTwice(String),
    /// The table was in an earlier row.
    TableTwice(u64),
    /// The points of the row do not add up.
    Unbalanced {
        /// Sum of the points.
        sum: i64,
        /// Sum of the points at the start.
        whole: i64,
    },
    /// A round after one that is missing, or a table after one that is missing.
    Gap(u32),
}

impl SeriesError {
    /// Returns the field that is wrong, named as in a request; empty if the error is about the
    /// whole series.
    #[must_use]
    pub fn field(&self) -> &str {
        match self {
            SeriesError::NoTitle => "title",
            SeriesError::TooManyPlayers { field, .. }
            | SeriesError::NoPlayer { field, .. }
            | SeriesError::TooManyRounds { field, .. }
            | SeriesError::TableSize { field, .. }
            | SeriesError::EmptyChair(field)
            | SeriesError::Twice { field, .. }
            | SeriesError::GuestIsPlayer { field, .. }
            | SeriesError::TooManyPoints { field, .. }
            | SeriesError::OtherPlayers { field, .. } => field,
            SeriesError::NotSeated { .. } => "player",
            SeriesError::NoRound(_) | SeriesError::NotNext { .. } => "round",
            SeriesError::NoTable { .. } | SeriesError::NoResult { .. } => "table",
            SeriesError::TooFew { .. } => "absent",
            SeriesError::TwoSubstitutes => "guest",
            SeriesError::NumberOfPoints(_) | SeriesError::Unbalanced { .. } => "points",
            SeriesError::RankingLength { .. } => "ranking",
            SeriesError::OtherRules { .. } => "game",
            SeriesError::Game(error) => error.field(),
            _ => "",
        }
    }
}

impl From<&SeriesError> for Problem {
    fn from(error: &SeriesError) -> Problem {
        let kind = match error {
            SeriesError::Game(error) => match Problem::from(error) {
                Problem { kind: ProblemKind::InvalidEntry, .. } => ProblemKind::InvalidSeries,
                other => return other,
            },
            _ => ProblemKind::InvalidSeries,
        };
        if let SeriesError::Rows(faults) = error {
            let errors = faults.iter().map(|one| {
                FieldError::from_message(format!("rows[{}].{}", one.line, one.column), one)
            });
            return Problem::with_errors(kind, errors.collect());
        }
        match error.field() {
            "" => Problem::from_message(kind, error),
            field => Problem::for_field(kind, field, error),
        }
    }
}
