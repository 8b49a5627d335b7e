//! Store of feedback: a folder with one folder per record, until the record expires.
//!
//! `DIR/ID/feedback.json` and, with consent, `DIR/ID/photo.jpg`. Invariants: an id is 16 random
//! bytes that this program chose, and only such an id becomes a path; a record appears whole or not
//! at all, because it is written under a temporary name and then renamed; only a hash of the token
//! is stored; only the folder's owner can read it.

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
use tilesight_files::private;
use tilesight_jobs::random;
use tilesight_jobs::retention::RetentionClock;
use tilesight_jobs::sharing::may_have;
use tilesight_vision::contract::ReadingDto;

use super::FeedbackReading;
use crate::answer::rfc3339::rfc3339;
use crate::guard::client::Client;
use crate::guard::keys::unhex;

/// Prefix of a record's folder until the record is complete. A backup leaves out names with a dot.
const UNFINISHED: &str = ".unfinished-";
/// File with the notes about the clock.
const CLOCK: &str = "clock.json";
/// Age at which an incomplete record counts as abandoned.
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// Folder with its limits.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    lifetime: Duration,
    max_records: usize,
    /// Sender of each record that was stored since this process started. Never written to disk.
    senders: Mutex<HashMap<Id, Client>>,
}

/// Stored record of one feedback.
#[derive(Debug, Serialize)]
struct FeedbackRecord {
    received: String,
    engine: &'static str,
    reading: FeedbackReading,
    hand: HandDto,
    context: ContextDto,
    comment: Option<String>,
    photo: bool,
    #[serde(flatten)]
    keeping: Keeping,
}

/// Part of a record that is read again to remove it. The sender supplies none of it, so nobody can
/// write a record that can't be removed.
#[derive(Debug, Serialize, Deserialize)]
struct Keeping {
    expires: String,
    token_sha256: String,
}

/// New record.
#[derive(Debug)]
pub(super) struct Correction {
    pub(super) reading: FeedbackReading,
    pub(super) hand: HandDto,
    pub(super) context: ContextDto,
    pub(super) comment: Option<String>,
    /// Photo without metadata, as JPEG.
    pub(super) photo: Option<Vec<u8>>,
}

/// Correction made on this machine, with the photo, for training.
#[derive(Debug)]
pub struct Lesson {
    /// Reading, as it was made.
    pub reading: ReadingDto,
    /// Correct hand.
    pub hand: HandDto,
    /// Win context.
    pub context: ContextDto,
    /// Comment of the person.
    pub comment: Option<String>,
    /// Photo without metadata, as JPEG.
    pub photo: Vec<u8>,
}

/// Data with which the sender can remove the record later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Receipt {
    pub(super) id: Id,
    pub(super) token: String,
    pub(super) expires: String,
}

/// Id of a record: 16 random bytes, in hex. Only an id becomes a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Id([u8; 16]);

impl Id {
    /// Reads an id as this program writes it.
    pub(super) fn parse(text: &str) -> Option<Id> {
        unhex(text).map(Id).filter(|id| id.text() == text)
    }

    pub(super) fn text(&self) -> String {
        hex::encode(&self.0)
    }
}

/// Writes the files of a record into its folder; they are on disk when this returns.
fn write_record(folder: &Path, record: &FeedbackRecord, photo: Option<&[u8]>) -> io::Result<()> {
    private::write_new(&folder.join("feedback.json"), &serde_json::to_vec_pretty(record)?)?;
    if let Some(photo) = photo {
        private::write_new(&folder.join("photo.jpg"), photo)?;
    }
    private::sync_folder(folder)
}

