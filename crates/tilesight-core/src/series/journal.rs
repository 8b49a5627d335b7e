//! The journal of a series: how it began, and all changes.
//!
//! Output: the changes that count, and the progress that follows from them. Invariant: the journal
//! only grows; an undo is a change too, and the change that it takes back stays readable.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::Deserialize;

use super::action::{SeriesAction, SeriesChange};
use super::progress::Progress;
use super::ranking::{Ranking, RankingDto};
use super::step::{add_players, check_planned, check_title};
use super::{MAX_PLAYERS, SeriesError};
use crate::contract::{Problem, find_named, read_json};
use crate::evening::Game;
use crate::evening::names::fold;
use crate::evening::text::MAX_TEXT;
use crate::rules::{Book, Profile, RulesetId};

/// A series: how it began, and its journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    pub(super) title: String,
    pub(super) ruleset: Arc<Profile>,
    pub(super) ranking: RankingDto,
    pub(super) rounds: u32,
    pub(super) players: Vec<String>,
    pub(super) changes: Vec<SeriesChange>,
}

/// A new series.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewSeries)]
pub struct NewSeriesDto {
    /// Title of the series.
    #[schema(min_length = 1, max_length = 200)]
    pub title: String,
    /// Rule set of all evenings; `mcr-wmo` when absent.
    pub ruleset: Option<RulesetId>,
    /// Names of the players; more can be added later.
    #[serde(default)]
    #[schema(max_items = 200)]
    pub players: Vec<String>,
    /// Number of rounds that are planned, by which the seating looks ahead; 0 if that is open.
    #[serde(default)]
    #[schema(maximum = 104)]
    pub rounds: u32,
    /// Rules of ranking; what is left out is usual for the rule set.
    #[serde(default)]
    pub ranking: RankingDto,
}

impl NewSeriesDto {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// [`Problem`] with the first field that has the wrong shape.
    pub fn from_json(json: &[u8]) -> Result<NewSeriesDto, Problem> {
        read_json(json, "")
    }

    /// Creates the series before its first round.
    ///
    /// # Errors
    /// [`Problem`] if the rule set is unknown, or a name or a rule of ranking can't be.
    pub fn begin(self, book: &Book) -> Result<Series, Problem> {
        let ruleset = find_named(book, self.ruleset, "ruleset")?;
        self.begin_by(ruleset).map_err(|error| Problem::from(&error))
    }

    /// Creates the series with a rule set.
    ///
    /// # Errors
    /// [`SeriesError`] if a name or a rule of ranking can't be.
    pub fn begin_by(self, ruleset: Arc<Profile>) -> Result<Series, SeriesError> {
        let title = self.title.trim().to_owned();
        check_title(&title)?;
        let players = self.players.iter().map(|name| name.trim().to_owned()).collect();
        let NewSeriesDto { ranking, rounds, .. } = self;
        let series = Series { title, ruleset, ranking, rounds, players, changes: Vec::new() };
        series.progress()?;
        Ok(series)
    }
}

impl Series {
    /// Returns whether another series began in the same way.
    #[must_use]
    pub fn began_like(&self, other: &Series) -> bool {
        self.title == other.title
            && self.ruleset.id() == other.ruleset.id()
            && self.ranking == other.ranking
            && self.rounds == other.rounds
            && self.players == other.players
    }

    /// Returns the rule set of the series.
    #[must_use]
    pub const fn ruleset(&self) -> &Arc<Profile> {
        &self.ruleset
    }

    /// Returns all changes, in order.
    #[must_use]
    pub fn changes(&self) -> &[SeriesChange] {
        &self.changes
    }

    /// Returns whether an action was applied with this key.
    #[must_use]
    pub fn knows(&self, key: &str) -> bool {
        self.find_change(Some(key)).is_some()
    }

    /// Returns the change that an undo takes back next.
    #[must_use]
    pub fn undoable(&self) -> Option<u32> {
        self.applied_changes().next_back().map(|change| change.number)
    }

    /// Returns the numbers of the changes that were taken back.
    pub(super) fn undone(&self) -> HashSet<u32> {
        let changes = self.changes.iter();
        changes
            .filter_map(|change| match change.action {
                SeriesAction::Undo { change } => Some(change),
                _ => None,
            })
            .collect()
    }

