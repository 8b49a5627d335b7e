//! Application of a change to the progress of a series.
//!
//! Input: the progress before the change. Output: the progress after it, or the reason why it can't
//! follow. Invariant: nobody sits twice in a round, and every table is full.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::action::{ImportedRest, ImportedTable, SeriesAction, SeriesChange};
use super::collect::CollectedTable;
use super::progress::{Member, Penalty, Progress, Round, Table, TableResult};
use super::ranking::{RankingDto, check_points};
use super::{Chair, MAX_PLAYERS, MAX_ROUNDS, SeriesError, SeriesPlayer};
use crate::evening::GameError;
use crate::evening::names::{fold, is_visible};
use crate::evening::text::{MAX_NAME, MAX_TEXT, check_text};

/// Maximum number of riichi sticks that may lie on a table at the end.
const MAX_STICKS: i64 = 20;
/// Points of a riichi stick.
const STICK: i64 = 1000;
/// Maximum number of characters of the id of a game.
const MAX_ID: usize = 64;

impl Progress {
    /// Applies a change.
    pub(super) fn follow(&mut self, change: &SeriesChange) -> Result<(), SeriesError> {
        if self.finished {
            return Err(SeriesError::Over);
        }
        match &change.action {
            SeriesAction::AddPlayers { names } => add_players(self, names, "names"),
            SeriesAction::RenamePlayer { player, name } => self.rename(*player, name),
            SeriesAction::Leave { player } => self.set_active(*player, false),
            SeriesAction::Return { player } => self.set_active(*player, true),
            SeriesAction::Settings { title, ranking, rounds } => {
                self.set(title.as_deref(), ranking.as_ref(), *rounds)
            }
            SeriesAction::Seat { round, absent, guests, tables, .. } => {
                self.check_guests(guests)?;
                self.seat(*round, absent, tables)
            }
            SeriesAction::Replace { round, player, by, guest } => {
                self.replace(*round, *player, *by, guest.as_deref())
            }
            SeriesAction::Open { round, table, game } => {
                check_text("game", game.as_deref().unwrap_or_default(), MAX_ID)?;
                self.table(*round, *table)?.game.clone_from(game);
                Ok(())
            }
            SeriesAction::Result { round, table, points } => {
                self.enter(*round, *table, points.clone())
            }
            SeriesAction::Collect { round, collected, .. } => self.collect(*round, collected),
            SeriesAction::Clear { round, table } => {
                let cleared = self.table(*round, *table)?.result.take();
                cleared.map(|_| ()).ok_or(SeriesError::NoResult { round: *round, table: *table })
            }
            SeriesAction::Penalty { player, round, value, note } => self.add_penalty(Penalty {
                change: change.number,
                player: *player,
                round: *round,
                value: *value,
                note: note.clone(),
            }),
            SeriesAction::Import { names, results, resting } => {
                self.import(names, results, resting)
            }
            SeriesAction::Finish => {
                self.finished = true;
                Ok(())
            }
            SeriesAction::Undo { .. } => Ok(()),
        }
    }

    fn check_player(&self, player: SeriesPlayer, field: &'static str) -> Result<(), SeriesError> {
        let known = player.index() < self.players.len();
        if known { Ok(()) } else { Err(SeriesError::NoPlayer { field, player }) }
    }

    fn round(&mut self, number: u32) -> Result<&mut Round, SeriesError> {
        let at = (number as usize).checked_sub(1);
        at.and_then(|at| self.rounds.get_mut(at)).ok_or(SeriesError::NoRound(number))
    }

    pub(super) fn table(&mut self, round: u32, table: u32) -> Result<&mut Table, SeriesError> {
        let at = (table as usize).checked_sub(1);
        let tables = &mut self.round(round)?.tables;
        at.and_then(|at| tables.get_mut(at)).ok_or(SeriesError::NoTable { round, table })
    }

