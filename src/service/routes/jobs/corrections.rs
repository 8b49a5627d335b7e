//! Corrections of a job's photos by reviewers, stored with the job.
//!
//! Input: a job and the index of a photo in it. Output: the rows of its reviewers, one document of
//! the store per photo; both back ends support this. A mark records which jobs have corrections, so
//! that the documents of other jobs are not searched. Invariants: a correction is stored before the
//! request is answered; concurrent corrections do not overwrite each other; corrections of deleted
//! jobs are swept.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use tilesight_jobs::batch::{CorrectionRow, Corrections};
use tilesight_jobs::{JobId, Name, Revision, Store, StoreError};

/// Maximum number of reviewers of a photo. With answers of maximum size, a document stays below one
/// megabyte, the maximum message size of a fleet.
const REVIEWERS: usize = 16;
/// Maximum number of attempts at a change that conflicts with concurrent ones.
const TRIES: u32 = 20;
/// Number of documents that are fetched concurrently.
const MAX_CONCURRENT: usize = 16;

/// Corrections of one job.
#[derive(Debug, Clone, Copy)]
pub(super) struct JobCorrections<'a> {
    store: &'a dyn Store,
    job: JobId,
}

impl<'a> JobCorrections<'a> {
    pub(super) fn new(store: &'a dyn Store, job: JobId) -> JobCorrections<'a> {
        JobCorrections { store, job }
    }

    /// Returns the rows of all photos that have corrections, by the index of the photo.
    pub(super) async fn all(&self) -> Result<BTreeMap<u64, Corrections>, StoreError> {
        if self.store.revision(&marks(), &self.mark()).await?.is_none() {
            return Ok(BTreeMap::new());
        }
        let places = self.store.list(&self.kind()).await?;
        let places = places.into_iter().filter_map(|name| name.as_str().parse().ok());
        let rows = places.map(|place| self.load_with_index(place)).collect::<Vec<_>>();
        let rows: Vec<_> = stream::iter(rows).buffered(MAX_CONCURRENT).try_collect().await?;
        Ok(rows.into_iter().filter(|(_, rows)| !rows.rows().is_empty()).collect())
    }

    async fn load_with_index(self, place: u64) -> Result<(u64, Corrections), StoreError> {
        Ok((place, self.get(place).await?))
    }

    /// Returns the rows of one photo. The last row is the one that counts.
    pub(super) async fn get(&self, place: u64) -> Result<Corrections, StoreError> {
        Ok(self.load(place).await?.1)
    }

    /// Stores a reviewer's correction of a photo in place of their previous one. Returns `false` if
    /// the photo already has [`REVIEWERS`] other reviewers.
    pub(super) async fn put(&self, place: u64, row: &CorrectionRow) -> Result<bool, StoreError> {
        // The mark comes first, so that the sweep finds everything that is written after it.
        match self.store.save(&marks(), &self.mark(), None, b"{}").await {
            Ok(_) | Err(StoreError::Conflict) => {}
            Err(error) => return Err(error),
        }
        let put = |rows: &mut Corrections| {
            rows.put(row.clone());
            rows.rows().len() <= REVIEWERS
        };
        self.change(place, put).await
    }

    /// Removes a reviewer's correction of a photo.
    pub(super) async fn remove(&self, place: u64, reviewer: &str) -> Result<(), StoreError> {
        let remove = |rows: &mut Corrections| {
            let id = rows.rows().first().map(|row| row.id.clone());
            id.is_some_and(|id| rows.remove(&id, reviewer))
        };
        self.change(place, remove).await.map(drop)
    }

    /// Removes all corrections of the job.
    pub(super) async fn delete(&self) -> Result<(), StoreError> {
        for place in self.store.list(&self.kind()).await? {
            self.store.remove(&self.kind(), &place).await?;
        }
        self.store.remove(&marks(), &self.mark()).await
    }

    async fn load(&self, place: u64) -> Result<(Option<Revision>, Corrections), StoreError> {
        let Some((revision, bytes)) = self.store.load(&self.kind(), &name(place)).await? else {
            return Ok((None, Corrections::default()));
        };
        let rows = serde_json::from_slice(&bytes).map_err(|error| StoreError::corrupt(&error))?;
        Ok((Some(revision), Corrections::of_rows(rows)))
    }

    /// Changes the rows of a photo. Returns `false` if `change` refuses.
    async fn change(
        &self,
        place: u64,
        change: impl Fn(&mut Corrections) -> bool,
    ) -> Result<bool, StoreError> {
        for _ in 0..TRIES {
            let (revision, mut rows) = self.load(place).await?;
            if !change(&mut rows) {
                return Ok(false);
            }
            let bytes = serde_json::to_vec(rows.rows()).expect("its keys are texts");
            match self.store.save(&self.kind(), &name(place), revision, &bytes).await {
                Err(StoreError::Conflict) => {}
                saved => return saved.map(|_| true),
            }
        }
        Err(StoreError::unavailable(&"too many concurrent changes of the same correction"))
    }

    fn kind(&self) -> Name {
        format!("corrections-{}", self.job).parse().expect("hex digits are part of a name")
    }

    fn mark(&self) -> Name {
        self.job.to_string().parse().expect("hex digits are a name")
    }
}

/// Removes the corrections of deleted jobs.
pub(super) async fn sweep(store: &dyn Store) -> Result<(), StoreError> {
    for mark in store.list(&marks()).await? {
        let Ok(job) = mark.as_str().parse() else { continue };
        if store.job(&job).await?.is_none() {
            JobCorrections::new(store, job).delete().await?;
        }
    }
    Ok(())
}

/// Returns the kind of the marks of jobs that have corrections.
fn marks() -> Name {
    "corrected".parse().expect("a name")
}

fn name(place: u64) -> Name {
    place.to_string().parse().expect("digits are a name")
}
