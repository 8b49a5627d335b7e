//! The order of play: what the rules allow to follow what.
//!
//! Input: an entry with its deal and its payments, and the rules of the game. Output: the reason
//! why the entry can't stand there, if there is one. The sheet is computed whether or not it stands
//! in order, so that a game still opens when its rule set has changed; an action that brings a new
//! fault, in its own entry or in a later one, is refused. Every front end applies actions by this
//! module, so all of them refuse alike.

use crate::context::RiichiCall;
use crate::rules::Profile;
use crate::rules::law::{
    Abort, AbortKind, DealState, Event, Law, RiichiLaw, SeveralWinners, may_follow,
};
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
/// `state` is the state of the table that they left.
pub(super) fn find_fault(
    ruleset: &Profile,
    row: &Row,
    before: &[Row],
    state: DealState,
) -> Option<OrderFault> {
    let law = ruleset.rules().law();
    if let Some(fault) = table_fault(&law, row, state)
        .or_else(|| winner_fault(&law, row, before))
        .or_else(|| east_fault(&law, row, before))
    {
        return Some(fault);
    }
    match (&row.play, row.deal) {
        (Play::Riichi(riichi), Some(deal)) => riichi_fault(&law, row, &deal, riichi),
        (Play::Win(win), Some(deal)) => {
            dead_fault(&deal, [win.winner]).or_else(|| win_fault(&law, row, &deal, win))
        }
        (Play::Points(hand), Some(deal)) => dead_fault(&deal, [hand.winner])
            .or_else(|| points_fault(ruleset, hand, &scored_deal(row, before, deal))),
        (Play::ExhaustiveDraw(draw), Some(deal)) => draw_fault(&law, &deal, draw),
        (Play::Draw(draw), Some(deal)) => abort_fault(&law, &deal, draw.abort),
        (Play::DeadHand(dead), Some(deal)) => dead_fault(&deal, [dead.player]),
        (Play::Manual(manual), _) => payments_fault(&law, manual),
        _ => None,
    }
}

/// Returns the kind of an entry, as the table of what may follow what has it.
fn event(play: &Play) -> Event {
    match play {
        _ if play.has_same_discard() => Event::SameDiscard,
        Play::Win(_) | Play::Points(_) => Event::Win,
        Play::Draw(draw) => Event::Draw(draw.abort),
        Play::ExhaustiveDraw(_) => Event::ExhaustiveDraw,
        Play::Riichi(_) => Event::Stick,
        Play::DeadHand(_) => Event::DeadHand,
        Play::Chombo(_) => Event::Chombo,
        Play::Manual(_) if play.ends_deal() => Event::EndingPayments,
        Play::Manual(_) => Event::Payments,
    }
}

/// Returns the fault of an entry that the table of what may follow what does not have.
fn table_fault(law: &Law, row: &Row, state: DealState) -> Option<OrderFault> {
    let event = event(&row.play);
    if may_follow(law, state, event) {
        return None;
    }
    Some(match event {
        _ if state == DealState::Over => OrderFault::Finished,
        Event::Stick | Event::DeadHand | Event::Chombo if law.riichi.is_none() => {
            OrderFault::NoRiichi
        }
        Event::Draw(Some(_)) if law.riichi.is_none() => OrderFault::NoRiichi,
        Event::SameDiscard if law.several_winners == SeveralWinners::Nearest => {
            OrderFault::OneWinner
        }
        Event::SameDiscard => OrderFault::OtherDiscard(row.play.winner()?),
        _ if state == DealState::AllDeclared => OrderFault::AllDeclared,
        Event::Draw(Some(kind)) if law.abort(kind) == Abort::No => OrderFault::NotAborted(kind),
        Event::Draw(None) => OrderFault::NoAborts,
        _ => OrderFault::CannotAbort,
    })
}

/// Returns the fault of a further winner by one discard: the entries before are wins on the same
/// discard, each of another player.
fn winner_fault(law: &Law, row: &Row, before: &[Row]) -> Option<OrderFault> {
    let winner = row.play.winner().filter(|_| row.play.has_same_discard())?;
    let earlier: Vec<Player> = before
        .iter()
        .filter(|one| one.play.ends_deal() && one.number() == row.number())
        .filter_map(|one| one.play.winner())
        .collect();
    let shares = row.discarder().is_some()
        && before.last().is_some_and(|one| one.discarder() == row.discarder())
        && !earlier.contains(&winner);
    if !shares {
        return Some(OrderFault::OtherDiscard(winner));
    }
    (earlier.len() >= law.several_winners.max()).then_some(OrderFault::ThreeWinners)
}

/// Returns the deal by which the points of a hand are checked: one without counters where another
/// winner by the same discard takes them.
fn scored_deal(row: &Row, before: &[Row], deal: Deal) -> Deal {
    let is_further = row.play.has_same_discard() && !before.is_empty();
    if is_further { deal.without_table() } else { deal }
}