    fn rename(&mut self, player: SeriesPlayer, name: &str) -> Result<(), SeriesError> {
        self.check_player(player, "player")?;
        let form = check_name(name.trim(), player.index() + 1, "name")?;
        let others = self.players.iter().enumerate().filter(|(at, _)| *at != player.index());
        let alike = others.map(|(_, member)| member).find(|member| member.form == form);
        check_different(alike, name, "name")?;
        let member = &mut self.players[player.index()];
        member.name = name.trim().to_owned();
        member.form = form;
        Ok(())
    }

    fn set_active(&mut self, player: SeriesPlayer, active: bool) -> Result<(), SeriesError> {
        self.check_player(player, "player")?;
        self.players[player.index()].active = active;
        Ok(())
    }

    fn set(
        &mut self,
        title: Option<&str>,
        ranking: Option<&RankingDto>,
        rounds: Option<u32>,
    ) -> Result<(), SeriesError> {
        if let Some(title) = title.map(str::trim) {
            check_title(title)?;
            title.clone_into(&mut self.title);
        }
        if let Some(ranking) = ranking {
            self.ranking = self.ranking.with(ranking)?;
        }
        self.planned = rounds.unwrap_or(self.planned);
        check_planned(self.planned)
    }

    fn add_penalty(&mut self, penalty: Penalty) -> Result<(), SeriesError> {
        self.check_player(penalty.player, "player")?;
        if let Some(round) = penalty.round {
            self.round(round)?;
        }
        penalty.value.check("value")?;
        check_text("note", penalty.note.as_deref().unwrap_or_default(), MAX_TEXT)?;
        self.penalties.push(penalty);
        Ok(())
    }

    fn seat(
        &mut self,
        round: Option<u32>,
        absent: &[SeriesPlayer],
        tables: &[Vec<Chair>],
    ) -> Result<(), SeriesError> {
        absent.iter().try_for_each(|player| self.check_player(*player, "absent"))?;
        let next = self.rounds.len() as u32 + 1;
        let number = round.unwrap_or(next);
        let seats_again = number + 1 == next && !self.round(number)?.has_begun();
        if number != next && !seats_again {
            return Err(SeriesError::NotNext { round: number, next });
        }
        if number as usize > MAX_ROUNDS {
            return Err(SeriesError::TooManyRounds { field: "round", max: MAX_ROUNDS });
        }
        let seated = self.check_chairs(tables, "tables")?;
        if let Some(player) = absent.iter().find(|player| seated.contains(player)) {
            let name = self.name_of(*player).to_owned();
            return Err(SeriesError::Twice { field: "tables", name });
        }
        let members = self.players.iter().enumerate().filter(|(_, member)| member.active);
        let others = members.map(|(at, _)| SeriesPlayer::from_index(at));
        let resting = others.filter(|one| !seated.contains(one) && !absent.contains(one)).collect();
        self.rounds.truncate(number as usize - 1);
        let tables = tables.iter().cloned().map(Table::new).collect();
        self.rounds.push(Round { tables, resting });
        Ok(())
    }

    /// Checks the chairs of the tables of a round, and returns the players who have one.
    fn check_chairs(
        &self,
        tables: &[Vec<Chair>],
        field: &'static str,
    ) -> Result<HashSet<SeriesPlayer>, SeriesError> {
        let mut seated = HashSet::new();
        for chairs in tables {
            if chairs.len() != self.seats() {
                return Err(SeriesError::TableSize { field, seats: self.seats() });
            }
            for chair in chairs {
                self.check_chair(chair, field)?;
                let again = chair.player.filter(|player| !seated.insert(*player));
                if let Some(player) = again {
                    return Err(SeriesError::Twice {
                        field,
                        name: self.name_of(player).to_owned(),
                    });
                }
            }
        }
        Ok(seated)
    }

    fn check_chair(&self, chair: &Chair, field: &'static str) -> Result<(), SeriesError> {
        if let Some(player) = chair.player {
            self.check_player(player, field)?;
        }
        match &chair.guest {
            Some(guest) => self.check_guest(guest, field),
            None if chair.player.is_none() => Err(SeriesError::EmptyChair(field)),
            None => Ok(()),
        }
    }

