//! A series: a named list of evenings, such as a league, a tournament or a club's year.
//!
//! A [`Series`] is a rule set, rules of [ranking](Ranking), and a journal of changes: players come
//! and go, rounds are seated, results are entered for each table. [`Progress`] derives everything
//! else from these: the tables of each round, the standings after it and the record of each player.
//! [`seat`] plans the tables of the next round.
//!
//! Input: [`SeriesAction`]s. Output: the progress, or a [`SeriesError`] and an unchanged series. No
//! I/O, no clock: the caller passes the time. Invariants: the journal only grows, so corrections
//! and undos keep what was entered before; in a round each player sits at one table at most; after
//! each applied action the progress can be computed.

mod action;
mod apply;
mod career;
mod chair;
mod collect;
mod error;
mod export;
mod fields;
mod import;
mod journal;
mod messages;
mod placing;
mod progress;
mod ranking;
mod score;
mod search;
mod seating;
mod standings;
mod step;
mod stored;
mod view;

use serde::{Deserialize, Serialize};

use crate::contract::RequestFault;

pub use self::action::{ImportedRest, ImportedTable, SeriesAction, SeriesChange, SeriesChangeDto};
pub use self::career::{Career, LargestHand};
pub use self::chair::Chair;
pub use self::collect::{BestHand, CollectedTable, SeatHands, collect};
pub use self::error::{CellFault, RowFault, SeriesError};
pub use self::export::{SeriesTableKind, results_table, standings_table};
pub use self::import::{ResultRow, ResultTable, read_results};
pub use self::journal::{NewSeriesDto, Series};
pub use self::placing::{Outcome, place};
pub use self::progress::{Member, Penalty, Progress, Round, Table, TableResult};
pub use self::ranking::{FixedScore, Order, Ranking, RankingDto};
pub use self::score::{Score, Twelfths};
pub use self::seating::{Encounters, Seating, SeatingPlan, seat};
pub use self::standings::{PlayedRound, Presence, Standing, standings};
pub use self::stored::SeriesRecord;
pub use self::view::{
    CareerView, LargestHandView, MemberView, PenaltyView, PlayedRoundView, RoundView, SeatView,
    SeriesChangeView, SeriesState, SeriesSummary, SeriesView, StandingView, TableView,
};

/// Maximum number of players of a series.
pub const MAX_PLAYERS: usize = 200;
/// Maximum number of rounds of a series: two a week.
pub const MAX_ROUNDS: usize = 104;

/// A player of a series, numbered from 1 in the order in which they came.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(into = "u16", try_from = "u16")]
#[schema(value_type = u16, minimum = 1, maximum = 200)]
pub struct SeriesPlayer(u16);

impl SeriesPlayer {
    /// Returns the player at an index of the list of players.
    #[must_use]
    pub const fn from_index(index: usize) -> SeriesPlayer {
        SeriesPlayer(index as u16 + 1)
    }

    /// Returns the index of the player in the list of players.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl std::fmt::Display for SeriesPlayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl From<SeriesPlayer> for u16 {
    fn from(player: SeriesPlayer) -> u16 {
        player.0
    }
}

impl TryFrom<u16> for SeriesPlayer {
    type Error = RequestFault;

    fn try_from(number: u16) -> Result<SeriesPlayer, RequestFault> {
        if (1..=MAX_PLAYERS).contains(&usize::from(number)) {
            Ok(SeriesPlayer(number))
        } else {
            Err(RequestFault::NotASeriesPlayer)
        }
    }
}
