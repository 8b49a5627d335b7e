//! Submits the photos of a plan to the workers, chunk by chunk.
//!
//! Input: a plan and a back end. Output: a job for each chunk, with an item for each entry.
//! Invariants: the number of chunks in progress is limited, so that neither memory nor the store
//! grows with the number of photos; every step may be repeated, so that a process that dies or
//! loses its connection resumes where it stopped; an entry that can't become a task becomes an item
//! with its problem.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tilesight_core::contract::{Problem, ProblemKind, SetChoice};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_jobs::Content;
use tilesight_jobs::plan::{BatchPlan, EntryWork, PhotoSource, PlanChunk, PlanEntry, SourceLoader};
use tilesight_jobs::{
    Backend, EmbeddedStore, Engines, Item, JobId, NewItem, NewJob, PhotoId, Priority, QueueError,
    StoreError, SubmitError, Task, Work,
};
use tilesight_stills::{check_size, without_metadata};
use tilesight_vision::contract::TableRequest;
use tilesight_vision::{DecodeLimits, ReadError};
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinError, JoinSet, spawn_blocking};
use tokio::time::sleep;

/// Photos that are read from the disk before their items are appended: a commit costs little per
/// photo, and the first worker need not wait for a whole chunk.
const STEP: usize = 8;
/// First and longest pause after a failure of the back end.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const MAX_PAUSE: Duration = Duration::from_secs(15);

/// Error when photos can't be submitted to the workers.
#[derive(Debug, thiserror::Error)]
pub(super) enum FeedError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error("the plan of the batch can't be read")]
    Plan(#[from] io::Error),
    #[error("a thread that reads photos ended")]
    Thread(#[from] JoinError),
}

impl From<SubmitError> for FeedError {
    fn from(error: SubmitError) -> FeedError {
        match error {
            SubmitError::Store(error) => FeedError::Store(error),
            SubmitError::Queue(error) => FeedError::Queue(error),
        }
    }
}

/// Selection of photos of an earlier run to read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RetrySelection {
    /// Photos that were gone when their turn came: they may be back.
    Gone,
    /// Missing photos, and photos that were given up after several attempts.
    GivenUp,
}

/// Submitter of photos to the workers.
#[derive(Debug, Clone)]
pub(super) struct Feeder {
    pub(super) backend: Backend,
    /// The back end if it is on this machine: it refers to photos in place instead of copying them.
    pub(super) local: Option<Arc<EmbeddedStore>>,
    pub(super) plan: Arc<BatchPlan>,
    pub(super) engines: Engines,
    pub(super) book: Arc<Book>,
    pub(super) lang: Lang,
    /// Choice of the own set.
    pub(super) set: Option<SetChoice>,
    /// Limits on the size of a photo.
    pub(super) limits: DecodeLimits,
    pub(super) again: RetrySelection,
    /// Time until the jobs expire.
    pub(super) lifetime: Duration,
    /// Number of leading entries whose jobs may be looked at: before, a job may still have outcomes
    /// of an earlier run that are to be replaced.
    pub(super) prepared: watch::Sender<u64>,
    pub(super) stop: watch::Receiver<bool>,
}

impl Feeder {
    /// Submits all chunks to the workers, each when there is room for it, until it is stopped.
    ///
    /// # Errors
    /// [`FeedError`] when the back end or the plan is broken.
    pub(super) async fn run(mut self, room: Arc<Semaphore>) -> Result<(), FeedError> {
        let plan = Arc::clone(&self.plan);
        let mut loader = SourceLoader::new(self.limits.bytes);
        for chunk in plan.chunks() {
            let permit = tokio::select! {
                permit = room.acquire() => permit.expect("nobody closes it"),
                _ = self.stop.wait_for(|stop| *stop) => return Ok(()),
            };
            // Writing the chunk's rows gives the permit back.
            permit.forget();
            loader = self.submit_with_retries(chunk, loader).await?;
        }
        Ok(())
    }

