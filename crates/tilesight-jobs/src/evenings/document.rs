//! Document of an evening: the evening, its owner and its links.
//!
//! Input: bytes. Output: a [`EveningDocument`]. Invariants: of a link only the hash of its token is
//! written; a document of another version is refused. A new version of the evening's format
//! requires a new version of the document.

use serde::{Deserialize, Serialize};
use tilesight_core::evening::{Game, GameRecord};
use tilesight_core::rules::Book;

use crate::{Name, StoreError, Timestamp};

/// Version of [`EveningDocument`].
const VERSION: u32 = 1;

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
}

/// Fields of a stored document.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredDocument {
    /// Version, which was checked before the rest.
    #[serde(rename = "version")]
    _version: u32,
    owner: Option<String>,
    created: Timestamp,
    changed: Timestamp,
    links: Vec<Name>,
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
        }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("its keys are texts")
    }

    /// Parses a document.
    ///
    /// # Errors
    /// [`StoreError::UnknownLayout`] and [`StoreError::Corrupt`].
    pub(super) fn read(bytes: &[u8], book: &Book) -> Result<EveningDocument, StoreError> {
        let VersionOnly { version: found } = parse(bytes)?;
        if found != VERSION {
            return Err(StoreError::UnknownLayout { found, known: VERSION });
        }
        let StoredDocument { owner, created, changed, links, taken_back, key, game, .. } =
            parse(bytes)?;
        let game = game.open(book).map_err(|error| StoreError::corrupt(&error))?;
        Ok(EveningDocument {
            version: VERSION,
            owner,
            created,
            changed,
            links,
            taken_back,
            key,
            game,
        })
    }
}

fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes).map_err(|error| StoreError::corrupt(&error))
}
