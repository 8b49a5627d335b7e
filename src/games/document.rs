//! The document of a game: the game, whose it is and its links.
//!
//! Input: bytes. Output: a [`GameDocument`]. Invariants: of a link only its token's hash is
//! written; documents of version 1, which held a token as it was, and of version 2, whose game had
//! no version of its own, are read and written anew in the form of today. A new version of the
//! game's form is a new one of the document's, so that older programs say that it is too new for
//! them.

use serde::{Deserialize, Serialize};
use tilesight_core::game::{Game, GameRecord};
use tilesight_core::rules::Book;

use super::links::hash_of;
use crate::jobs::{Name, StoreError, Timestamp};

/// The form of [`GameDocument`] that this program writes.
const VERSION: u32 = 3;

/// A game with what is stored beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameDocument {
    /// Which form it is written in.
    version: u32,
    /// The key that created it. A game of nobody is everybody's who knows its id, as long as no
    /// keys are asked for.
    pub owner: Option<String>,
    /// When it was created.
    pub created: Timestamp,
    /// When it was changed last.
    pub changed: Timestamp,
    /// The hashes of the tokens for those who may only look on, the oldest first.
    pub(super) links: Vec<Name>,
    /// How often its links were taken back: no token that was made before is made again.
    pub(super) taken_back: u32,
    /// The game.
    pub game: Game,
    /// The token that a document of version 1 held, until it is written anew.
    #[serde(skip)]
    pub(super) plain: Option<Name>,
}

/// The fields of all versions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyVersion {
    /// Checked before the rest.
    #[serde(rename = "version")]
    _version: u32,
    owner: Option<String>,
    created: Timestamp,
    changed: Option<Timestamp>,
    share: Option<Name>,
    #[serde(default)]
    links: Vec<Name>,
    #[serde(default)]
    taken_back: u32,
    game: GameRecord,
}

/// What every version has, later ones too.
#[derive(Deserialize)]
struct VersionOnly {
    version: u32,
}

impl GameDocument {
    /// The document of a new game.
    pub(super) fn new(game: Game, owner: Option<String>, now: Timestamp) -> GameDocument {
        GameDocument {
            version: VERSION,
            owner,
            created: now,
            changed: now,
            links: Vec::new(),
            taken_back: 0,
            game,
            plain: None,
        }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("its keys are texts")
    }

    /// # Errors
    /// [`StoreError::Newer`] and [`StoreError::Corrupt`].
    pub(super) fn read(bytes: &[u8], book: &Book) -> Result<GameDocument, StoreError> {
        let corrupt = |error: serde_json::Error| StoreError::corrupt(&error);
        let VersionOnly { version: found } = serde_json::from_slice(bytes).map_err(corrupt)?;
        if found > VERSION {
            return Err(StoreError::Newer { found, known: VERSION });
        }
        let AnyVersion { owner, created, changed, share, mut links, taken_back, game, .. } =
            serde_json::from_slice(bytes).map_err(corrupt)?;
        let game = game.open(book).map_err(|error| StoreError::corrupt(&error))?;
        links.extend(share.as_ref().map(|token| hash_of(token.as_str())));
        let last = game.changes().last().map_or(created, |change| Timestamp(change.at));
        let changed = changed.unwrap_or(last.max(created));
        Ok(GameDocument {
            version: VERSION,
            owner,
            created,
            changed,
            links,
            taken_back,
            game,
            plain: share,
        })
    }
}