    /// Checks the names of guests who may sit.
    fn check_guests(&self, guests: &[String]) -> Result<(), SeriesError> {
        if guests.len() > MAX_PLAYERS {
            return Err(SeriesError::TooManyPlayers { field: "guests", max: MAX_PLAYERS });
        }
        for (at, guest) in guests.iter().enumerate() {
            self.check_guest(guest, "guests")?;
            if guests[..at].contains(guest) {
                return Err(SeriesError::Twice { field: "guests", name: guest.clone() });
            }
        }
        Ok(())
    }

    /// Refuses a guest with the name of a player.
    fn check_guest(&self, guest: &str, field: &'static str) -> Result<(), SeriesError> {
        let form = check_name(guest, 1, field)?;
        match self.players.iter().find(|member| member.form == form) {
            Some(member) => Err(SeriesError::GuestIsPlayer { field, name: member.name.clone() }),
            None => Ok(()),
        }
    }

    fn replace(
        &mut self,
        round: u32,
        player: SeriesPlayer,
        by: Option<SeriesPlayer>,
        guest: Option<&str>,
    ) -> Result<(), SeriesError> {
        self.check_player(player, "player")?;
        let (chair, field) = match (by, guest) {
            (Some(_), Some(_)) => return Err(SeriesError::TwoSubstitutes),
            (Some(by), None) => (Chair::for_player(by), "by"),
            (None, guest) => {
                (Chair { player: Some(player), guest: guest.map(str::to_owned) }, "guest")
            }
        };
        self.check_chair(&chair, field)?;
        let name = self.name_of(player).to_owned();
        let name_of_other = by.map(|by| self.name_of(by).to_owned());
        let round_of = self.round(round)?;
        let (table, at) = round_of.find(player).ok_or(SeriesError::NotSeated { name, round })?;
        if let (Some(by), Some(name)) = (by, name_of_other) {
            if round_of.find(by).is_some() {
                return Err(SeriesError::Twice { field, name });
            }
            round_of.resting.retain(|one| *one != by);
        }
        round_of.tables[table].chairs[at] = chair;
        Ok(())
    }

    /// Enters the points of a table.
    fn enter(&mut self, round: u32, table: u32, points: Vec<i32>) -> Result<(), SeriesError> {
        let points = self.gains(points)?;
        self.table(round, table)?.result = Some(TableResult { points, hands: Vec::new() });
        Ok(())
    }

    /// Returns the gains and losses of a table, from these or from the points at the end. Where
    /// riichi is played, sticks that nobody took may be missing.
    pub(super) fn gains(&self, points: Vec<i32>) -> Result<Vec<i32>, SeriesError> {
        if points.len() != self.seats() {
            return Err(SeriesError::NumberOfPoints(self.seats()));
        }
        check_points("points", &points)?;
        let sum: i64 = points.iter().map(|&one| i64::from(one)).sum();
        let start = i64::from(self.ranking.start);
        let whole = start * self.seats() as i64;
        let max_sticks = if start == 0 { 0 } else { MAX_STICKS };
        if are_sticks(-sum, max_sticks) {
            return Ok(points);
        }
        if start != 0 && are_sticks(whole - sum, max_sticks) {
            return Ok(points.iter().map(|one| one - self.ranking.start).collect());
        }
        Err(SeriesError::Unbalanced { sum, whole })
    }

    fn collect(&mut self, round: u32, collected: &[CollectedTable]) -> Result<(), SeriesError> {
        for CollectedTable { table, points, hands } in collected {
            let seats = self.seats();
            if points.len() != seats || hands.len() != seats {
                return Err(SeriesError::NumberOfPoints(seats));
            }
            let result = TableResult { points: points.clone(), hands: hands.clone() };
            self.table(round, *table)?.result = Some(result);
        }
        Ok(())
    }