    /// Submits a chunk; retries as long as a remote back end is unavailable.
    async fn submit_with_retries(
        &mut self,
        chunk: &PlanChunk,
        mut loader: SourceLoader,
    ) -> Result<SourceLoader, FeedError> {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.submit(chunk, &mut loader).await {
                Ok(()) => return Ok(loader),
                Err(error) if self.is_transient(&error) => {
                    tracing::warn!(%error, "photos can't be submitted; trying again");
                    tokio::select! {
                        () = sleep(pause) => {}
                        _ = self.stop.wait_for(|stop| *stop) => return Ok(loader),
                    }
                    pause = (pause * 2).min(MAX_PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns whether a retry may succeed. A failing disk of this machine needs a person's
    /// attention.
    fn is_transient(&self, error: &FeedError) -> bool {
        match error {
            FeedError::Queue(QueueError::Full) => true,
            FeedError::Queue(QueueError::Unavailable { .. })
            | FeedError::Store(StoreError::Unavailable { .. } | StoreError::Full) => {
                self.local.is_none()
            }
            _ => false,
        }
    }

    async fn submit(&self, chunk: &PlanChunk, loader: &mut SourceLoader) -> Result<(), FeedError> {
        let mut from = self.create_job(chunk).await?;
        self.prepared.send_replace(chunk.first + chunk.entries);
        if from == chunk.entries {
            self.backend.resume(&chunk.job, Priority::Normal).await?;
            return Ok(self.backend.store.seal(&chunk.job).await?);
        }
        let plan = Arc::clone(&self.plan);
        let copy = *chunk;
        let entries = spawn_blocking(move || plan.entries(&copy)).await??;
        for step in
            entries[usize::try_from(from).unwrap_or(usize::MAX).min(entries.len())..].chunks(STEP)
        {
            if *self.stop.borrow() {
                return Ok(());
            }
            let items = self.items(&chunk.job, step, loader).await?;
            from = self.backend.submit(&chunk.job, from, &items, Priority::Normal).await?;
        }
        Ok(self.backend.store.seal(&chunk.job).await?)
    }

    /// Returns the number of entries of a chunk that are items of its job already; creates the job
    /// if it is missing.
    async fn create_job(&self, chunk: &PlanChunk) -> Result<u64, FeedError> {
        let store = &self.backend.store;
        match store.job(&chunk.job).await? {
            Some(job) if job.finished.is_some() && self.prepare_retries(chunk).await? => {
                store.delete(&chunk.job).await?;
            }
            Some(job) => {
                // The process that appended the last items may have died before it pushed them.
                self.backend.resume(&chunk.job, Priority::Normal).await?;
                return Ok(job.progress.total);
            }
            None => {}
        }
        let new = NewJob::new(chunk.job);
        let expires = new.created.saturating_add(self.lifetime);
        store.create(&NewJob { expires, ..new }).await?;
        Ok(0)
    }

    /// Forgets the attempts at the photos of a chunk of an earlier run that are to be read again,
    /// and returns whether there is one.
    async fn prepare_retries(&self, chunk: &PlanChunk) -> Result<bool, FeedError> {
        let max = usize::try_from(chunk.entries).unwrap_or(usize::MAX);
        let items = self.backend.store.items(&chunk.job, 0, max).await?;
        let mut found = false;
        for item in items.iter().filter(|item| self.is_to_retry(item)) {
            found = true;
            // Its last worker may not have lived to take the photo out of the queue.
            if let Some(task) = &item.task {
                self.backend.queue.forget_attempts(&task.key).await?;
            }
        }
        Ok(found)
    }

    fn is_to_retry(&self, item: &Item) -> bool {
        let failed =
            item.outcome.as_ref().filter(|outcome| item.task.is_some() && outcome.is_failure());
        match failed.map(tilesight_jobs::Outcome::content) {
            Some(Ok(Content::Refused { error })) => match error.kind {
                ProblemKind::NotFound => true,
                ProblemKind::Internal => self.again == RetrySelection::GivenUp,
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns entries as items, after putting their photos into the store.
    async fn items(
        &self,
        job: &JobId,
        entries: &[PlanEntry],
        loader: &mut SourceLoader,
    ) -> Result<Vec<NewItem>, FeedError> {
        let mut putting = JoinSet::new();
        let mut works: Vec<Option<Work>> = vec![None; entries.len()];
        for (place, entry) in entries.iter().enumerate() {
            match &entry.work {
                EntryWork::Refused(problem) => works[place] = Some(Work::Refused(problem.clone())),
                EntryWork::Photo(photo) => match self.load_all(photo.clone(), loader).await? {
                    Err(problem) => works[place] = Some(Work::Refused(problem)),
                    Ok(loaded) => {
                        let feed = self.clone();
                        let job = *job;
                        // Several at once: a remote store, or a disk, handles them concurrently.
                        putting.spawn(async move { (place, feed.store_all(&job, loaded).await) });
                    }
                },
            }
        }
        while let Some(put) = putting.join_next().await {
            let (place, work) = put?;
            works[place] = Some(work?);
        }
        let works = works.into_iter().map(|work| work.expect("each was put or refused"));
        Ok(entries
            .iter()
            .zip(works)
            .map(|(entry, work)| NewItem { id: entry.id.clone(), work })
            .collect())
    }

    /// Returns the photos of an entry, or the problem of the first one that can't be read.
    async fn load_all(
        &self,
        table: TableRequest<PhotoSource>,
        loader: &mut SourceLoader,
    ) -> Result<Result<TableRequest<LoadedPhoto>, Problem>, FeedError> {
        let (rest, sources) = table.take_photos();
        let mut loaded = Vec::with_capacity(sources.len());
        for (source, place) in sources {
            match self.load(source, loader).await? {
                Ok(photo) => loaded.push(photo),
                Err(problem) => return Ok(Err(problem.about_photo(place))),
            }
        }
        Ok(Ok(rest.with_photos(loaded)))
    }

    /// Returns the bytes of a photo and their hash, read on a thread that may block on the disk.
    async fn load(
        &self,
        source: PhotoSource,
        loader: &mut SourceLoader,
    ) -> Result<Result<LoadedPhoto, Problem>, FeedError> {
        let mut lent = std::mem::replace(loader, SourceLoader::new(self.limits.bytes));
        let read = spawn_blocking(move || {
            let loaded = lent.bytes(&source).map(|bytes| {
                let id = PhotoId::from_bytes(&bytes);
                LoadedPhoto { source, id, bytes }
            });
            (lent, loaded)
        });
        let (lent, loaded) = read.await?;
        *loader = lent;
        Ok(loaded)
    }

    /// Puts the photos of an entry into the store and returns the work for them.
    async fn store_all(
        &self,
        job: &JobId,
        table: TableRequest<LoadedPhoto>,
    ) -> Result<Work, FeedError> {
        let (rest, photos) = table.take_photos();
        let mut stored = Vec::with_capacity(photos.len());
        for (photo, place) in photos {
            match self.put(job, photo).await? {
                Ok(id) => stored.push(id),
                Err(problem) => return Ok(Work::Refused(problem.about_photo(place))),
            }
        }
        let mut table = rest.with_photos(stored);
        table.fields.set = table.fields.set.or_else(|| self.set.clone());
        Ok(match self.task(table) {
            Ok(task) => Work::Read(task),
            Err(problem) => Work::Refused(problem),
        })
    }

    /// Returns the task for a table that can be read.
    fn task(&self, table: TableRequest<PhotoId>) -> Result<Task, Problem> {
        let engine = self
            .engines
            .for_choice(table.fields.set.as_ref())
            .map_err(|error| Problem::from(&error))?;
        table.clone().plan(&self.book)?;
        Ok(Task::new(table, self.lang, engine))
    }

    /// Puts a photo into the store. A photo that is copied loses its metadata first: people with
    /// access to the store need no locations and no serial numbers.
    async fn put(
        &self,
        job: &JobId,
        loaded: LoadedPhoto,
    ) -> Result<Result<PhotoId, Problem>, FeedError> {
        let LoadedPhoto { source, id, bytes } = loaded;
        let limits = self.limits;
        // A task's outcome stays valid for later runs, but the limits of this run do not.
        let checking = spawn_blocking(move || (check_size(&bytes, &limits), bytes));
        let (checked, bytes) = checking.await?;
        if let Err(error) = checked {
            return Ok(Err(Problem::from(&ReadError::Decode(error))));
        }
        let stays = source.member.is_none() && source.file.to_str().is_some();
        if let Some(local) = self.local.as_ref().filter(|_| stays) {
            local.adopt_photo(job, &id, &source.file).await?;
            return Ok(Ok(id));
        }
        let stripped = spawn_blocking(move || without_metadata(&bytes, &limits)).await?;
        Ok(match stripped {
            Ok(bytes) => Ok(self.backend.store.put_photo(job, &bytes).await?),
            Err(error) => Err(Problem::from(&ReadError::Decode(error))),
        })
    }
}

/// A photo with its bytes loaded.
#[derive(Debug)]
struct LoadedPhoto {
    source: PhotoSource,
    id: PhotoId,
    bytes: Vec<u8>,
}
