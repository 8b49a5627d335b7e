//! Texts of the errors on changing a game.

use super::{GameError, OrderFault};
use crate::explain::{Lang, Message, display_english};
use crate::rules::law::AbortKind;
use crate::texts;

display_english!(GameError);

impl Message for GameError {
    fn text(&self, lang: Lang) -> String {
        match self {
            GameError::Over => texts::game_error::over(lang).to_owned(),
            GameError::NoEntry(entry) => texts::game_error::no_entry(lang, entry),
            GameError::NoChange(change) => texts::game_error::no_change(lang, change),
            GameError::StillNeeded(change) => texts::game_error::still_needed(lang, change),
            GameError::NothingToUndo => texts::game_error::nothing_to_undo(lang).to_owned(),
            GameError::Names { count, max } => texts::game_error::names(lang, count, max),
            GameError::PlayerCount(count) => texts::game_error::player_count(lang, count),
            GameError::PaymentCount(count) => texts::game_error::payment_count(lang, count),
            GameError::NoSuchPlayer(player) => {
                texts::game_error::no_such_player(lang, u8::from(*player))
            }
            GameError::AlikeNames { first, second, .. } => {
                texts::game_error::alike_names(lang, first, second)
            }
            GameError::InvisibleName { player, .. } => {
                texts::game_error::invisible_name(lang, player)
            }
            GameError::TooLong { field, max } => texts::game_error::too_long(lang, max, field),
            GameError::Unprintable { field, letter } => {
                let code = u32::from(*letter);
                texts::game_error::unprintable(lang, format_args!("{code:04X}"), field)
            }
            GameError::Full(max) => texts::game_error::full(lang, max),
            GameError::TooLarge(max) => texts::game_error::too_large(lang, max),
            GameError::Unbalanced(sum) => texts::game_error::unbalanced(lang, sum),
            GameError::TooManyPoints { max, .. } => texts::game_error::too_many_points(lang, max),
            GameError::Sum => texts::game_error::sum(lang).to_owned(),
            GameError::KeyReused => texts::game_error::key_reused(lang).to_owned(),
            GameError::Unreadable(problem) => problem.detail.text(lang).to_owned(),
            GameError::OwnDiscard => texts::game_error::own_discard(lang).to_owned(),
            GameError::OwnLiability => texts::game_error::own_liability(lang).to_owned(),
            GameError::Hand { entry, problem } => {
                let problem = problem.detail.text(lang);
                texts::game_error::hand(lang, entry, problem)
            }
            GameError::OutOfOrder { entry, fault, player } => {
                texts::game_error::hand(lang, entry, describe(lang, fault, player))
            }
            GameError::BelowMinimum { entry, needed, missing, .. } => {
                texts::game_error::below_minimum(lang, entry, needed, missing)
            }
        }
    }
}

/// Returns the reason for which a deal is aborted.
fn abort_text(lang: Lang, kind: AbortKind) -> &'static str {
    match kind {
        AbortKind::NineTerminals => texts::abort::nine_terminals(lang),
        AbortKind::FourWinds => texts::abort::four_winds(lang),
        AbortKind::FourRiichi => texts::abort::four_riichi(lang),
        AbortKind::FourKongs => texts::abort::four_kongs(lang),
        AbortKind::ThreeWinners => texts::abort::three_winners(lang),
    }
}

/// Returns the reason why an entry can't stand where it is.
fn describe(lang: Lang, fault: &OrderFault, player: &str) -> String {
    use texts::order_fault;
    match fault {
        OrderFault::Finished => texts::game_error::over(lang).to_owned(),
        OrderFault::NoRiichi => order_fault::no_riichi(lang).to_owned(),
        OrderFault::RiichiTwice(_) => order_fault::riichi_twice(lang, player),
        OrderFault::RiichiShort { points, .. } => order_fault::riichi_short(lang, player, points),
        OrderFault::RiichiOpen(_) => order_fault::riichi_open(lang, player),
        OrderFault::RiichiDenied(_) => order_fault::riichi_denied(lang, player),
        OrderFault::NotReady(_) => order_fault::not_ready(lang, player),
        OrderFault::NoSuchTotal { points, lower, higher } => {
            let near: Vec<String> = lower.iter().chain(higher).map(u32::to_string).collect();
            order_fault::no_such_total(lang, points, near.join(lang.labels().list))
        }
        OrderFault::WithCounters { points, counters, total } => {
            order_fault::with_counters(lang, points, counters, total)
        }
        OrderFault::NotAborted(kind) => order_fault::not_aborted(lang, abort_text(lang, *kind)),
        OrderFault::NoAborts => order_fault::no_aborts(lang).to_owned(),
        OrderFault::CannotAbort => order_fault::cannot_abort(lang).to_owned(),
        OrderFault::AllDeclared => order_fault::all_declared(lang).to_owned(),
        OrderFault::Dead(_) => order_fault::dead(lang, player),
        OrderFault::NoNagashi => order_fault::no_nagashi(lang).to_owned(),
        OrderFault::ThreeWinners => order_fault::three_winners(lang).to_owned(),
        OrderFault::OneWinner => order_fault::one_winner(lang).to_owned(),
        OrderFault::OtherDiscard(_) => order_fault::other_discard(lang, player),
        OrderFault::NoOpenedWall => order_fault::no_opened_wall(lang).to_owned(),
        OrderFault::OtherWinds => order_fault::other_winds(lang).to_owned(),
        OrderFault::NotHundreds => order_fault::not_hundreds(lang).to_owned(),
        OrderFault::NobodyLiable => order_fault::nobody_liable(lang).to_owned(),
    }
}
