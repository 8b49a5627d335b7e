//! Document of a journal: the journal, its owner and its links.
//!
//! Input: bytes. Output: a [`JournalDocument`]. Invariants: of a link only the hash of its token is
//! written; a document of another version is refused. A new version of the journal's format
//! requires a new version of the document.

use serde::de::DeserializeOwned;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};
use tilesight_core::rules::Book;

use super::Journal;
use crate::{Name, StoreError, Timestamp};

/// Version of [`JournalDocument`].
const VERSION: u32 = 1;

/// Journal with the data that is stored beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct JournalDocument<J: Journal> {
    /// Key that created the journal. One without an owner belongs to everyone who knows its id, as
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
    /// Name of the key whose request created the journal, if it had one.
    pub(super) key: Option<Name>,
    /// The journal.
    pub journal: J,
}

/// Fields of a stored document. The journal's field is named like its kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredDocument<R> {
    /// Version, which was checked before the rest.
    #[serde(rename = "version")]
    _version: u32,
    owner: Option<String>,
    created: Timestamp,
    changed: Timestamp,
    links: Vec<Name>,
    taken_back: u32,
    key: Option<Name>,
    #[serde(alias = "game", alias = "series")]
    journal: R,
}

/// Fields that every version has, including future ones.
#[derive(Deserialize)]
struct VersionOnly {
    version: u32,
}

impl<J: Journal> Serialize for JournalDocument<J> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("JournalDocument", 8)?;
        fields.serialize_field("version", &VERSION)?;
        fields.serialize_field("owner", &self.owner)?;
        fields.serialize_field("created", &self.created)?;
        fields.serialize_field("changed", &self.changed)?;
        fields.serialize_field("links", &self.links)?;
        fields.serialize_field("taken_back", &self.taken_back)?;
        if let Some(key) = &self.key {
            fields.serialize_field("key", key)?;
        }
        fields.serialize_field(J::NAMES.kind, &self.journal)?;
        fields.end()
    }
}

impl<J: Journal> JournalDocument<J> {
    /// Returns the document of a new journal.
    pub(super) fn new(
        journal: J,
        owner: Option<String>,
        key: Option<Name>,
        now: Timestamp,
    ) -> JournalDocument<J> {
        let links = Vec::new();
        JournalDocument { owner, created: now, changed: now, links, taken_back: 0, key, journal }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("its keys are texts")
    }

    /// Parses a document.
    ///
    /// # Errors
    /// [`StoreError::UnknownLayout`] and [`StoreError::Corrupt`].
    pub(super) fn read(bytes: &[u8], book: &Book) -> Result<JournalDocument<J>, StoreError> {
        let VersionOnly { version: found } = parse(bytes)?;
        if found != VERSION {
            return Err(StoreError::UnknownLayout { found, known: VERSION });
        }
        let StoredDocument { owner, created, changed, links, taken_back, key, journal, .. } =
            parse::<StoredDocument<J::Record>>(bytes)?;
        let journal = J::open(journal, book).map_err(|error| StoreError::corrupt(&error))?;
        Ok(JournalDocument { owner, created, changed, links, taken_back, key, journal })
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes).map_err(|error| StoreError::corrupt(&error))
}
