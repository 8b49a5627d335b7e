//! The win context of a hand, as far as its deal determines it.
//!
//! Input: a deal and a hand that was won in it. Output: the seats, the discarder, the counters and
//! the sticks, merged with what was stated.

use crate::context::{Context, ContextSetup, Count, WinKind};
use crate::contract::{ContextDto, Problem, ProblemKind, RequestFault};
use crate::rules::Profile;

use super::deal::Deal;
use super::play::{HandPoints, Win};
use super::sticks;

/// Returns the context of a hand of which only the points are known.
pub(super) fn points_context(ruleset: &Profile, hand: &HandPoints, deal: &Deal) -> Context {
    let winner = deal.seat_of(hand.winner);
    let discarder = hand.discarder.map(|player| deal.seat_of(player));
    let plain = Context::plain_win(ruleset.rules().seats(), winner, discarder);
    let honba = Count::new(deal.honba).unwrap_or_default();
    Context { honba, ..plain }
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
    let setup = ContextSetup {
        seat: Some(deal.seat_of(win.winner)),
        prevalent: Some(deal.round),
        win: Some(how),
        from,
        ..sticks::context(&ruleset.rules().law(), deal, win)
    };
    let stated = ContextDto { ruleset: win.ruleset, setup: win.context };
    let merged = ContextDto { ruleset: Some(ruleset.id()), setup }.merge(&stated)?;
    let claimed = matches!(how, WinKind::Discard | WinKind::RobbedKong);
    if claimed && merged.setup.from.is_none() {
        let kind = ProblemKind::InvalidContext;
        return Err(Problem::for_field(kind, "discarder", &RequestFault::WhoDiscarded));
    }
    Ok(merged)
}
