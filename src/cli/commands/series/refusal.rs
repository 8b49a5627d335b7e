//! Errors of `tilesight series` in addition to those of the series itself, in all languages.

use tilesight_core::explain::{Lang, Message, display_english};

use crate::texts;

/// Fault of the arguments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    /// Error when no folder was named.
    NoFolder,
    /// Error when no id begins with the text.
    NoSeries(String),
    /// Error when several ids begin with the text.
    Several(String),
    /// Error when a service or another command changed the series meanwhile.
    Stale,
    /// Error when no player has that name.
    NoPlayer(String),
}

display_english!(Refusal);

impl Message for Refusal {
    fn text(&self, lang: Lang) -> String {
        match self {
            Refusal::NoFolder => texts::series_refusal::no_folder(lang).to_owned(),
            Refusal::NoSeries(id) => texts::series_refusal::no_series(lang, id),
            Refusal::Several(id) => texts::series_refusal::several(lang, id),
            Refusal::Stale => texts::series_refusal::stale(lang).to_owned(),
            Refusal::NoPlayer(name) => texts::series_refusal::no_player(lang, name),
        }
    }
}
