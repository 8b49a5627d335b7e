//! Errors of `tilesight game` in addition to those of the game itself, in every language.

use tilesight_core::explain::{Lang, Message, display_english};
use tilesight_vision::NoHand;

use crate::texts;

/// Fault of the arguments or of the photo.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    /// Error when no folder was named.
    NoFolder,
    /// Error when no id begins with the text.
    NoGame(String),
    /// Error when a service or another command changed the game meanwhile.
    Stale,
    /// Error when several ids begin with the text.
    SeveralGames(String),
    /// Error when no player has that name.
    NoPlayer {
        /// Name as it was typed.
        name: String,
        /// Names of all players.
        players: String,
    },
    /// Error when points are given together with a win context.
    ContextOfPoints,
    /// Error when the hand of another player has no name.
    Other(String),
    /// Error when a photo is given for an existing entry.
    PhotoOfEntry,
    /// Error when a photo shows no hand.
    NoHand {
        /// File of the photo.
        file: String,
        /// Content of the photo.
        found: NoHand,
        /// Id of the game.
        game: String,
        /// Name of the winner.
        winner: String,
    },
    /// Error when one of these players may be liable for the hand, and nobody said whether one is.
    OpenLiability(String),
    /// Error when a reading needs review by a person.
    Doubtful {
        /// File of the photo.
        file: String,
        /// The hand as it was read.
        hand: String,
    },
}

display_english!(Refusal);

impl Message for Refusal {
    fn text(&self, lang: Lang) -> String {
        match self {
            Refusal::NoFolder => texts::refusal::no_folder(lang).to_owned(),
            Refusal::NoGame(id) => texts::refusal::no_game(lang, id),
            Refusal::Stale => texts::refusal::stale(lang).to_owned(),
            Refusal::SeveralGames(id) => texts::refusal::several_games(lang, id),
            Refusal::NoPlayer { name, players } => texts::refusal::no_player(lang, name, players),
            Refusal::ContextOfPoints => texts::refusal::context_of_points(lang).to_owned(),
            Refusal::Other(text) => texts::refusal::other(lang, text),
            Refusal::PhotoOfEntry => texts::refusal::photo_of_entry(lang).to_owned(),
            Refusal::NoHand { file, found, game, winner } => {
                let found = found.text(lang);
                texts::refusal::no_hand(lang, file, found, game, winner)
            }
            Refusal::OpenLiability(players) => texts::refusal::open_liability(lang, players),
            Refusal::Doubtful { file, hand } => texts::refusal::doubtful(lang, file, hand),
        }
    }
}
