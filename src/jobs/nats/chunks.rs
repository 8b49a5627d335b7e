//! The items of a job: chunks in a row, each written once.
//!
//! A chunk's key is its job and the place of its first item; to write it is to append its items,
//! because only one can be written at a place. Sealing a job writes an end where the next chunk
//! would be. Invariant: what is written never changes until its job is deleted, so what is known of
//! it can be remembered.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::records::{JsonRecord, Record as _, Records};
use crate::jobs::{JobId, NewItem, StoreError, Timestamp};

/// Items in a chunk at the most: few enough that a look at one costs little.
pub(super) const ITEMS: usize = 200;
/// Bytes of a chunk at the most: half of what a NATS message may have unless its server is
/// configured otherwise.
const BYTES: usize = 512 * 1024;
/// Jobs whose chunks are remembered; beyond it all are forgotten and looked up again.
const REMEMBERED: usize = 1000;

/// The chunks of all jobs.
#[derive(Debug)]
pub(super) struct Chunks {
    records: Records,
    known: Mutex<HashMap<JobId, Extent>>,
}

/// What is known of where a job's chunks begin and end.
#[derive(Debug, Clone, Default)]
pub(super) struct Extent {
    /// Where each chunk begins.
    pub(super) starts: Vec<u64>,
    /// How many items there are.
    pub(super) total: u64,
    /// When the end was written, if it was.
    pub(super) sealed: Option<Timestamp>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Chunk {
    Items(Vec<NewItem>),
    End(Timestamp),
}

impl JsonRecord for Chunk {}

impl Chunks {
    pub(super) fn new(records: Records) -> Chunks {
        Chunks { records, known: Mutex::default() }
    }

    /// How far a job goes now.
    pub(super) async fn extent(&self, job: &JobId) -> Result<Extent, StoreError> {
        let mut extent = self.known().get(job).cloned().unwrap_or_default();
        while extent.sealed.is_none() {
            match self.records.get(&key(job, extent.total)).await? {
                None => break,
                Some(Chunk::End(at)) => extent.sealed = Some(at),
                Some(Chunk::Items(items)) => {
                    extent.starts.push(extent.total);
                    extent.total += items.len() as u64;
                }
            }
        }
        let mut known = self.known();
        if known.len() >= REMEMBERED && !known.contains_key(job) {
            known.clear();
        }
        known.insert(*job, extent.clone());
        Ok(extent)
    }

    /// The items of the chunk that begins at a place.
    pub(super) async fn at(&self, job: &JobId, start: u64) -> Result<Vec<NewItem>, StoreError> {
        match self.records.get(&key(job, start)).await? {
            Some(Chunk::Items(items)) => Ok(items),
            // It was there: the job is being deleted meanwhile.
            Some(Chunk::End(_)) | None => Ok(Vec::new()),
        }
    }

    /// Appends as many of the items as go into one chunk, and returns how many; `None` when
    /// somebody else wrote something there.
    pub(super) async fn append(
        &self,
        job: &JobId,
        total: u64,
        items: &[NewItem],
    ) -> Result<Option<usize>, StoreError> {
        let mut count = items.len().min(ITEMS);
        let mut bytes = Chunk::Items(items[..count].to_vec()).bytes();
        while bytes.len() > BYTES && count > 1 {
            count /= 2;
            bytes = Chunk::Items(items[..count].to_vec()).bytes();
        }
        let saved = self.records.save(&key(job, total), bytes, None).await?;
        Ok(saved.map(|_| count))
    }

    /// Writes the end; does nothing where there is one.
    pub(super) async fn seal(&self, job: &JobId) -> Result<(), StoreError> {
        loop {
            let extent = self.extent(job).await?;
            if extent.sealed.is_some() {
                return Ok(());
            }
            let end = Chunk::End(Timestamp::now()).bytes();
            // Where somebody appended meanwhile, the end goes behind that.
            self.records.save(&key(job, extent.total), end, None).await?;
        }
    }

    /// Removes all chunks of a job.
    pub(super) async fn delete(&self, job: &JobId) -> Result<(), StoreError> {
        let extent = self.extent(job).await?;
        // From the end on: what is left after a crash is found from the beginning.
        self.records.clear(&key(job, extent.total)).await?;
        for start in extent.starts.iter().rev() {
            self.records.clear(&key(job, *start)).await?;
        }
        self.known().remove(job);
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, HashMap<JobId, Extent>> {
        // Each entry is whole at any time, so a panic elsewhere spoils nothing.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Places have as many digits as keys need to be sorted by them.
fn key(job: &JobId, place: u64) -> String {
    format!("items.{job}.{place:012}")
}
