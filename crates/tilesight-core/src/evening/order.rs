//! The order of play: what the rules allow to follow what.
//!
//! Input: an entry with its deal and its payments, and the rules of the game. Output: the reason
//! why the entry can't stand there, if there is one. The sheet is computed whether or not it stands
//! in order, so that a game still opens when its rule set has changed; an action that brings a new
//! fault, in its own entry or in a later one, is refused. Every front end applies actions by this
//! module, so all of them refuse alike.

use crate::context::RiichiCall;
use crate::rules::Profile;
use crate::rules::law::{Law, RiichiLaw};
use crate::tile::Wind;

use super::context::points_context;
use super::order_fault::OrderFault;
use super::play::{ExhaustiveDraw, HandPoints, Manual, Play, Reason, RiichiStick, Win};
use super::row::Row;
use super::sticks::STICK;
use super::{Deal, Player, Points};

/// Smallest amount that players of riichi pay: the value of a counter stick.
const MIN_AMOUNT: i32 = 100;

/// Returns the reason why an entry can't stand where it is. `before` are the rows before it, and
/// `late` is whether it was made after a player had ended the game.
pub(super) fn find_fault(
    ruleset: &Profile,
    row: &Row,
    before: &[Row],
    late: bool,
) -> Option<OrderFault> {
    let law = ruleset.rules().law();
    if late && (row.play.ends_deal() || matches!(row.play, Play::Riichi(_))) {
        return Some(OrderFault::Finished);
    }
    if let Some(fault) = winner_fault(&law, row, before).or_else(|| east_fault(&law, row, before)) {
        return Some(fault);
    }
    match (&row.play, row.deal) {
        (Play::Riichi(riichi), Some(deal)) => riichi_fault(&law, row, &deal, riichi),
        (Play::Win(win), Some(deal)) => win_fault(&law, row, &deal, win),
        (Play::Points(hand), Some(deal)) => points_fault(ruleset, hand, &deal),
        (Play::ExhaustiveDraw(draw), Some(deal)) => draw_fault(&law, &deal, draw),
        (Play::Manual(manual), _) => payments_fault(&law, manual),
        _ => None,
    }
}

/// Returns the fault of a further winner by one discard: the entries before are wins on the same
/// discard, each of another player.
fn winner_fault(law: &Law, row: &Row, before: &[Row]) -> Option<OrderFault> {
    let winner = row.play.winner().filter(|_| row.play.has_same_discard())?;
    if !law.dealer.is_some_and(|one| one.several_winners) {
        return Some(OrderFault::OneWinner);
    }
    let mut earlier = before.iter().filter(|one| one.play.ends_deal());
    let shares = row.discarder().is_some()
        && before.last().is_some_and(|one| one.discarder() == row.discarder())
        && earlier.all(|one| one.number() != row.number() || one.play.winner() != Some(winner));
    (!shares).then_some(OrderFault::OtherDiscard(winner))
}

/// Returns the fault of a stated East.
fn east_fault(law: &Law, row: &Row, before: &[Row]) -> Option<OrderFault> {
    let east = row.play.east()?;
    let is_given = law.dealer.is_some_and(|one| one.wall_gives_winds);
    let mut of_deal = before.iter().rev().take_while(|one| one.number() == row.number());
    let first = of_deal.find(|one| row.play.has_same_discard() && matches!(one.play, Play::Win(_)));
    let stated = first.and_then(|one| one.deal).map(|deal| deal.player_at(Wind::East));
    let agrees = stated.is_none_or(|first| first == east);
    (!is_given || !agrees).then_some(OrderFault::NoOpenedWall)
}

/// Returns the players who may declare riichi in a deal.
pub(super) fn may_declare(law: &Law, deal: &Deal, totals: &Points) -> Vec<Player> {
    let Some(riichi) = &law.riichi else { return Vec::new() };
    Player::ALL
        .into_iter()
        .filter(|&player| stick_fault(riichi, deal, player, totals[player.index()]).is_none())
        .collect()
}

fn riichi_fault(
    law: &Law,
    row: &Row,
    deal: &Deal,
    &RiichiStick { player }: &RiichiStick,
) -> Option<OrderFault> {
    let Some(riichi) = &law.riichi else { return Some(OrderFault::NoRiichi) };
    stick_fault(riichi, deal, player, row.total_before(player))
}

/// Returns the reason why a player can't lay a stick.
fn stick_fault(law: &RiichiLaw, deal: &Deal, player: Player, total: i32) -> Option<OrderFault> {
    if deal.has_declared(player) {
        return Some(OrderFault::RiichiTwice(player));
    }
    let points = law.start + total;
    let is_short = points < STICK && !law.may_owe_stick;
    is_short.then_some(OrderFault::RiichiShort { player, points })
}

fn win_fault(law: &Law, row: &Row, deal: &Deal, win: &Win) -> Option<OrderFault> {
    let riichi = law.riichi.as_ref()?;
    let player = win.winner;
    match (win.context.riichi, deal.has_declared(player)) {
        (Some(RiichiCall::No), true) => Some(OrderFault::RiichiDenied(player)),
        (None, true) => (row.riichi() == RiichiCall::No).then_some(OrderFault::RiichiOpen(player)),
        // The stick of a winner comes back, so it need not be entered.
        (Some(RiichiCall::Riichi | RiichiCall::Double), false) => {
            let total = row.total_before(player);
            stick_fault(riichi, deal, player, total)
        }
        _ => None,
    }
}

fn points_fault(ruleset: &Profile, hand: &HandPoints, deal: &Deal) -> Option<OrderFault> {
    let points = hand.points;
    let context = points_context(ruleset, hand, deal);
    let totals = ruleset.rules().totals(&context);
    if totals.is_empty() || totals.contains(&points) {
        return None;
    }
    let counters = ruleset.rules().counters(&context);
    if let Some(total) = points.checked_sub(counters).filter(|total| totals.contains(total)) {
        return Some(OrderFault::WithCounters { points, counters, total });
    }
    let lower = totals.iter().rfind(|total| **total < points).copied();
    let higher = totals.iter().find(|total| **total > points).copied();
    Some(OrderFault::NoSuchTotal { points, lower, higher })
}

fn draw_fault(law: &Law, deal: &Deal, draw: &ExhaustiveDraw) -> Option<OrderFault> {
    if law.riichi.is_none() {
        return (!draw.tenpai.is_empty()).then_some(OrderFault::NoRiichi);
    }
    Player::ALL
        .into_iter()
        .find(|player| deal.has_declared(*player) && !draw.tenpai.contains(player))
        .map(OrderFault::NotReady)
}

/// Returns the fault of payments that sticks can't make up. Adjustments are what the players agreed
/// on, so they may be any numbers.
fn payments_fault(law: &Law, manual: &Manual) -> Option<OrderFault> {
    let is_paid = law.riichi.is_some() && manual.reason != Reason::Adjustment;
    let is_odd = manual.payments.iter().any(|points| points % MIN_AMOUNT != 0);
    (is_paid && is_odd).then_some(OrderFault::NotHundreds)
}
