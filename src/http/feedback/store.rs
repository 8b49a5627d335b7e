//! The store of feedback: a folder with a folder for each record, until it expires.
//!
//! `DIR/ID/feedback.json` and, with consent, `DIR/ID/photo.jpg`. Invariants: an id is 16 random
//! bytes that this program chose, and only such an id becomes a path; a record appears whole or not
//! at all, because it is written beside its place and then moved there; of the token only a hash is
//! stored; only the folder's owner can read it.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tilesight_core::contract::{ContextDto, HandDto};
use tilesight_core::hex;

use crate::contract::ReadingDto;
use crate::http::client::Client;
use crate::http::keys::unhex;
use crate::http::rfc3339::rfc3339;
use crate::private;
use crate::random;
use crate::sharing::may_have;

/// The prefix of a record's folder until it is complete.
const UNFINISHED: &str = ".unfinished-";
/// After this time an incomplete record is abandoned.
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// The folder and its rules.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    lifetime: Duration,
    most: usize,
    /// Which client sent what since this process started; it is not written anywhere.
    senders: Mutex<HashMap<Id, Client>>,
}

/// The stored record of one feedback.
#[derive(Debug, Serialize)]
struct Record {
    received: String,
    engine: &'static str,
    reading: ReadingDto,
    hand: HandDto,
    context: ContextDto,
    comment: Option<String>,
    photo: bool,
    #[serde(flatten)]
    keeping: Keeping,
}

/// What is read of a record again, to remove it. Nothing of it comes from the sender, so that
/// nobody can write a record that can't be removed.
#[derive(Debug, Serialize, Deserialize)]
struct Keeping {
    expires: String,
    token_sha256: String,
}

/// A new record.
#[derive(Debug)]
pub(super) struct Correction {
    pub(super) reading: ReadingDto,
    pub(super) hand: HandDto,
    pub(super) context: ContextDto,
    pub(super) comment: Option<String>,
    /// A photo without metadata, as JPEG.
    pub(super) photo: Option<Vec<u8>>,
}

/// A correction that somebody made on this machine, with the photo, to learn from.
#[derive(Debug)]
pub struct Lesson {
    /// The reading as it was.
    pub reading: ReadingDto,
    /// The hand as it should be.
    pub hand: HandDto,
    /// The win context.
    pub context: ContextDto,
    /// A comment.
    pub comment: Option<String>,
    /// The photo without metadata, as JPEG.
    pub photo: Vec<u8>,
}

/// What the sender needs to remove it later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Receipt {
    pub(super) id: Id,
    pub(super) token: String,
    pub(super) expires: String,
}

/// A record's id: 16 random bytes, in hex. Only an id becomes a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Id([u8; 16]);

impl Id {
    /// Reads an id as this program writes it.
    pub(super) fn parse(text: &str) -> Option<Id> {
        unhex(text).map(Id).filter(|id| id.text() == text)
    }

    pub(super) fn text(&self) -> String {
        hex::of(&self.0)
    }
}

/// Why nothing was stored.
#[derive(Debug)]
pub(super) enum StoreError {
    /// The store has as many records as it may.
    Full,
    /// This client has its share of them.
    Share,
    /// There is no such record.
    Unknown,
    /// The token is not the record's.
    WrongToken,
    /// The disk failed.
    Io(io::Error),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> StoreError {
        StoreError::Io(error)
    }
}

impl Store {
    /// A store in a folder, which is made where it is missing. `most` records are kept at once.
    ///
    /// # Errors
    /// When the folder can't be made or written to.
    pub fn open(folder: &Path, lifetime: Duration, most: usize) -> io::Result<Store> {
        private::create_folders(folder)?;
        let folder = folder.canonicalize()?;
        let probe = folder.join(format!("{UNFINISHED}probe-{}", std::process::id()));
        // A process with this number may have left one when it was killed.
        let _ = fs::remove_file(&probe);
        private::write_new(&probe, b"")?;
        fs::remove_file(&probe)?;
        Ok(Store { folder, lifetime, most, senders: Mutex::default() })
    }

    /// Checks that the folder is still there.
    pub(in crate::http) fn check(&self) -> io::Result<()> {
        private::check_folder(&self.folder)
    }

    /// Whether a name in the folder is one of the store's.
    #[must_use]
    pub fn keeps(name: &OsStr) -> bool {
        let ours = |name: &str| name.starts_with(UNFINISHED) || Id::parse(name).is_some();
        name.to_str().is_some_and(ours)
    }

