//! Document of an evening: the evening, its owner and its links.
//!
//! Input: bytes. Output: a [`EveningDocument`]. Invariants: of a link only the hash of its token is
//! written. Documents of version 1, which held a token in plain text, of version 2, whose evening
//! had no version of its own, and of version 3 can be read and are written in the current version.
//! A new version of the evening's format requires a new version of the document, so that older
//! programs report that it is too new for them.

use serde::{Deserialize, Serialize};
use tilesight_core::evening::{Game, GameRecord};
use tilesight_core::rules::Book;

use super::links::hash_of;
use crate::{Name, StoreError, Timestamp};

/// Version of [`EveningDocument`] that this program writes.
const VERSION: u32 = 4;

/// Evening with the data that is stored beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EveningDocument {
    /// Version of the document's format.
    version: u32,
    /// Key that created the evening. An unowned evening belongs to everyone who knows its id, as
    /// long as no keys are required.
    pub owner: Option<String>,
    /// Time of creation.
    pub created: Timestamp,
    /// Time of the last change.
    pub changed: Timestamp,
    /// Hashes of the tokens for viewers, the oldest first.
    pub(super) links: Vec<Name>,
    /// Number of times that the links were revoked: no token of an earlier number is ever generated
    /// again.
    pub(super) taken_back: u32,
    /// Name of the key whose request created the evening, if it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<Name>,
    /// The evening.
    pub game: Game,
    /// Plain-text token of a document of version 1, until the document is written in the current
    /// version.
    #[serde(skip)]
    pub(super) plain: Option<Name>,
}

/// Fields of all known versions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyVersion {
    /// Version, which was checked before the rest.
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
    key: Option<Name>,
    game: GameRecord,
}

/// Fields that every version has, including future ones.
#[derive(Deserialize)]
struct VersionOnly {
    version: u32,
}

impl EveningDocument {
    /// Returns the document of a new evening.
    pub(super) fn new(
        game: Game,
        owner: Option<String>,
        key: Option<Name>,
        now: Timestamp,
    ) -> EveningDocument {
        EveningDocument {
            version: VERSION,
            owner,
            created: now,
            changed: now,
            links: Vec::new(),
            taken_back: 0,
            key,
            game,
            plain: None,
        }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("its keys are texts")
    }

    /// Parses a document of any known version.
    ///
    /// # Errors
    /// [`StoreError::Newer`] and [`StoreError::Corrupt`].
    pub(super) fn read(bytes: &[u8], book: &Book) -> Result<EveningDocument, StoreError> {
        let corrupt = |error: serde_json::Error| StoreError::corrupt(&error);
        let VersionOnly { version: found } = serde_json::from_slice(bytes).map_err(corrupt)?;
        if found > VERSION {
            return Err(StoreError::Newer { found, known: VERSION });
        }
        let AnyVersion { owner, created, changed, share, mut links, taken_back, key, game, .. } =
            serde_json::from_slice(bytes).map_err(corrupt)?;
        let game = game.open(book).map_err(|error| StoreError::corrupt(&error))?;
        links.extend(share.as_ref().map(|token| hash_of(token.as_str())));
        let last = game.changes().last().map_or(created, |change| Timestamp(change.at));
        let changed = changed.unwrap_or(last.max(created));
        Ok(EveningDocument {
            version: VERSION,
            owner,
            created,
            changed,
            links,
            taken_back,
            key,
            game,
            plain: share,
        })
    }
}
