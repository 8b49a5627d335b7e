//! Texts that people enter: how long they may be, that they can be printed, and that players can be
//! told apart by their names.

use super::names::{folded, is_visible};
use super::{GameError, PLAYERS};
use crate::printable::unprintable;

/// Characters of a name: more does not fit over a column.
pub(super) const LONGEST_NAME: usize = 40;
/// Characters of a title or a note.
pub(super) const LONGEST_TEXT: usize = 200;

/// Checks a game's title and the names of its players.
pub(super) fn check_names(title: &str, players: &[String; PLAYERS]) -> Result<(), GameError> {
    check_text("title", title, LONGEST_TEXT)?;
    players.iter().try_for_each(|name| check_printable("players", name))?;
    let fits = |name: &String| (1..=LONGEST_NAME).contains(&name.chars().count());
    let different = (1..PLAYERS).all(|at| !players[..at].contains(&players[at]));
    if !(players.iter().all(fits) && different) {
        return Err(GameError::Names(LONGEST_NAME));
    }
    if let Some(at) = players.iter().position(|name| !is_visible(name)) {
        return Err(GameError::InvisibleName(at + 1));
    }
    check_different(players)
}

/// Refuses names that differ only where people can't see it.
fn check_different(players: &[String; PLAYERS]) -> Result<(), GameError> {
    let forms = players.each_ref().map(|name| folded(name));
    let alike = (1..PLAYERS).find_map(|at| {
        let first = forms[..at].iter().position(|form| *form == forms[at])?;
        Some((players[first].clone(), players[at].clone()))
    });
    alike.map_or(Ok(()), |(first, second)| Err(GameError::AlikeNames { first, second }))
}

/// Checks a text that people read.
pub(super) fn check_text(field: &'static str, text: &str, most: usize) -> Result<(), GameError> {
    check_length(field, text, most)?;
    check_printable(field, text)
}

/// Checks how many characters a text has.
pub(super) fn check_length(field: &'static str, text: &str, most: usize) -> Result<(), GameError> {
    if text.chars().count() > most { Err(GameError::TooLong { field, most }) } else { Ok(()) }
}

fn check_printable(field: &'static str, text: &str) -> Result<(), GameError> {
    unprintable(text).map_or(Ok(()), |letter| Err(GameError::Unprintable { field, letter }))
}