    /// Stores a correction. One client may have three times as many as are still free.
    pub(super) fn keep(
        &self,
        correction: Correction,
        client: Client,
    ) -> Result<Receipt, StoreError> {
        let left = self.most.checked_sub(self.records()?.count() + 1).ok_or(StoreError::Full)?;
        let theirs = self.senders().values().filter(|other| **other == client).count();
        if !may_have(theirs, 1, left) {
            return Err(StoreError::Share);
        }
        let (id, token) =
            random::bytes().and_then(|id| Ok((Id(id), random::id()?))).map_err(io::Error::other)?;
        let (record, photo) = self.record(correction, &token);
        self.write(id, &record, photo.as_deref())?;
        self.senders().insert(id, client);
        let expires = record.keeping.expires;
        Ok(Receipt { id, token, expires })
    }

    /// The record of a correction, and its photo.
    fn record(&self, correction: Correction, token: &str) -> (Record, Option<Vec<u8>>) {
        let Correction { reading, hand, context, comment, photo } = correction;
        let now = SystemTime::now();
        let keeping = Keeping {
            expires: rfc3339(now + self.lifetime),
            token_sha256: hex::of(&Sha256::digest(token)),
        };
        let (received, engine) = (rfc3339(now), env!("CARGO_PKG_VERSION"));
        let with_photo = photo.is_some();
        let record = Record {
            received,
            engine,
            reading,
            hand,
            context,
            comment,
            photo: with_photo,
            keeping,
        };
        (record, photo)
    }

    /// Stores a lesson that was made on this machine, in the form in which feedback is stored.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn keep_lesson(&self, lesson: Lesson) -> io::Result<()> {
        let Lesson { reading, hand, context, comment, photo } = lesson;
        let correction = Correction { reading, hand, context, comment, photo: Some(photo) };
        let id = random::bytes().map(Id).map_err(io::Error::other)?;
        let token = random::id().map_err(io::Error::other)?;
        let (record, photo) = self.record(correction, &token);
        self.write(id, &record, photo.as_deref())
    }

    fn write(&self, id: Id, record: &Record, photo: Option<&[u8]>) -> io::Result<()> {
        let unfinished = self.folder.join(format!("{UNFINISHED}{}", id.text()));
        private::create_folder(&unfinished)?;
        let put = |name, bytes: &[u8]| private::write_new(&unfinished.join(name), bytes);
        let written = put("feedback.json", &serde_json::to_vec_pretty(record)?)
            .and_then(|()| photo.map_or(Ok(()), |photo| put("photo.jpg", photo)))
            .and_then(|()| fs::rename(&unfinished, self.folder.join(id.text())));
        if written.is_err() {
            // The sweep removes what is left of it.
            let _ = fs::remove_dir_all(&unfinished);
        }
        written
    }

    /// Removes a record whose token is given.
    pub(super) fn remove(&self, id: Id, token: &str) -> Result<(), StoreError> {
        let folder = self.folder.join(id.text());
        let keeping = self.keeping(&folder).ok_or(StoreError::Unknown)?;
        let given = Sha256::digest(token);
        let known = unhex::<32>(&keeping.token_sha256).ok_or(StoreError::Unknown)?;
        if !bool::from(given.as_slice().ct_eq(&known)) {
            return Err(StoreError::WrongToken);
        }
        fs::remove_dir_all(folder)?;
        self.senders().remove(&id);
        Ok(())
    }

    /// Removes expired records, and returns how many.
    ///
    /// # Errors
    /// When the folder can't be read. A record that can't be removed is tried again the next time.
    pub fn sweep(&self, now: SystemTime) -> io::Result<usize> {
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
            if unfinished && private::is_older(&entry, FORGOTTEN, now) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let expired = self.records()?.filter(|folder| {
            let stated = self.keeping(folder);
            let stated = stated.and_then(|keeping| humantime::parse_rfc3339(&keeping.expires).ok());
            // A record that can't be read expires too.
            let written = || Some(fs::metadata(folder).ok()?.modified().ok()? + self.lifetime);
            stated.or_else(written).is_some_and(|expires| expires <= now)
        });
        let removed = expired.filter(|folder| fs::remove_dir_all(folder).is_ok()).count();
        self.senders().retain(|id, _| self.folder.join(id.text()).is_dir());
        Ok(removed)
    }

    fn senders(&self) -> MutexGuard<'_, HashMap<Id, Client>> {
        self.senders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn records(&self) -> io::Result<impl Iterator<Item = PathBuf>> {
        let entries = fs::read_dir(&self.folder)?.flatten();
        let named =
            entries.filter(|entry| Id::parse(&entry.file_name().to_string_lossy()).is_some());
        Ok(named.map(|entry| entry.path()))
    }

    fn keeping(&self, folder: &Path) -> Option<Keeping> {
        serde_json::from_slice(&fs::read(folder.join("feedback.json")).ok()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_of_our_own_are_paths() {
        assert!(Id::parse(&"0a".repeat(16)).is_some());
        for bad in [
            "",
            "..",
            "../../etc/passwd",
            &"0A".repeat(16),
            &"0a".repeat(17),
            &"%2".repeat(16),
            &"é".repeat(16),
        ] {
            assert_eq!(Id::parse(bad), None, "{bad}");
        }
    }
}