/// Reason why the store failed.
#[derive(Debug)]
pub(super) enum StoreError {
    /// The store has reached its limit of records.
    Full,
    /// The client has used up its share of the records.
    Share,
    /// No record has this id.
    Unknown,
    /// The token does not belong to the record.
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
    /// Opens a store in a folder, and creates the folder if it is missing. The store keeps at most
    /// `max_records` records.
    ///
    /// # Errors
    /// If the folder can't be created or written to.
    pub fn open(folder: &Path, lifetime: Duration, max_records: usize) -> io::Result<Store> {
        private::create_folders(folder)?;
        let folder = folder.canonicalize()?;
        let probe = folder.join(format!("{UNFINISHED}probe-{}", std::process::id()));
        // A killed process with the same number may have left a probe.
        let _ = fs::remove_file(&probe);
        private::write_new(&probe, b"")?;
        fs::remove_file(&probe)?;
        Ok(Store { folder, lifetime, max_records, senders: Mutex::default() })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Checks that the folder still exists.
    pub(crate) fn check(&self) -> io::Result<()> {
        private::check_folder(&self.folder)
    }

    /// Returns whether a name in the folder belongs to the store.
    #[must_use]
    pub fn keeps(name: &OsStr) -> bool {
        name.to_str().is_some_and(|name| {
            name == CLOCK || name.starts_with(UNFINISHED) || Id::parse(name).is_some()
        })
    }

    /// Stores a correction. One client may have at most three times as many records as remain free.
    pub(super) fn keep(
        &self,
        correction: Correction,
        client: Client,
    ) -> Result<Receipt, StoreError> {
        let left =
            self.max_records.checked_sub(self.records()?.count() + 1).ok_or(StoreError::Full)?;
        let theirs = self.senders().values().filter(|other| **other == client).count();
        if !may_have(theirs, 1, left) {
            return Err(StoreError::Share);
        }
        let id = random::bytes().map(Id).map_err(io::Error::other)?;
        let token = random::id().map_err(io::Error::other)?;
        let (record, photo) = self.record(correction, &token);
        self.write(id, &record, photo.as_deref())?;
        self.senders().insert(id, client);
        let expires = record.keeping.expires;
        Ok(Receipt { id, token, expires })
    }

    /// Returns the record of a correction, and its photo.
    fn record(&self, correction: Correction, token: &str) -> (FeedbackRecord, Option<Vec<u8>>) {
        let Correction { reading, hand, context, comment, photo } = correction;
        let now = SystemTime::now();
        let keeping = Keeping {
            expires: rfc3339(now + self.lifetime),
            token_sha256: hex::encode(&Sha256::digest(token)),
        };
        let record = FeedbackRecord {
            received: rfc3339(now),
            engine: env!("CARGO_PKG_VERSION"),
            reading,
            hand,
            context,
            comment,
            photo: photo.is_some(),
            keeping,
        };
        (record, photo)
    }

    /// Stores a correction that was made on this machine, in the same form as feedback.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn keep_lesson(&self, lesson: Lesson) -> io::Result<()> {
        let Lesson { reading, hand, context, comment, photo } = lesson;
        let reading = FeedbackReading::Full(reading);
        let correction = Correction { reading, hand, context, comment, photo: Some(photo) };
        let id = random::bytes().map(Id).map_err(io::Error::other)?;
        let token = random::id().map_err(io::Error::other)?;
        let (record, photo) = self.record(correction, &token);
        self.write(id, &record, photo.as_deref())
    }

    fn write(&self, id: Id, record: &FeedbackRecord, photo: Option<&[u8]>) -> io::Result<()> {
        let unfinished = self.folder.join(format!("{UNFINISHED}{}", id.text()));
        private::create_folder(&unfinished)?;
        let whole = self.folder.join(id.text());
        let written = write_record(&unfinished, record, photo)
            .and_then(|()| fs::rename(&unfinished, &whole))
            // A record that was acknowledged survives a power cut.
            .and_then(|()| private::sync_folder(&self.folder));
        if written.is_err() {
            // The sweep removes the remains.
            let _ = fs::remove_dir_all(&unfinished);
            let _ = fs::remove_dir_all(&whole);
        }
        written
    }

    /// Removes a record if the token is its own.
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

    /// Removes the records that are expired by the clock, unless it may have jumped, and returns
    /// their number.
    ///
    /// # Errors
    /// As [`sweep`](Store::sweep), and if the notes about the clock can't be written: after the
    /// sweep, which may make room for them.
    pub fn sweep_by_clock(&self, now: SystemTime) -> io::Result<usize> {
        let notes = self.folder.join(CLOCK);
        let noted = fs::read(&notes).ok().and_then(|noted| serde_json::from_slice(&noted).ok());
        let mut clock: RetentionClock = match noted {
            Some(clock) => clock,
            None => RetentionClock::new(self.newest()?.unwrap_or(now).min(now).into()),
        };
        let until = clock.advance(now.into());
        clock.report("feedback");
        let removed = self.sweep(until.into())?;
        let unfinished = self.folder.join(format!("{UNFINISHED}{CLOCK}"));
        // A killed process may have left one.
        let _ = fs::remove_file(&unfinished);
        private::write_new(&unfinished, &serde_json::to_vec(&clock)?)?;
        fs::rename(&unfinished, &notes)?;
        Ok(removed)
    }

    /// Returns the time at which the last record was written.
    fn newest(&self) -> io::Result<Option<SystemTime>> {
        let written =
            self.records()?.filter_map(|record| fs::metadata(record).ok()?.modified().ok());
        Ok(written.max())
    }

    /// Removes expired records, and returns their number.
    ///
    /// # Errors
    /// If the folder can't be read. The next sweep retries records that could not be removed.
    pub fn sweep(&self, now: SystemTime) -> io::Result<usize> {
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
            if unfinished && private::is_older(&entry, FORGOTTEN, now) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let mut removed = 0;
        for folder in self.records()? {
            let is_expired = self.expiry(&folder).is_some_and(|expires| expires <= now);
            if is_expired && fs::remove_dir_all(&folder).is_ok() {
                removed += 1;
            }
        }
        self.senders().retain(|id, _| self.folder.join(id.text()).is_dir());
        Ok(removed)
    }

    /// Returns the time when a record expires: as it states, or after its lifetime on the disk if
    /// it can't be read.
    fn expiry(&self, folder: &Path) -> Option<SystemTime> {
        let stated = self
            .keeping(folder)
            .and_then(|keeping| humantime::parse_rfc3339(&keeping.expires).ok());
        if stated.is_some() {
            return stated;
        }
        let written = fs::metadata(folder).ok()?.modified().ok()?;
        Some(written + self.lifetime)
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
