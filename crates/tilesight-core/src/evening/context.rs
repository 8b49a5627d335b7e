//! The win context of a hand, as far as its deal determines it.
//!
//! Input: a deal and a hand that was won in it. Output: the seats, the discarder, the dealer with
//! his streak, the counters and the sticks, merged with what was stated.

use crate::context::{Context, ContextSetup, Count, Feeder, MAX_COUNT, WinKind};
use crate::contract::{ContextDto, Problem, ProblemKind, RequestFault};
use crate::rules::Profile;

use super::deal::Deal;
use super::play::{HandPoints, Win};
use super::{Player, sticks};

/// Returns the context of a hand of which only the points are known.
pub(super) fn points_context(ruleset: &Profile, hand: &HandPoints, deal: &Deal) -> Context {
    let winner = deal.seat_of(hand.winner);
    let discarder = hand.discarder.map(|player| deal.seat_of(player));
    let plain = Context::plain_win(ruleset.rules().seats(), winner, discarder);
    let honba = Count::new(deal.honba).unwrap_or_default();
    let ContextSetup { dealer, dealer_streak, .. } = dealer_context(ruleset, deal);
    Context {
        feeder: feeder(hand.winner, hand.liable, deal),
        honba,
        dealer: dealer.unwrap_or_default(),
        dealer_streak: dealer_streak.unwrap_or_default(),
        ..plain
    }
}

/// Returns the player who is liable for a hand, as its winner sees them.
fn feeder(winner: Player, liable: Option<Player>, deal: &Deal) -> Option<Feeder> {
    liable.and_then(|player| deal.relation(winner, player)).map(Feeder::from)
}

/// Returns the fields of the win context about the dealer, where the rules pay for them.
fn dealer_context(ruleset: &Profile, deal: &Deal) -> ContextSetup {
    let is_paid = ruleset.rules().law().dealer.is_some();
    let streak = u8::try_from(deal.repeats).unwrap_or(MAX_COUNT).min(MAX_COUNT);
    ContextSetup {
        dealer: is_paid.then(|| deal.seat_of(deal.dealer())),
        dealer_streak: Count::new(streak).filter(|_| is_paid),
        ..ContextSetup::default()
    }
}

/// Returns the context of a win: merges what the game determines with the given context.
pub(super) fn win_context(
    ruleset: &Profile,
    win: &Win,
    deal: &Deal,
) -> Result<ContextDto, Problem> {
    let from = win.discarder.and_then(|discarder| deal.relation(win.winner, discarder));
    let by_whom =
        if from.or(win.context.from).is_some() { WinKind::Discard } else { WinKind::SelfDrawn };
    let how = win.context.win.unwrap_or(by_whom);
    let of_deal = ContextSetup {
        seat: Some(deal.seat_of(win.winner)),
        prevalent: Some(deal.round),
        win: Some(how),
        from,
        feeder: feeder(win.winner, win.liable, deal),
        ..sticks::context(&ruleset.rules().law(), deal, win)
    };
    let setup = of_deal.or(&dealer_context(ruleset, deal));
    let stated = ContextDto { ruleset: win.ruleset, setup: win.context };
    let merged = ContextDto { ruleset: Some(ruleset.id()), setup }.merge(&stated)?;
    let claimed = matches!(how, WinKind::Discard | WinKind::RobbedKong);
    if claimed && merged.setup.from.is_none() {
        let kind = ProblemKind::InvalidContext;
        return Err(Problem::for_field(kind, "discarder", &RequestFault::WhoDiscarded));
    }
    Ok(merged)
}
