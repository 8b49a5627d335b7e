//! Counters and sticks on the table of riichi, and the payments of deals that nobody won.
//!
//! Input: the law of the rules and a deal. Output: what the table adds to the payments of an entry.
//! Invariants: in rules without riichi everything is zero; the payments of all entries and the
//! sticks that are left on the table sum to zero.

use crate::context::{ContextSetup, Count, RiichiCall};
use crate::rules::Ruleset;
use crate::rules::law::Law;

use super::{Deal, ExhaustiveDraw, Player, Points, Win};

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

/// Returns the payments after an exhaustive draw: a mangan to each player whose discards are paid
/// as one, or otherwise what those who are not ready pay.
pub(super) fn exhausted(rules: &dyn Ruleset, draw: &ExhaustiveDraw, deal: &Deal) -> Points {
    let law = rules.law();
    let mut paid: Vec<Player> = draw.nagashi.clone();
    paid.sort();
    paid.dedup();
    if paid.is_empty() {
        return noten(&law, &draw.tenpai, deal);
    }
    let mut sum = Points::default();
    for player in paid {
        let mangan = deal.points_of(&rules.mangan_drawn(deal.seat_of(player)));
        for (total, points) in sum.iter_mut().zip(mangan) {
            *total += points;
        }
    }
    sum
}

/// Returns the payments of the players who are not ready to those who are. Nobody pays if all are
/// ready, or none is.
fn noten(law: &Law, tenpai: &[Player], deal: &Deal) -> Points {
    let players = Player::all_at(deal.seats());
    let ready = players.iter().filter(|player| tenpai.contains(player)).count() as i32;
    let others = players.len() as i32 - ready;
    let mut payments = Points::default();
    if ready == 0 || others == 0 {
        return payments;
    }
    let sum = law.riichi.map_or(0, |law| law.noten);
    for player in players {
        let is_ready = tenpai.contains(player);
        payments[player.index()] = if is_ready { sum / ready } else { -sum / others };
    }
    payments
}

/// Returns the payments for a false win: a mangan to the others where it is not taken off the
/// result, and the sticks of the deal back to their players.
pub(super) fn chombo(rules: &dyn Ruleset, player: Player, deal: &Deal) -> Points {
    let is_paid = rules.law().riichi.is_some_and(|law| law.chombo == 0);
    let mut payments = Points::default();
    if is_paid {
        let mangan = deal.points_of(&rules.mangan_drawn(deal.seat_of(player)));
        payments = mangan.map(|points| -points);
    }
    for player in deal.players().filter(|&player| deal.has_declared(player)) {
        payments[player.index()] += STICK;
    }
    payments
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
