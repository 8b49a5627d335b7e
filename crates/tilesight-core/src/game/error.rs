//! Why something can't be entered into a game, grouped by who can fix it.

use crate::contract::{FieldError, Problem, ProblemKind};
use crate::explain::Wording;
use crate::printable::complaint;

use super::EntryId;

/// Why an action can't be applied. The game stays as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The game is over: all its deals were played, or somebody finished it.
    #[error("the game is over: undo its end before you go on")]
    Over,
    /// There is no such entry, or it was removed.
    #[error("there is no entry {0}")]
    NoEntry(EntryId),
    /// There is no such change, or it was taken back already.
    #[error("change {0} does not exist, or was undone before")]
    NoChange(u32),
    /// Nothing is left to be taken back.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Names are empty, too long or not different.
    #[error("expected four different names of 1 to {0} characters")]
    Names(usize),
    /// Two names look alike to people.
    #[error(
        "the names {first} and {second} differ only in case, spaces or Unicode form: \
         choose names that can be told apart"
    )]
    AlikeNames {
        /// A name.
        first: String,
        /// The name of a later player that looks like it.
        second: String,
    },
    /// A name shows nothing.
    #[error("the name of player {0} has no visible character: type a name")]
    InvisibleName(usize),
    /// A text is too long.
    #[error("{field} may have at most {most} characters")]
    TooLong {
        /// Which text.
        field: &'static str,
        /// The most.
        most: usize,
    },
    /// A text has a character that does something else than being seen.
    #[error("{}", complaint(*letter))]
    Unprintable {
        /// Which text.
        field: &'static str,
        /// The first such character.
        letter: char,
    },
    /// More was entered than any evening needs.
    #[error("a game may have at most {0} changes: start another one")]
    Full(usize),
    /// What was entered takes more room than any evening needs.
    #[error("the changes of a game may have at most {0} bytes: start another one")]
    TooLarge(usize),
    /// Points appear from nowhere.
    #[error("payments must sum to zero; these sum to {0}")]
    Unbalanced(i64),
    /// So many points can't be added up.
    #[error("points may be at most {most}")]
    TooManyPoints {
        /// Which points.
        field: &'static str,
        /// The most.
        most: u32,
    },
    /// A total overflows.
    #[error("the totals are too large")]
    Sum,
    /// The name of an action was used for another one before.
    #[error("the key was used for another action")]
    KeyReused,
    /// What was sent is not a hand.
    #[error("{0}")]
    Unreadable(Box<Problem>),
    /// Nobody feeds oneself.
    #[error("a player can't win by their own discard: leave out the discarder on a self-draw")]
    OwnDiscard,
    /// The hand can't be scored.
    #[error("entry {entry}: {problem}")]
    Hand {
        /// The entry; with a correction of an earlier one it may be a later one.
        entry: EntryId,
        /// What is wrong with it.
        problem: Box<Problem>,
    },
    /// The hand wins but is worth too little.
    #[error("entry {entry}: no legal win: the minimum is {needed}, {missing} missing")]
    BelowMinimum {
        /// The entry.
        entry: EntryId,
        /// Where its worth follows from: the hand, or its points.
        field: &'static str,
        /// What is needed.
        needed: u32,
        /// What is missing.
        missing: u32,
    },
}

impl GameError {
    /// The field that is wrong, named as in a request; empty where it is about the whole game.
    #[must_use]
    pub fn field(&self) -> &str {
        match self {
            GameError::Names(_) | GameError::AlikeNames { .. } | GameError::InvisibleName(_) => {
                "players"
            }
            GameError::TooLong { field, .. }
            | GameError::Unprintable { field, .. }
            | GameError::TooManyPoints { field, .. }
            | GameError::BelowMinimum { field, .. } => field,
            GameError::Unbalanced(_) => "payments",
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
                // The kind stays that of the hand, so that clients know it from scoring.
                return (**problem).clone().with_detail(Wording::of(error));
            }
            _ => ProblemKind::InvalidEntry,
        };
        match error.field() {
            "" => Problem::of(kind, error),
            field => Problem::with_errors(kind, vec![FieldError::of(field, error)]),
        }
    }
}