    pub(super) fn find_change(&self, key: Option<&str>) -> Option<&SeriesChange> {
        let key = key?;
        self.changes.iter().find(|change| change.key.as_deref() == Some(key))
    }

    /// Returns the changes that count: neither taken back nor undos.
    pub(super) fn applied_changes(&self) -> impl DoubleEndedIterator<Item = &SeriesChange> {
        let undone = self.undone();
        self.changes.iter().filter(move |change| {
            !matches!(change.action, SeriesAction::Undo { .. }) && !undone.contains(&change.number)
        })
    }

    /// Returns when the result of each table was entered, in milliseconds since 1970, by round and
    /// table.
    #[must_use]
    pub fn result_times(&self) -> HashMap<(u32, u32), u64> {
        let mut times = HashMap::new();
        for SeriesChange { at, action, .. } in self.applied_changes() {
            match action {
                SeriesAction::Result { round, table, .. } => {
                    times.insert((*round, *table), *at);
                }
                SeriesAction::Clear { round, table } => {
                    times.remove(&(*round, *table));
                }
                SeriesAction::Collect { round, collected, .. } => {
                    times.extend(collected.iter().map(|one| ((*round, one.table), *at)));
                }
                SeriesAction::Import { results, .. } => {
                    let played = results.iter().filter(|one| !one.points.is_empty());
                    times.extend(played.map(|one| ((one.round, one.table), *at)));
                }
                _ => {}
            }
        }
        times
    }

    /// Returns the progress of the series.
    ///
    /// # Errors
    /// [`SeriesError`] if a change can't follow those before it.
    pub fn progress(&self) -> Result<Progress, SeriesError> {
        let ranking = Ranking::from_ruleset(&self.ruleset).with(&self.ranking)?;
        check_planned(self.rounds)?;
        let mut progress = Progress {
            title: self.title.clone(),
            ranking,
            planned: self.rounds,
            players: Vec::with_capacity(self.players.len().min(MAX_PLAYERS)),
            rounds: Vec::new(),
            penalties: Vec::new(),
            finished: false,
        };
        add_players(&mut progress, &self.players, "players")?;
        for change in self.applied_changes() {
            progress.follow(change)?;
        }
        Ok(progress)
    }

    /// Returns the title and the players of the evening of a table.
    ///
    /// # Errors
    /// [`SeriesError`] if there is no such table.
    pub fn evening_of(&self, round: u32, table: u32) -> Result<(String, Vec<String>), SeriesError> {
        let mut progress = self.progress()?;
        let chairs = progress.table(round, table)?.chairs.clone();
        let players = chairs.iter().map(|chair| progress.name_on(chair).to_owned()).collect();
        let place = format!(" {round}.{table}");
        let room = MAX_TEXT - place.len();
        let title: String = progress.title.chars().take(room).collect();
        Ok((title + &place, players))
    }

    /// Returns the id of the game of a table.
    ///
    /// # Errors
    /// [`SeriesError`] if there is no such table.
    pub fn game_of(&self, round: u32, table: u32) -> Result<Option<String>, SeriesError> {
        Ok(self.progress()?.table(round, table)?.game.clone())
    }

    /// Checks that a game can be the evening of a table: it is played by the rules of the series,
    /// has as many players, and nobody of the table sits at another place in it. The names may
    /// differ otherwise.
    ///
    /// # Errors
    /// [`SeriesError`] that says what does not fit, or that there is no such table.
    pub fn check_evening(&self, round: u32, table: u32, game: &Game) -> Result<(), SeriesError> {
        let found = game.ruleset().id();
        let expected = self.ruleset.id();
        if found != expected {
            return Err(SeriesError::OtherRules { found, expected });
        }
        let (_, seated) = self.evening_of(round, table)?;
        let at_table: Vec<String> = seated.iter().map(|name| fold(name)).collect();
        let in_game: Vec<String> = game.players().iter().map(|name| fold(name)).collect();
        let has_moved = at_table
            .iter()
            .zip(&in_game)
            .any(|(one, other)| one != other && at_table.contains(other));
        if has_moved || in_game.len() != at_table.len() {
            return Err(SeriesError::OtherPlayers { field: "game", round, table });
        }
        Ok(())
    }
}