    fn import(
        &mut self,
        names: &[String],
        tables: &[ImportedTable],
        resting: &[ImportedRest],
    ) -> Result<(), SeriesError> {
        add_players(self, names, "names")?;
        let mut by_round: BTreeMap<u32, Vec<&ImportedTable>> = BTreeMap::new();
        for table in tables {
            by_round.entry(table.round).or_default().push(table);
        }
        for (round, mut tables) in by_round {
            tables.sort_by_key(|table| table.table);
            if round as usize == self.rounds.len() + 1 {
                let chairs: Vec<_> = tables.iter().map(|table| table.chairs.clone()).collect();
                let seated = self.check_chairs(&chairs, "results")?;
                let of_round = resting.iter().filter(|rest| rest.round == round);
                let mut present = of_round.flat_map(|rest| &rest.players).collect::<HashSet<_>>();
                present.extend(&seated);
                let numbers = (0..self.players.len()).map(SeriesPlayer::from_index);
                let absent: Vec<_> = numbers.filter(|one| !present.contains(one)).collect();
                self.seat(Some(round), &absent, &chairs)?;
            }
            for table in tables {
                self.enter_imported(table)?;
            }
        }
        Ok(())
    }

    /// Enters a table that was written elsewhere, whatever the order of its chairs.
    fn enter_imported(&mut self, imported: &ImportedTable) -> Result<(), SeriesError> {
        let &ImportedTable { round, table, .. } = imported;
        let is_played = !imported.points.is_empty();
        if is_played && imported.points.len() != imported.chairs.len() {
            return Err(SeriesError::NumberOfPoints(self.seats()));
        }
        let given = imported.chairs.iter().map(|chair| self.name_on(chair).to_owned());
        let all = imported.points.iter().copied().chain(std::iter::repeat(0));
        let by_name: HashMap<String, i32> = given.zip(all).collect();
        let Table { chairs, result, .. } = self.table(round, table)?.clone();
        let found: Option<Vec<i32>> =
            chairs.iter().map(|chair| by_name.get(self.name_on(chair)).copied()).collect();
        let points = found.ok_or(SeriesError::OtherPlayers { field: "results", round, table })?;
        if !is_played {
            return Ok(());
        }
        let gains = self.gains(points)?;
        // The same result as before keeps the hands of its evening.
        if result.is_some_and(|result| result.points == gains) {
            return Ok(());
        }
        self.enter(round, table, gains)
    }
}

/// Returns whether points that are missing may lie on the table as sticks.
fn are_sticks(missing: i64, max: i64) -> bool {
    missing % STICK == 0 && (0..=max).contains(&(missing / STICK))
}

/// Adds players at the end of the list.
pub(super) fn add_players(
    progress: &mut Progress,
    names: &[String],
    field: &'static str,
) -> Result<(), SeriesError> {
    if progress.players.len() + names.len() > MAX_PLAYERS {
        return Err(SeriesError::TooManyPlayers { field, max: MAX_PLAYERS });
    }
    for name in names.iter().map(|name| name.trim()) {
        let form = check_name(name, progress.players.len() + 1, field)?;
        let alike = progress.players.iter().find(|member| member.form == form);
        check_different(alike, name, field)?;
        progress.players.push(Member { name: name.to_owned(), form, active: true });
    }
    Ok(())
}

/// Checks a name, which is that of a player with a number, and returns its form in which names that
/// look alike are equal.
fn check_name(name: &str, number: usize, field: &'static str) -> Result<String, SeriesError> {
    check_text(field, name, MAX_NAME)?;
    if !is_visible(name) {
        return Err(GameError::InvisibleName { field, player: number }.into());
    }
    Ok(fold(name))
}

/// Refuses a name that looks like that of a player.
fn check_different(
    alike: Option<&Member>,
    name: &str,
    field: &'static str,
) -> Result<(), SeriesError> {
    let Some(member) = alike else { return Ok(()) };
    let [first, second] = [member.name.as_str(), name].map(str::to_owned);
    Err(GameError::AlikeNames { field, first, second }.into())
}

/// Checks the title of a series.
pub(super) fn check_title(title: &str) -> Result<(), SeriesError> {
    check_text("title", title, MAX_TEXT)?;
    if title.is_empty() { Err(SeriesError::NoTitle) } else { Ok(()) }
}

/// Checks the number of rounds that are planned.
pub(super) fn check_planned(rounds: u32) -> Result<(), SeriesError> {
    let fits = rounds as usize <= MAX_ROUNDS;
    if fits { Ok(()) } else { Err(SeriesError::TooManyRounds { field: "rounds", max: MAX_ROUNDS }) }
}
