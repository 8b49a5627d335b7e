//! Errors on changing a game.

use crate::contract::{Problem, ProblemKind};
use crate::explain::Wording;

use super::{EntryId, OrderFault, Player};

/// Error when an action can't be applied. The game stays unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The game is over: all deals were played, or it was finished before.
    Over,
    /// The entry does not exist, or was removed.
    NoEntry(EntryId),
    /// The change does not exist, or was taken back already.
    NoChange(u32),
    /// An undo of a change that a later one needs.
    StillNeeded(u32),
    /// No change is left to take back.
    NothingToUndo,
    /// Names that are empty, too long or not different.
    Names {
        /// Number of players.
        count: usize,
        /// Maximum number of characters.
        max: usize,
    },
    /// Names of more or fewer players than the rules have.
    PlayerCount(usize),
    /// Payments of more or fewer players than the rules have.
    PaymentCount(usize),
    /// A player who is not there, where three play.
    NoSuchPlayer(Player),
    /// Two names that look alike to people.
    AlikeNames {
        /// Name of the field.
        field: &'static str,
        /// A name.
        first: String,
        /// The name of a later player that looks like it.
        second: String,
    },
    /// A name without a visible character.
    InvisibleName {
        /// Name of the field.
        field: &'static str,
        /// Number of the player.
        player: usize,
    },
    /// A text is too long.
    TooLong {
        /// Name of the field.
        field: &'static str,
        /// Maximum number of characters.
        max: usize,
    },
    /// A text with a character that is not displayed but has another effect.
    Unprintable {
        /// Name of the field.
        field: &'static str,
        /// The first such character.
        letter: char,
    },
    /// More changes than an evening needs.
    Full(usize),
    /// Changes that take more space than an evening needs.
    TooLarge(usize),
    /// Payments that do not sum to zero.
    Unbalanced(i64),
    /// Too many points to be added up.
    TooManyPoints {
        /// Name of the field.
        field: &'static str,
        /// Maximum number of points.
        max: u32,
    },
    /// A total overflows.
    Sum,
    /// The key was used for a different action before.
    KeyReused,
    /// The given text or object is not a hand.
    Unreadable(Box<Problem>),
    /// A player as their own discarder.
    OwnDiscard,
    /// A winner who is liable for the own hand.
    OwnLiability,
    /// The hand can't be scored.
    Hand {
        /// The entry; after a correction it may be a later one.
        entry: EntryId,
        /// Fault of the hand.
        problem: Box<Problem>,
    },
    /// An entry that the rules do not allow where it stands.
    OutOfOrder {
        /// The entry; after a correction it may be a later one.
        entry: EntryId,
        /// Reason why it can't stand there.
        fault: OrderFault,
        /// Name of the player whom the fault is about; empty if it is about none.
        player: String,
    },
    /// The hand wins but does not reach the minimum.
    BelowMinimum {
        /// The entry.
        entry: EntryId,
        /// Name of the field that determines the worth: the hand, or its points.
        field: &'static str,
        /// The minimum.
        needed: u32,
        /// Number missing to the minimum.
        missing: u32,
    },
}

impl GameError {
    /// Returns the field that is wrong, named as in a request; empty if the error is about the
    /// whole game.
    #[must_use]
    pub fn field(&self) -> &str {
        match self {
            GameError::Names { .. } | GameError::PlayerCount(_) => "players",
            GameError::AlikeNames { field, .. }
            | GameError::InvisibleName { field, .. }
            | GameError::TooLong { field, .. }
            | GameError::Unprintable { field, .. }
            | GameError::TooManyPoints { field, .. }
            | GameError::BelowMinimum { field, .. } => field,
            GameError::OutOfOrder { fault, .. } => fault.field(),
            GameError::Unbalanced(_) | GameError::PaymentCount(_) => "payments",
            GameError::NoSuchPlayer(_) => "player",
            GameError::OwnLiability => "liable",
            GameError::OwnDiscard => "discarder",
            _ => "",
        }
    }
}

impl From<&GameError> for Problem {
    fn from(error: &GameError) -> Problem {
        let kind = match error {
            GameError::Over => ProblemKind::GameOver,
            GameError::NoEntry(_) | GameError::NoChange(_) => ProblemKind::NotFound,
            GameError::Hand { problem, .. } | GameError::Unreadable(problem) => {
                // The kind stays that of the hand, so that clients recognize it from scoring.
                return (**problem).clone().with_detail(Wording::from_message(error));
            }
            _ => ProblemKind::InvalidEntry,
        };
        match error.field() {
            "" => Problem::from_message(kind, error),
            field => Problem::for_field(kind, field, error),
        }
    }
}
