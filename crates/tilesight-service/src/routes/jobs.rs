//! Jobs over HTTP: many photos in one request, which are read in the background, and results to be
//! fetched later.
//!
//! `POST /v1/jobs` takes the photos; all other endpoints show or change a job. Input: requests, and
//! a [`Backend`] that stores the jobs. Output: answers, events, lines and rows; webhooks. Each
//! endpoint has a file of its own. Invariants: a job belongs to the key that created it, and does
//! not exist for any other; of a photo only its pixels are stored, and only until its job has
//! ended, or until the job is removed if its creator requests that; reading a job's photos gives
//! way to requests that someone is waiting for.

mod allowance;
mod compact;
mod counts;
mod create;
mod digest;
mod events;
mod idempotency;
mod idle_host;
mod intake;
mod list;
mod maintenance;
mod results;
mod review;
mod rows;
mod view;
mod webhook;

#[cfg(test)]
mod tests;

use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{FromRequestParts, Path as InPath};
use axum::http::request::Parts;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::digest::Digests;
pub use self::maintenance::JobMaintenance;
use self::rows::KeptRows;
use self::webhook::{Delivery, Reach, Sender};
pub use self::webhook::{Seal, SealError};
use crate::JobLimits;
use crate::answer::compression::compress;
use crate::answer::failure::Failure;
use crate::guard::client::{Client, Owner};
use crate::guard::shares::Shares;
use crate::{Service, ServiceBuilder};
use tilesight_jobs::{Backend, Item, Job, JobId, Priority, Store, StoreError};

/// Jobs with at most this many photos get high priority: someone is probably waiting for them.
const MAX_URGENT_PHOTOS: u64 = 10;

/// Number of photos whose outcomes are in memory and worked on at a time: a reading has some ten
/// kilobytes, and becomes a compact row in some tenths of a millisecond.
const PIECE: usize = 100;

/// State that all requests about jobs share.
#[derive(Debug)]
pub struct Jobs {
    backend: Backend,
    limits: JobLimits,
    sender: Sender,
    seal: Option<Arc<Seal>>,
    scratch: PathBuf,
    /// Folder with everything that is stored, if it is on this machine.
    folder: Option<PathBuf>,
    uploads: Arc<Shares<Client>>,
    streams: Arc<Shares<Client>>,
    /// Random key of the hash under which client addresses are stored. It makes the hash
    /// irreversible, and is lost when the process ends.
    veil: RandomState,
    /// Jobs that were created here since the maintenance last looked.
    created: Mutex<Vec<JobId>>,
    digests: Digests,
    rows: KeptRows,
}

impl Service {
    pub(crate) fn jobs(&self) -> Result<Arc<Jobs>, Failure> {
        self.store().ok_or(Failure::NoJobs)
    }
}

impl ServiceBuilder {
    /// Sets the jobs. A [`JobMaintenance`] reads their photos.
    pub fn jobs(self, jobs: Arc<Jobs>) -> ServiceBuilder {
        self.with_store(jobs)
    }
}

impl Jobs {
    /// Returns the jobs of a back end. Archives are received into files without names in the folder
    /// `scratch`, which must exist. Reads the machine's certificates.
    #[must_use]
    pub fn new(backend: Backend, limits: JobLimits, scratch: &Path) -> Jobs {
        let reach = if limits.webhooks_anywhere { Reach::Anywhere } else { Reach::Public };
        Jobs {
            backend,
            sender: Sender::new(reach),
            seal: None,
            scratch: scratch.to_owned(),
            folder: None,
            uploads: Shares::new(limits.uploads),
            streams: Shares::new(limits.streams),
            veil: RandomState::new(),
            created: Mutex::default(),
            digests: Digests::default(),
            rows: KeptRows::default(),
            limits,
        }
    }

    /// Returns these jobs with a seal for the secrets of webhooks. Without a seal no webhooks are
    /// accepted.
    #[must_use]
    pub fn with_seal(self, seal: Seal) -> Jobs {
        Jobs { seal: Some(Arc::new(seal)), ..self }
    }