/// Returns the fault of players whose hands are dead in a deal.
fn dead_fault(deal: &Deal, players: impl IntoIterator<Item = Player>) -> Option<OrderFault> {
    players.into_iter().find(|&player| deal.is_dead(player)).map(OrderFault::Dead)
}

/// Returns the fault of a reason for which a deal can't have been aborted: a player with nine
/// terminals was the first in turn who had not declared.
fn abort_fault(law: &Law, deal: &Deal, reason: Option<AbortKind>) -> Option<OrderFault> {
    law.riichi?;
    let last = deal.players().last().filter(|&player| deal.has_declared(player));
    let is_late = reason == Some(AbortKind::NineTerminals) && last.is_some();
    is_late.then_some(OrderFault::CannotAbort)
}

/// Returns the reasons for which the deal may be aborted now.
pub(super) fn may_abort(law: &Law, deal: &Deal, state: DealState) -> Vec<AbortKind> {
    let mut kinds = AbortKind::ALL.to_vec();
    kinds.retain(|&kind| {
        may_follow(law, state, Event::Draw(Some(kind)))
            && abort_fault(law, deal, Some(kind)).is_none()
    });
    kinds
}

/// Returns the players who may win the deal or be ready at its end.
pub(super) fn may_win(law: &Law, deal: &Deal, state: DealState) -> Vec<Player> {
    let goes_on = may_follow(law, state, Event::Win);
    deal.players().filter(|&player| goes_on && !deal.is_dead(player)).collect()
}

/// Returns the discarder and the players who may have won by the discard of the last entry too.
pub(super) fn further_winners(law: &Law, rows: &[Row]) -> Option<(Player, Vec<Player>)> {
    let last = rows.last()?;
    let deal = last.deal?;
    let discarder = last.discarder()?;
    let winners: Vec<Player> = rows
        .iter()
        .filter(|row| row.number() == last.number())
        .filter_map(|row| row.play.winner())
        .collect();
    if winners.len() >= law.several_winners.max() {
        return None;
    }
    let mut others: Vec<Player> = deal.players().collect();
    others.retain(|player| {
        *player != discarder && !winners.contains(player) && !deal.is_dead(*player)
    });
    (!others.is_empty()).then_some((discarder, others))
}

/// Returns the fault of a stated East.
fn east_fault(law: &Law, row: &Row, before: &[Row]) -> Option<OrderFault> {
    let east = row.play.east()?;
    if !law.dealer.is_some_and(|one| one.wall_gives_winds) {
        return Some(OrderFault::NoOpenedWall);
    }
    let mut of_deal = before.iter().rev().take_while(|one| one.number() == row.number());
    let first = of_deal.find(|one| row.play.has_same_discard() && matches!(one.play, Play::Win(_)));
    let stated = first.and_then(|one| one.deal).map(|deal| deal.player_at(Wind::East));
    stated.is_some_and(|first| first != east).then_some(OrderFault::OtherWinds)
}

/// Returns the players who may declare riichi in a deal.
pub(super) fn may_declare(
    law: &Law,
    deal: &Deal,
    state: DealState,
    totals: &Points,
) -> Vec<Player> {
    let Some(riichi) = law.riichi.as_ref().filter(|_| may_follow(law, state, Event::Stick)) else {
        return Vec::new();
    };
    Player::all_at(deal.seats())
        .iter()
        .copied()
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
    if deal.is_dead(player) {
        return Some(OrderFault::Dead(player));
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
    if hand.liable.is_some() && ruleset.rules().settle_liable(points, &context).is_none() {
        return Some(OrderFault::NobodyLiable);
    }
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
    let Some(riichi) = &law.riichi else {
        let is_plain = draw.tenpai.is_empty() && draw.nagashi.is_empty();
        return (!is_plain).then_some(OrderFault::NoRiichi);
    };
    if !draw.nagashi.is_empty() && !riichi.nagashi {
        return Some(OrderFault::NoNagashi);
    }
    let counted = draw.tenpai.iter().chain(&draw.nagashi).copied();
    dead_fault(deal, counted).or_else(|| {
        deal.players()
            .filter(|&player| deal.has_declared(player) && !deal.is_dead(player))
            .find(|player| !draw.tenpai.contains(player))
            .map(OrderFault::NotReady)
    })
}

/// Returns the fault of payments that sticks can't make up. Adjustments are what the players agreed
/// on, so they may be any numbers.
fn payments_fault(law: &Law, manual: &Manual) -> Option<OrderFault> {
    let is_paid = law.riichi.is_some() && manual.reason != Reason::Adjustment;
    let is_odd = manual.payments.iter().any(|points| points % MIN_AMOUNT != 0);
    (is_paid && is_odd).then_some(OrderFault::NotHundreds)
}
