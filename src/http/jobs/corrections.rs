//! What people say of the photos of a job, kept with the job.
//!
//! Input: a job and the place of a photo in it. Output: the rows of its reviewers, as documents of
//! the store, one a photo; both back ends have them. A mark says which jobs have any, so that
//! nobody looks for those of other jobs. Invariants: what was said is stored before it is answered;
//! two who say something at once do not overwrite each other; what is left of a job that is gone is
//! swept.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use crate::batch::{CorrectionRow, Corrections};
use crate::jobs::{JobId, Name, Revision, Store, StoreError};

/// Reviewers of a photo. With an answer's largest size a document stays below the megabyte that a
/// fleet takes as one message.
const REVIEWERS: usize = 16;
/// How often a change is tried again after somebody else was faster.
const TRIES: u32 = 20;
/// Documents that are fetched at once.
const AT_ONCE: usize = 16;

/// The corrections of one job.
#[derive(Debug, Clone, Copy)]
pub(super) struct JobCorrections<'a> {
    store: &'a dyn Store,
    job: JobId,
}

impl<'a> JobCorrections<'a> {
    pub(super) fn new(store: &'a dyn Store, job: JobId) -> JobCorrections<'a> {
        JobCorrections { store, job }
    }

    /// The rows of all photos about which somebody has said something, by their places.
    pub(super) async fn all(&self) -> Result<BTreeMap<u64, Corrections>, StoreError> {
        if self.store.revision(&marks(), &self.mark()).await?.is_none() {
            return Ok(BTreeMap::new());
        }
        let places = self.store.list(&self.kind()).await?;
        let places = places.into_iter().filter_map(|name| name.as_str().parse().ok());
        let rows = places.map(|place| self.at(place)).collect::<Vec<_>>();
        let rows: Vec<_> = stream::iter(rows).buffered(AT_ONCE).try_collect().await?;
        Ok(rows.into_iter().filter(|(_, rows)| !rows.rows().is_empty()).collect())
    }

    async fn at(self, place: u64) -> Result<(u64, Corrections), StoreError> {
        Ok((place, self.of(place).await?))
    }

    /// The rows about one photo, the one that counts at the end.
    pub(super) async fn of(&self, place: u64) -> Result<Corrections, StoreError> {
        Ok(self.load(place).await?.1)
    }

    /// Keeps what a reviewer says of a photo, in place of what the same one said before. Returns
    /// whether there was room: a photo has [`REVIEWERS`] at the most.
    pub(super) async fn put(&self, place: u64, row: &CorrectionRow) -> Result<bool, StoreError> {
        // The mark comes first: what is written after it is found again, whatever happens.
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

    /// Removes what a reviewer said of a photo.
    pub(super) async fn remove(&self, place: u64, reviewer: &str) -> Result<(), StoreError> {
        let remove = |rows: &mut Corrections| {
            let id = rows.rows().first().map(|row| row.id.clone());
            id.is_some_and(|id| rows.remove(&id, reviewer))
        };
        self.change(place, remove).await.map(drop)
    }

    /// Forgets all of them.
    pub(super) async fn forget(&self) -> Result<(), StoreError> {
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

    /// Changes the rows of a photo unless `change` refuses, and returns whether it did.
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

/// Forgets those whose jobs are gone.
pub(super) async fn sweep(store: &dyn Store) -> Result<(), StoreError> {
    for mark in store.list(&marks()).await? {
        let Ok(job) = mark.as_str().parse() else { continue };
        if store.job(&job).await?.is_none() {
            JobCorrections::new(store, job).forget().await?;
        }
    }
    Ok(())
}

/// The kind of the marks of jobs that have corrections.
fn marks() -> Name {
    "corrected".parse().expect("a name")
}

fn name(place: u64) -> Name {
    place.to_string().parse().expect("digits are a name")
}
