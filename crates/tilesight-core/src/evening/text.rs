//! Checks of the texts that people enter: their length, that they are printable, and that players
//! can be told apart by their names.

use super::GameError;
use super::names::{fold, is_visible};
use crate::printable::unprintable;

/// Maximum number of characters of a name: more do not fit above a column.
pub(crate) const MAX_NAME: usize = 40;
/// Maximum number of characters of a title or a note.
pub(crate) const MAX_TEXT: usize = 200;

/// Checks a game's title and the names of its players.
pub(super) fn check_names(title: &str, players: &[String]) -> Result<(), GameError> {
    check_text("title", title, MAX_TEXT)?;
    players.iter().try_for_each(|name| check_printable("players", name))?;
    let fit = players.iter().all(|name| (1..=MAX_NAME).contains(&name.chars().count()));
    let different = (1..players.len()).all(|at| !players[..at].contains(&players[at]));
    if !(fit && different) {
        return Err(GameError::Names { count: players.len(), max: MAX_NAME });
    }
    if let Some(at) = players.iter().position(|name| !is_visible(name)) {
        return Err(GameError::InvisibleName { field: "players", player: at + 1 });
    }
    check_different(players)
}

/// Refuses names whose differences people can't see.
fn check_different(players: &[String]) -> Result<(), GameError> {
    let forms: Vec<String> = players.iter().map(|name| fold(name)).collect();
    let alike = (1..players.len()).find_map(|at| {
        let first = forms[..at].iter().position(|form| *form == forms[at])?;
        Some((players[first].clone(), players[at].clone()))
    });
    let field = "players";
    alike.map_or(Ok(()), |(first, second)| Err(GameError::AlikeNames { field, first, second }))
}

/// Checks the length of a text, and that it is printable.
pub(crate) fn check_text(field: &'static str, text: &str, max: usize) -> Result<(), GameError> {
    check_length(field, text, max)?;
    check_printable(field, text)
}

/// Checks the number of characters of a text.
pub(super) fn check_length(field: &'static str, text: &str, max: usize) -> Result<(), GameError> {
    if text.chars().count() > max { Err(GameError::TooLong { field, max }) } else { Ok(()) }
}

fn check_printable(field: &'static str, text: &str) -> Result<(), GameError> {
    unprintable(text).map_or(Ok(()), |letter| Err(GameError::Unprintable { field, letter }))
}
