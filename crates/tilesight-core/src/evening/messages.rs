//! Texts of the errors on changing a game.

use super::GameError;
use crate::explain::{Lang, Message, display_english};
use crate::texts;

display_english!(GameError);

impl Message for GameError {
    fn text(&self, lang: Lang) -> String {
        match self {
            GameError::Over => texts::game_error::over(lang).to_owned(),
            GameError::NoEntry(entry) => texts::game_error::no_entry(lang, entry),
            GameError::NoChange(change) => texts::game_error::no_change(lang, change),
            GameError::NothingToUndo => texts::game_error::nothing_to_undo(lang).to_owned(),
            GameError::Names(max) => texts::game_error::names(lang, max),
            GameError::AlikeNames { first, second } => {
                texts::game_error::alike_names(lang, first, second)
            }
            GameError::InvisibleName(player) => texts::game_error::invisible_name(lang, player),
            GameError::TooLong { field, max } => texts::game_error::too_long(lang, field, max),
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
            GameError::ThreePlayers(ruleset) => texts::game_error::three_players(lang, ruleset),
            GameError::Hand { entry, problem } => {
                let problem = problem.detail.text(lang);
                texts::game_error::hand(lang, entry, problem)
            }
            GameError::BelowMinimum { entry, needed, missing, .. } => {
                texts::game_error::below_minimum(lang, entry, needed, missing)
            }
        }
    }
}
