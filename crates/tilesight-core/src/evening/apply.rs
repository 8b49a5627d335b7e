//! Application of actions to a game: each action is checked against the sheet that it would
//! produce.
//!
//! Input: an [`Action`] with its time and author. Output: a game whose sheet can be computed, or an
//! error and the unchanged game.

use std::mem::discriminant;

use super::context::win_context;
use super::deal::Deal;
use super::journal::Game;
use super::play::{Play, Win};
use super::row::Row;
use super::sheet::{Sheet, State};
use super::text::{MAX_NAME, check_text};
use super::{Action, Change, EntryId, GameError, Meta, OrderFault, Player};
use crate::contract::ContextDto;
use crate::json_size::json_size;

/// Maximum number of changes of a game: thirty times the number for an evening with a mistake in
/// every hand.
const MAX_CHANGES: usize = 1000;
/// Maximum size in bytes of a stored journal. It fits [`MAX_CHANGES`] changes that each hold a won
/// hand and the hands of the three others, all of them melded. A NATS message holds a million
/// bytes.
const MAX_BYTES: usize = 750_000;

impl Game {
    /// Returns the score sheet.
    ///
    /// # Errors
    /// [`GameError`] if the rules have changed since, so that a hand can no longer be scored.
    pub fn sheet(&self) -> Result<Sheet, GameError> {
        Sheet::from_game(self)
    }

    /// Returns the deal that is played next.
    ///
    /// # Errors
    /// [`GameError::Over`] after the last deal.
    pub fn next_deal(&self) -> Result<Deal, GameError> {
        self.sheet()?.next.ok_or(GameError::Over)
    }

    /// Returns the deal of a win that is added to the sheet: the one that is played next or, of a
    /// further winner by one discard, the one before; with the winds that the win states.
    ///
    /// # Errors
    /// [`GameError::Over`] after the last deal.
    pub fn deal_won(&self, win: &Win) -> Result<Deal, GameError> {
        let play = Play::Win(win.clone());
        self.sheet()?.deal_of(&self.ruleset.rules().law(), &play).ok_or(GameError::Over)
    }

    /// Returns the context of a win in a deal, from the state of the game and the given context.
    ///
    /// # Errors
    /// [`GameError`] if the two contradict each other.
    pub fn win_context(&self, win: &Win, deal: &Deal) -> Result<ContextDto, GameError> {
        win.check_players()?;
        win_context(&self.ruleset, win, deal)
            .map_err(|problem| GameError::Unreadable(Box::new(problem)))
    }

    /// Returns the players one of whom may be liable for the hand that an action enters, if its
    /// melds leave that open and nobody said it.
    ///
    /// # Errors
    /// [`GameError`] if the action can't be applied.
    pub fn open_liability(&self, action: &Action) -> Result<Vec<Player>, GameError> {
        let mut game = self.clone();
        game.apply(Meta::default(), action.clone())?;
        let added = game.changes.last().map(|change| EntryId(change.number));
        let entry = match action {
            Action::Add { .. } => added,
            Action::Correct { entry, .. } => Some(*entry),
            _ => None,
        };
        let sheet = game.sheet()?;
        let row = sheet.rows.iter().find(|row| Some(row.entry) == entry);
        Ok(row.map(Row::open_liability).unwrap_or_default())
    }

    /// Applies an action. The same action with the same key is applied once; the repetition returns
    /// `false`.
    ///
    /// # Errors
    /// [`GameError`]; the game stays unchanged.
    pub fn apply(&mut self, meta: Meta, action: Action) -> Result<bool, GameError> {
        let action = action.check()?;
        self.check_players(&action)?;
        if let Some(known) = self.find_change(meta.key.as_deref()) {
            return if known.action == action { Ok(false) } else { Err(GameError::KeyReused) };
        }
        if action == Action::Finish && self.sheet()?.state != State::Running {
            return Err(GameError::Over);
        }
        let Action::Undo { change } = action else { return self.push(meta, action) };
        if !self.applied_changes().any(|one| one.number == change) {
            return Err(GameError::NoChange(change));
        }
        // Without the change a later one names an entry that is not there.
        self.push(meta, action).map_err(|error| match error {
            GameError::NoEntry(_) => GameError::StillNeeded(change),
            other => other,
        })
    }

    /// Refuses an action with another number of players than the rules have.
    fn check_players(&self, action: &Action) -> Result<(), GameError> {
        let count = self.seats().winds().len();
        let play = match action {
            Action::Add { play, .. } | Action::Correct { play, .. } => play,
            Action::Rename { players, .. } if players.len() != count => {
                return Err(GameError::PlayerCount(count));
            }
            _ => return Ok(()),
        };
        if let Play::Manual(manual) = play
            && manual.payments.len() != count
        {
            return Err(GameError::PaymentCount(count));
        }
        let missing = play.list_players().into_iter().find(|player| player.index() >= count);
        missing.map_or(Ok(()), |player| Err(GameError::NoSuchPlayer(player)))
    }

    /// Takes back the last change that has not been taken back yet.
    ///
    /// # Errors
    /// [`GameError`]; the game stays unchanged.
    pub fn undo(&mut self, meta: Meta) -> Result<bool, GameError> {
        if let Some(known) = self.find_change(meta.key.as_deref()) {
            let undo = matches!(known.action, Action::Undo { .. });
            return if undo { Ok(false) } else { Err(GameError::KeyReused) };
        }
        let change = self.undoable().ok_or(GameError::NothingToUndo)?;
        self.push(meta, Action::Undo { change })
    }

    /// Adds a change to the journal if the sheet can still be computed.
    fn push(&mut self, meta: Meta, action: Action) -> Result<bool, GameError> {
        if self.changes.len() >= MAX_CHANGES {
            return Err(GameError::Full(MAX_CHANGES));
        }
        check_text("by", meta.by.as_deref().unwrap_or_default(), MAX_NAME)?;
        let Meta { at, by, key } = meta;
        // Changes are numbered without gaps, and there are few of them.
        let number = self.changes.len() as u32 + 1;
        self.changes.push(Change { number, at, by, key, action });
        let checked = self.check_last_change();
        if checked.is_err() {
            self.changes.pop();
        }
        checked.map(|()| true)
    }

    /// Checks that the journal is not too large, that the sheet can be computed, and that the last
    /// change puts no entry where the rules do not allow it. Faults that were there before are
    /// accepted: a game whose rule set has changed is played on.
    fn check_last_change(&self) -> Result<(), GameError> {
        if json_size(&self.changes) > MAX_BYTES {
            return Err(GameError::TooLarge(MAX_BYTES));
        }
        let faults = self.sheet()?.faults;
        if faults.is_empty() {
            return Ok(());
        }
        let mut before = self.clone();
        before.changes.pop();
        let known = before.sheet()?.faults;
        let new = faults.into_iter().find(|(entry, fault)| {
            let kind = discriminant(fault);
            !known.iter().any(|(other, known)| other == entry && discriminant(known) == kind)
        });
        match new {
            Some((_, OrderFault::Finished)) => Err(GameError::Over),
            Some((entry, fault)) => {
                let name = fault.player().map(|player| self.players()[player.index()].clone());
                Err(GameError::OutOfOrder { entry, fault, player: name.unwrap_or_default() })
            }
            None => Ok(()),
        }
    }
}
