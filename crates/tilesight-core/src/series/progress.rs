//! The progress of a series: its players, its rounds and their results, as the journal has them.

use super::collect::SeatHands;
use super::ranking::{FixedScore, Ranking};
use super::seating::Encounters;
use super::{Chair, SeriesError, SeriesPlayer};
use crate::evening::names::fold;

/// The progress of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Title of the series.
    pub title: String,
    /// Rules of ranking.
    pub ranking: Ranking,
    /// Number of rounds that are planned; 0 if that is open.
    pub planned: u32,
    /// Players, in the order of their numbers.
    pub players: Vec<Member>,
    /// Rounds, in order.
    pub rounds: Vec<Round>,
    /// Penalties and other points that were given by hand.
    pub penalties: Vec<Penalty>,
    /// Whether the series was finished.
    pub finished: bool,
}

/// A player of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Name of the player.
    pub name: String,
    /// Form of the name in which names that look alike are equal.
    pub(super) form: String,
    /// Whether the player is seated; one who left stays in the standings.
    pub active: bool,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Round {
    /// Tables, in the order of their numbers.
    pub tables: Vec<Table>,
    /// Players who rest, because the tables are full.
    pub resting: Vec<SeriesPlayer>,
}

/// A table of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Chairs, in the order of the first seats, East first.
    pub chairs: Vec<Chair>,
    /// Id of the evening that is played there.
    pub game: Option<String>,
    /// Result of the table.
    pub result: Option<TableResult>,
}

/// Result of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableResult {
    /// Gains and losses, in the order of the chairs.
    pub points: Vec<i32>,
    /// Hands of each chair, if the result is that of an evening.
    pub hands: Vec<SeatHands>,
}

/// Points that were given or taken by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Penalty {
    /// Number of the change that entered them.
    pub change: u32,
    /// Player whom they concern.
    pub player: SeriesPlayer,
    /// Round that they belong to, from 1.
    pub round: Option<u32>,
    /// Points, negative if they are taken.
    pub value: FixedScore,
    /// Reason, as it was typed.
    pub note: Option<String>,
}

impl Table {
    /// Returns a table before its result.
    #[must_use]
    pub const fn new(chairs: Vec<Chair>) -> Table {
        Table { chairs, game: None, result: None }
    }

    /// Returns the number of the chair of a player.
    #[must_use]
    pub fn chair_of(&self, player: SeriesPlayer) -> Option<usize> {
        self.chairs.iter().position(|chair| chair.player == Some(player))
    }
}

impl Round {
    /// Returns the table of a player and the chair there, both counted from 0.
    #[must_use]
    pub fn find(&self, player: SeriesPlayer) -> Option<(usize, usize)> {
        let mut tables = self.tables.iter().enumerate();
        tables.find_map(|(at, table)| Some((at, table.chair_of(player)?)))
    }

    /// Returns whether a table of the round has a result.
    #[must_use]
    pub fn has_result(&self) -> bool {
        self.tables.iter().any(|table| table.result.is_some())
    }

    /// Returns whether a result or an evening belongs to the round.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.tables.iter().any(|table| table.result.is_some() || table.game.is_some())
    }
}

impl Progress {
    /// Returns the number of seats of a table.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.ranking.table_points.len()
    }

    /// Returns the name of a player.
    #[must_use]
    pub fn name_of(&self, player: SeriesPlayer) -> &str {
        self.players.get(player.index()).map_or("", |member| &member.name)
    }

    /// Returns the player that a name means: the one with exactly that name, otherwise one whose
    /// name looks like it.
    #[must_use]
    pub fn player_named(&self, name: &str) -> Option<SeriesPlayer> {
        let exact = self.players.iter().position(|member| member.name == name);
        let form = fold(name);
        exact
            .or_else(|| self.players.iter().position(|member| member.form == form))
            .map(SeriesPlayer::from_index)
    }

    /// Returns the name of the person who sits on a chair.
    #[must_use]
    pub fn name_on<'a>(&'a self, chair: &'a Chair) -> &'a str {
        let guest = chair.guest.as_deref();
        guest.or_else(|| chair.player.map(|player| self.name_of(player))).unwrap_or_default()
    }

    /// Returns the number of the last round that has a result.
    #[must_use]
    pub fn last_played(&self) -> u32 {
        self.rounds.iter().rposition(Round::has_result).map_or(0, |at| at as u32 + 1)
    }

    /// Returns the round after which standings are shown: this one, or the last that has a result.
    ///
    /// # Errors
    /// [`SeriesError::NoRound`] if the round was not seated.
    pub fn find_shown_round(&self, round: Option<u32>) -> Result<u32, SeriesError> {
        let round = round.unwrap_or_else(|| self.last_played());
        let seated = round as usize <= self.rounds.len();
        if seated { Ok(round) } else { Err(SeriesError::NoRound(round)) }
    }

    /// Returns who met whom in the first rounds.
    #[must_use]
    pub fn encounters(&self, rounds: usize) -> Encounters {
        let mut encounters = Encounters::new(self.players.len(), self.seats());
        for round in self.rounds.iter().take(rounds) {
            for table in &round.tables {
                let present: Vec<_> = table.chairs.iter().map(Chair::present).collect();
                encounters.add_table(&present);
            }
            for &player in &round.resting {
                encounters.add_rest(player);
            }
        }
        encounters
    }

    /// Returns the number of pairs in a round that had met in an earlier one.
    #[must_use]
    pub fn repeated_in(&self, round: usize) -> u32 {
        let before = self.encounters(round);
        let tables = self.rounds.get(round).map_or(&[][..], |round| &round.tables);
        let present = tables.iter().map(|table| table.chairs.iter().filter_map(Chair::present));
        present.map(|players| before.repeated_among(&players.collect::<Vec<_>>())).sum()
    }
}
