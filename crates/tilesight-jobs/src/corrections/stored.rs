//! Corrections of a job's photos by reviewers, stored with the job.
//!
//! Input: a job and the index of a photo in it. Output: the rows of its reviewers, one document of
//! the store per photo; both back ends support this. A mark records which jobs have corrections, so
//! that the documents of other jobs are not searched. Invariants: a correction is stored before the
//! request is answered; concurrent corrections do not overwrite each other; corrections of deleted
//! jobs are swept.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use super::{CorrectionRow, Corrections};
use crate::{JobId, Name, Revision, Store, StoreError};

/// Maximum number of reviewers of a photo. With answers of maximum size, a document stays below one
/// megabyte, the maximum message size of a fleet.
const MAX_REVIEWERS: usize = 16;
/// Maximum number of attempts at a change that conflicts with concurrent ones.
const MAX_ATTEMPTS: u32 = 20;
/// Number of documents that are fetched concurrently.
const MAX_CONCURRENT: usize = 16;

/// Corrections of one job.
#[derive(Debug, Clone, Copy)]
pub struct JobCorrections<'a> {
    store: &'a dyn Store,
    job: JobId,
}

impl<'a> JobCorrections<'a> {
    /// Returns the corrections of a job in a store.
    #[must_use]
    pub fn new(store: &'a dyn Store, job: JobId) -> JobCorrections<'a> {
        JobCorrections { store, job }
    }

    /// Returns the rows of all photos that have corrections, by the index of the photo.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn all(&self) -> Result<BTreeMap<u64, Corrections>, StoreError> {
        self.some(self.indices().await?).await
    }

    /// Returns the indices of the photos that have or had corrections.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn indices(&self) -> Result<BTreeSet<u64>, StoreError> {
        if self.store.revision(&marks(), &self.mark()).await?.is_none() {
            return Ok(BTreeSet::new());
        }
        let indices = self.store.list(&self.kind()).await?;
        Ok(indices.into_iter().filter_map(|name| name.as_str().parse().ok()).collect())
    }

    /// Returns the rows of those of some photos that have corrections, by the index of the photo.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn some(
        &self,
        indices: impl IntoIterator<Item = u64>,
    ) -> Result<BTreeMap<u64, Corrections>, StoreError> {
        let each = indices.into_iter().map(|index| self.indexed(index)).collect::<Vec<_>>();
        let rows: Vec<_> = stream::iter(each).buffered(MAX_CONCURRENT).try_collect().await?;
        Ok(rows.into_iter().filter(|(_, rows)| !rows.rows().is_empty()).collect())
    }

    async fn indexed(self, index: u64) -> Result<(u64, Corrections), StoreError> {
        Ok((index, self.get(index).await?))
    }

    /// Returns the rows of one photo. The last row is the one that counts.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn get(&self, index: u64) -> Result<Corrections, StoreError> {
        Ok(self.load(index).await?.1)
    }

    /// Stores a reviewer's correction of a photo in place of their previous one. Returns `false` if
    /// the photo already has the maximum number of other reviewers.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn put(&self, index: u64, row: &CorrectionRow) -> Result<bool, StoreError> {
        // The mark comes first, so that the sweep finds everything that is written after it.
        match self.store.save(&marks(), &self.mark(), None, b"{}").await {
            Ok(_) | Err(StoreError::Conflict) => {}
            Err(error) => return Err(error),
        }
        self.change(index, |rows| {
            rows.put(row.clone());
            rows.rows().len() <= MAX_REVIEWERS
        })
        .await
    }

    /// Removes a reviewer's correction of a photo.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn remove(&self, index: u64, reviewer: &str) -> Result<(), StoreError> {
        self.change(index, |rows| {
            let id = rows.rows().first().map(|row| row.id.clone());
            id.is_some_and(|id| rows.remove(&id, reviewer))
        })
        .await
        .map(drop)
    }

    /// Removes all corrections of the job.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn delete(&self) -> Result<(), StoreError> {
        for index in self.store.list(&self.kind()).await? {
            self.store.remove(&self.kind(), &index).await?;
        }
        self.store.remove(&marks(), &self.mark()).await
    }

    async fn load(&self, index: u64) -> Result<(Option<Revision>, Corrections), StoreError> {
        let Some((revision, bytes)) = self.store.load(&self.kind(), &name(index)).await? else {
            return Ok((None, Corrections::default()));
        };
        let rows = serde_json::from_slice(&bytes).map_err(|error| StoreError::corrupt(&error))?;
        Ok((Some(revision), Corrections::from_rows(rows)))
    }

    /// Changes the rows of a photo. Returns `false` if `change` refuses.
    async fn change(
        &self,
        index: u64,
        change: impl Fn(&mut Corrections) -> bool,
    ) -> Result<bool, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let (revision, mut rows) = self.load(index).await?;
            if !change(&mut rows) {
                return Ok(false);
            }
            let bytes = serde_json::to_vec(rows.rows()).expect("its keys are texts");
            match self.store.save(&self.kind(), &name(index), revision, &bytes).await {
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
///
/// # Errors
/// [`StoreError`].
pub async fn sweep(store: &dyn Store) -> Result<(), StoreError> {
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

fn name(index: u64) -> Name {
    index.to_string().parse().expect("digits are a name")
}