    /// Returns these jobs with the folder that everything is stored in, whose size is a metric.
    #[must_use]
    pub fn with_folder(self, folder: &Path) -> Jobs {
        Jobs { folder: Some(folder.to_owned()), ..self }
    }

    /// Returns the back end that stores the jobs.
    #[must_use]
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.backend.store)
    }

    /// Returns the limits on sizes, counts and times.
    #[must_use]
    pub fn limits(&self) -> &JobLimits {
        &self.limits
    }

    /// Returns the jobs that were created here since the last call.
    fn take_created(&self) -> Vec<JobId> {
        std::mem::take(&mut self.created.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the client as a job stores it: the name of a key, which contains no `@`, or a hash
    /// of an address.
    fn stored_client(&self, client: &Client) -> String {
        match client {
            Client::Key(name) => name.to_string(),
            Client::Address(network) => format!("@{:016x}", self.veil.hash_one(network)),
        }
    }

    /// Drops what was computed of some jobs that are gone.
    fn remove_gone(&self, is_gone: impl Fn(&JobId) -> bool) {
        self.digests.0.remove(&is_gone);
        self.rows.0.remove(|piece| is_gone(&piece.job));
    }

    fn reach(&self) -> Reach {
        self.sender.reach()
    }

    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    pub(crate) fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// Returns a job that this sender may see.
    async fn find(&self, id: &str, owner: &Owner) -> Result<Job, Failure> {
        let id: JobId = id.parse().map_err(|_| Failure::NoSuchJob)?;
        let job = self.backend.store.job(&id).await?.ok_or(Failure::NoSuchJob)?;
        if owner.may_see(job.new.owner.as_deref()) { Ok(job) } else { Err(Failure::NoSuchJob) }
    }

    /// Returns the photos of a job with these indices, which are in ascending order.
    async fn items(&self, job: &JobId, indices: &[u64]) -> Result<Vec<Item>, StoreError> {
        let mut items = Vec::new();
        for run in indices.chunk_by(|one, next| one + 1 == *next) {
            items.extend(self.backend.store.items(job, run[0], run.len()).await?);
        }
        // An index beyond the end of the job has no photo.
        items.retain(|item| indices.binary_search(&item.index).is_ok());
        Ok(items)
    }

    async fn view(&self, job: &Job) -> Result<view::JobView, Failure> {
        let webhook = Delivery::load(self.backend.store.as_ref(), &job.new.id).await?;
        Ok(view::JobView::new(job, webhook.as_ref()))
    }
}

/// Returns the priority of a job's photos. It depends only on their number, not on the client or
/// the time.
fn priority(photos: u64) -> Priority {
    if photos <= MAX_URGENT_PHOTOS { Priority::High } else { Priority::Normal }
}

/// Segment of a path that names a job.
#[derive(Deserialize)]
struct JobPath {
    id: String,
}

/// Job that the path names, if the sender may see it.
struct JobInPath(Arc<Jobs>, Job);

impl FromRequestParts<Service> for JobInPath {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<JobInPath, Failure> {
        let jobs = service.jobs()?;
        let named = InPath::<JobPath>::from_request_parts(parts, service).await;
        let InPath(JobPath { id }) = named.map_err(|_| Failure::NoSuchJob)?;
        let Ok(owner) = Owner::from_request_parts(parts, service).await;
        let job = jobs.find(&id, &owner).await?;
        Ok(JobInPath(jobs, job))
    }
}

pub(crate) fn routes() -> OpenApiRouter<Service> {
    let large = OpenApiRouter::new()
        .routes(routes!(results::results))
        .routes(routes!(results::errors))
        .routes(routes!(review::list))
        .routes(routes!(review::photo, review::answer, review::take_back))
        .routes(routes!(review::try_answer))
        .routes(routes!(review::corrections));
    compress(large)
        .routes(routes!(create::create))
        .routes(routes!(list::list))
        .routes(routes!(list::get, list::delete))
        .routes(routes!(list::cancel))
        .routes(routes!(events::events))
        .routes(routes!(review::picture))
}
