//! The table of an evening: what may follow what.
//!
//! Input: the state that the last entry left a deal in, and the kind of the next entry. Output:
//! whether it may follow by the rules of a game. Whether a certain player may do it, such as one
//! without the points for a stick, is decided in `evening::order`, which asks this table first.
//! Invariant: the game ends a deal by one row of the table, so that no state is without a way on.

use super::{Abort, AbortKind, Law, SeveralWinners};

/// State of the table before an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DealState {
    /// A deal is played.
    Playing,
    /// A deal was won by a discard: another player may have won by it too, or the next deal is
    /// played.
    WonByDiscard,
    /// All four players declared riichi, by rules that abort the deal then.
    AllDeclared,
    /// The game is over: by its last deal, by its rules, or because the players finished it.
    Over,
}

/// Kind of an entry, as far as it decides what may follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A stick for riichi.
    Stick,
    /// A hand that can't win any more.
    DeadHand,
    /// A win that is the first in its deal.
    Win,
    /// A further win by the discard of the entry before.
    SameDiscard,
    /// An exhaustive draw.
    ExhaustiveDraw,
    /// An aborted deal; in games without riichi a draw of any kind.
    Draw(Option<AbortKind>),
    /// A false win by the rules of riichi, after which the deal is dealt again.
    Chombo,
    /// Payments by hand that end the deal.
    EndingPayments,
    /// Payments by hand that leave the deal on.
    Payments,
}

/// Events that may follow in a state, as far as the rules have them.
#[derive(Debug)]
pub struct After {
    /// State of the table.
    pub state: DealState,
    /// Returns whether an event may follow.
    pub allows: fn(Event) -> bool,
}

/// The table: one row for each state.
pub const AFTER: [After; 4] = [
    After {
        state: DealState::Playing,
        allows: |event| {
            !matches!(event, Event::SameDiscard | Event::Draw(Some(AbortKind::FourRiichi)))
        },
    },
    After {
        state: DealState::WonByDiscard,
        allows: |event| !matches!(event, Event::Draw(Some(AbortKind::FourRiichi))),
    },
    After {
        state: DealState::AllDeclared,
        allows: |event| {
            matches!(
                event,
                Event::Draw(Some(AbortKind::FourRiichi))
                    | Event::Draw(None)
                    | Event::Chombo
                    | Event::EndingPayments
                    | Event::Payments
            )
        },
    },
    After {
        state: DealState::Over,
        allows: |event| matches!(event, Event::SameDiscard | Event::Payments),
    },
];

/// Returns whether an event may follow in a state by the rules of a game.
#[must_use]
pub fn may_follow(law: &Law, state: DealState, event: Event) -> bool {
    let in_table = AFTER.iter().any(|row| row.state == state && (row.allows)(event));
    in_table && is_played(law, event)
}

/// Returns whether the rules have an event.
fn is_played(law: &Law, event: Event) -> bool {
    let has_riichi = law.riichi.is_some();
    match event {
        Event::Stick | Event::DeadHand | Event::Chombo => has_riichi,
        Event::SameDiscard => law.several_winners != SeveralWinners::Nearest,
        Event::Draw(Some(kind)) => law.abort(kind) != Abort::No,
        Event::Draw(None) => {
            !has_riichi || AbortKind::ALL.iter().any(|&kind| law.abort(kind) != Abort::No)
        }
        Event::Win | Event::ExhaustiveDraw | Event::EndingPayments | Event::Payments => true,
    }
}
