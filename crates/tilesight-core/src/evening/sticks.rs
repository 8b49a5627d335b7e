//! Counters and riichi sticks of an evening, and the payments after an exhaustive draw.
//!
//! Input: the law of the rules and a deal. Output: what the table adds to the payments of an entry.
//! Invariants: in rules without riichi everything is zero; the payments of all entries and the
//! sticks that are left on the table sum to zero.

use crate::context::{ContextSetup, Count, RiichiCall};
use crate::rules::law::Law;

use super::{Deal, PLAYERS, Player, Points, Win};

/// Points of a riichi stick.
pub(super) const STICK: i32 = 1000;

/// Returns the payment of a player who lays a riichi stick on the table.
pub(super) fn deposit(law: &Law, player: Player) -> Points {
    let mut payments = Points::default();
    if law.riichi.is_some() {
        payments[player.index()] = -STICK;
    }
    payments
}

/// Returns the points of the sticks on the table, which the winner of the deal takes.
pub(super) fn on_table(law: &Law, deal: &Deal) -> i32 {
    if law.riichi.is_some() { STICK * i32::from(deal.sticks) } else { 0 }
}

/// Returns the payments of the players who are not ready to those who are. Nobody pays if all are
/// ready, or none is.
pub(super) fn noten(law: &Law, tenpai: &[Player]) -> Points {
    let ready = Player::ALL.into_iter().filter(|player| tenpai.contains(player)).count() as i32;
    let others = PLAYERS as i32 - ready;
    let sum = law.riichi.map_or(0, |law| law.noten);
    if ready == 0 || others == 0 {
        return Points::default();
    }
    Player::ALL.map(|player| if tenpai.contains(&player) { sum / ready } else { -sum / others })
}

/// Returns the fields of the win context that the table determines: the counters, the sticks, and
/// the riichi of a winner who laid one of them and did not state which riichi it was.
pub(super) fn context(law: &Law, deal: &Deal, win: &Win) -> ContextSetup {
    let has_sticks = law.riichi.is_some();
    let is_unstated = win.context.riichi.is_none() && deal.has_declared(win.winner);
    ContextSetup {
        honba: Count::new(deal.honba).filter(|_| has_sticks),
        riichi_sticks: Count::new(deal.sticks).filter(|_| has_sticks),
        riichi: is_unstated.then_some(RiichiCall::Riichi),
        ..ContextSetup::default()
    }
}
