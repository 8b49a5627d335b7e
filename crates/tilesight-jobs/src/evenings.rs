//! Storage of games: the [journals](crate::journals) of evenings.

use tilesight_core::evening::{Action, Game, GameError, GameRecord, GameView, Meta};
use tilesight_core::explain::Lang;
use tilesight_core::rules::{Book, UnknownRuleset};

use crate::journals::{Journal, JournalNames, JournalStore, JournalStoreError, Stored};
pub use crate::journals::{JournalCursor as EveningCursor, JournalLimits as EveningLimits};
pub use crate::journals::{LinkKey, Precondition};

/// Store of games.
pub type EveningStore = JournalStore<Game>;
/// A game and its place in the store.
pub type StoredEvening = Stored<Game>;
/// Error when a game can't be shown or changed.
pub type EveningStoreError = JournalStoreError<GameError>;

impl Journal for Game {
    const NAMES: JournalNames = JournalNames { kind: "game", several: "games" };

    type Record = GameRecord;
    type Action = Action;
    type Error = GameError;

    fn open(record: GameRecord, book: &Book) -> Result<Game, UnknownRuleset> {
        record.open(book)
    }

    fn apply(&mut self, meta: Meta, action: Action) -> Result<bool, GameError> {
        Game::apply(self, meta, action)
    }

    fn knows(&self, key: &str) -> bool {
        Game::knows(self, key)
    }

    fn began_like(&self, other: &Game) -> bool {
        Game::began_like(self, other)
    }

    fn key_reused() -> GameError {
        GameError::KeyReused
    }
}

impl From<GameError> for EveningStoreError {
    fn from(error: GameError) -> EveningStoreError {
        JournalStoreError::Refused(error)
    }
}

impl StoredEvening {
    /// Returns the game as viewers see it.
    ///
    /// # Errors
    /// [`GameError`] if the rules have changed since.
    pub fn view_of_onlookers(&self, lang: Lang) -> Result<GameView, GameError> {
        GameView::for_onlookers(&self.document.journal, self.revision.0, lang)
    }

    /// Returns the game as players see it.
    ///
    /// # Errors
    /// [`GameError`] if the rules have changed since.
    pub fn view(&self, lang: Lang) -> Result<GameView, GameError> {
        let share = self.share.clone();
        let game = &self.document.journal;
        GameView::for_players(game, self.id.as_str(), self.revision.0, share, lang)
    }
}
