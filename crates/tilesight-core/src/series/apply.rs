//! Application of actions to a series: each action is checked against the progress that it would
//! produce.
//!
//! Input: a [`SeriesAction`] with its time and author. Output: a series whose progress can be
//! computed, or an error and the unchanged series.

use super::action::{SeriesAction, SeriesChange};
use super::journal::Series;
use super::progress::Progress;
use super::seating::{SeatingPlan, seat};
use super::{Chair, SeriesError, SeriesPlayer};
use crate::evening::text::{MAX_NAME, check_text};
use crate::evening::{GameError, Meta};
use crate::json_size::json_size;

/// Maximum number of changes of a series: three for each table of two hundred players in fifty
/// rounds.
const MAX_CHANGES: usize = 7500;
/// Maximum size in bytes of a stored journal. A NATS message holds a million bytes.
const MAX_BYTES: usize = 750_000;
/// Number of rounds that are planned from the next one on if the number of rounds is open.
const USUAL_AHEAD: usize = 4;

impl Series {
    /// Applies an action. The same action with the same key is applied once; the repetition returns
    /// `false`.
    ///
    /// # Errors
    /// [`SeriesError`]; the series stays unchanged.
    pub fn apply(&mut self, meta: Meta, action: SeriesAction) -> Result<bool, SeriesError> {
        if let Some(known) = self.find_change(meta.key.as_deref()) {
            let same = action.asks_for(&known.action);
            return if same { Ok(false) } else { Err(GameError::KeyReused.into()) };
        }
        if let SeriesAction::Undo { change } = action
            && !self.applied_changes().any(|one| one.number == change)
        {
            return Err(GameError::NoChange(change).into());
        }
        let action = self.fill(action)?;
        self.push(meta, action)
    }

    /// Returns the action with the tables of the round that it seats.
    fn fill(&self, action: SeriesAction) -> Result<SeriesAction, SeriesError> {
        match action {
            SeriesAction::Seat { round, seed, absent, guests, tables } if tables.is_empty() => {
                let progress = self.progress()?;
                let round = round.unwrap_or(progress.rounds.len() as u32 + 1);
                let seed = seed.unwrap_or(round);
                let tables = find_tables(&progress, round, seed, &absent, &guests)?;
                let [round, seed] = [Some(round), Some(seed)];
                Ok(SeriesAction::Seat { round, seed, absent, guests, tables })
            }
            SeriesAction::Open { game: None, .. } => Err(SeriesError::NothingToCollect),
            SeriesAction::Collect { collected, .. } if collected.is_empty() => {
                Err(SeriesError::NothingToCollect)
            }
            other => Ok(other),
        }
    }

    /// Adds a change to the journal if the progress can still be computed.
    fn push(&mut self, meta: Meta, action: SeriesAction) -> Result<bool, SeriesError> {
        if self.changes.len() >= MAX_CHANGES {
            return Err(SeriesError::Full(MAX_CHANGES));
        }
        check_text("by", meta.by.as_deref().unwrap_or_default(), MAX_NAME)?;
        let Meta { at, by, key } = meta;
        let number = self.changes.len() as u32 + 1;
        self.changes.push(SeriesChange { number, at, by, key, action });
        let checked = self.check_last_change();
        if checked.is_err() {
            self.changes.pop();
        }
        checked.map(|()| true)
    }

    fn check_last_change(&self) -> Result<(), SeriesError> {
        if json_size(&self.changes) > MAX_BYTES {
            return Err(SeriesError::TooLarge(MAX_BYTES));
        }
        let followed = self.progress().map(|_| ());
        match self.changes.last().map(|change| &change.action) {
            Some(SeriesAction::Undo { change }) => {
                followed.map_err(|_| GameError::StillNeeded(*change).into())
            }
            _ => followed,
        }
    }
}

/// Finds the tables of a round.
fn find_tables(
    progress: &Progress,
    round: u32,
    seed: u32,
    absent: &[SeriesPlayer],
    guests: &[String],
) -> Result<Vec<Vec<Chair>>, SeriesError> {
    let members = progress.players.iter().enumerate();
    let present: Vec<SeriesPlayer> = members
        .filter(|(_, member)| member.active)
        .map(|(at, _)| SeriesPlayer::from_index(at))
        .filter(|player| !absent.contains(player))
        .collect();
    let done = (round as usize).saturating_sub(1).min(progress.rounds.len());
    let ahead = (progress.planned as usize).saturating_sub(done);
    let seats = progress.seats();
    let seating = seat(&SeatingPlan {
        present: &present,
        guests: guests.len(),
        seats,
        rounds: if progress.planned == 0 { USUAL_AHEAD } else { ahead.max(1) },
        before: &progress.encounters(done),
        seed: seed.into(),
    });
    if seating.tables.is_empty() {
        return Err(SeriesError::TooFew { present: present.len(), seats });
    }
    let mut guests = guests.iter();
    let tables = seating.tables.into_iter().map(|table| {
        let chairs = table.into_iter().map(|player| match player {
            Some(player) => Some(Chair::for_player(player)),
            None => guests.next().cloned().map(Chair::for_guest),
        });
        chairs.flatten().collect()
    });
    Ok(tables.collect())
}
