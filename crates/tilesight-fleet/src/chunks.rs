//! Items of a job, as a sequence of chunks that are each written once.
//!
//! A chunk's key is its job and the index of its first item; writing the chunk appends its items,
//! because only one chunk can be written at an index. Sealing a job writes an end marker in the
//! place of the next chunk. Invariant: written chunks never change until their job is deleted, so
//! they can be cached.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tilesight_jobs::{JobId, NewItem, StoreError, Timestamp};

use super::records::{JsonRecord, Record as _, Records};

/// Maximum number of items in a chunk: few enough that reading a chunk is cheap.
pub(super) const ITEMS: usize = 200;
/// Maximum size of a chunk in bytes: half of the default limit of a NATS message.
const BYTES: usize = 512 * 1024;
/// Maximum number of jobs whose chunks are cached; beyond it the cache is cleared.
const MAX_CACHED_JOBS: usize = 1000;

/// Chunks of all jobs.
#[derive(Debug)]
pub(super) struct Chunks {
    records: Records,
    known: Mutex<HashMap<JobId, Extent>>,
}

/// Known extent of a job's chunks.
#[derive(Debug, Clone, Default)]
pub(super) struct Extent {
    /// Index of the first item of each chunk.
    pub(super) starts: Vec<u64>,
    /// Number of items.
    pub(super) total: u64,
    /// Time at which the end was written, if it was.
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

    /// Returns the current extent of a job.
    pub(super) async fn extent(&self, job: &JobId) -> Result<Extent, StoreError> {
        let mut extent = self.extents().get(job).cloned().unwrap_or_default();
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
        let mut known = self.extents();
        if known.len() >= MAX_CACHED_JOBS && !known.contains_key(job) {
            known.clear();
        }
        known.insert(*job, extent.clone());
        Ok(extent)
    }

    /// Returns the items of the chunk that begins at an index.
    pub(super) async fn items_at(
        &self,
        job: &JobId,
        start: u64,
    ) -> Result<Vec<NewItem>, StoreError> {
        match self.records.get(&key(job, start)).await? {
            Some(Chunk::Items(items)) => Ok(items),
            // The chunk existed before, so the job is being deleted.
            Some(Chunk::End(_)) | None => Ok(Vec::new()),
        }
    }

    /// Appends as many of the items as fit into one chunk, and returns their number; `None` if
    /// another process wrote a chunk or the end there.
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

    /// Writes the end; does nothing if there is one.
    pub(super) async fn seal(&self, job: &JobId) -> Result<(), StoreError> {
        loop {
            let extent = self.extent(job).await?;
            if extent.sealed.is_some() {
                return Ok(());
            }
            let end = Chunk::End(Timestamp::now()).bytes();
            // If another process appended in the meantime, the end goes after its chunk.
            self.records.save(&key(job, extent.total), end, None).await?;
        }
    }

    /// Removes all chunks of a job.
    pub(super) async fn delete(&self, job: &JobId) -> Result<(), StoreError> {
        let extent = self.extent(job).await?;
        // Removes from the end backwards: chunks that are left after a crash are found from the
        // beginning.
        self.records.clear(&key(job, extent.total)).await?;
        for start in extent.starts.iter().rev() {
            self.records.clear(&key(job, *start)).await?;
        }
        self.extents().remove(job);
        Ok(())
    }

    fn extents(&self) -> MutexGuard<'_, HashMap<JobId, Extent>> {
        // Each entry is consistent at any time, so a panic elsewhere does no harm.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the key of a chunk. Indices are padded with zeros so that keys sort by them.
fn key(job: &JobId, place: u64) -> String {
    format!("items.{job}.{place:012}")
}
