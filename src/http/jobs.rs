//! Jobs over HTTP: many photos in one request, read one after the other, their results to be
//! fetched.
//!
//! `POST /v1/jobs` takes the photos, everything else looks at what became of them. Input: requests,
//! and a [`Backend`] in which jobs live. Output: answers, events, lines and rows; webhooks. One
//! file an address. Invariants: a job belongs to the key that created it, and is not there for any
//! other; what is kept of a photo is its pixels alone, and no longer than until its job has ended,
//! or is removed if its creator asks for that; reading a job's photos gives way to requests that
//! somebody waits for.

mod allowance;
mod compact;
mod corrections;
mod counts;
mod create;
mod events;
mod give_way;
mod idempotency;
mod intake;
mod keeper;
mod list;
mod results;
mod review;
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
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt as _};
use utoipa_axum::routes;

pub use self::keeper::Keeper;
use self::webhook::{Delivery, Reach, Sender};
pub use self::webhook::{Seal, SealError};
use super::Service;
use super::client::{Client, KeyName};
use super::compression::compressed;
use super::failure::Failure;
use super::shares::Shares;
use crate::config::JobLimits;
use crate::jobs::{Backend, Job, JobId, Priority, Store};

/// Up to so many photos somebody waits for; more are a heap.
const FEW: u64 = 10;

/// What all requests about jobs share.
#[derive(Debug)]
pub struct Jobs {
    backend: Backend,
    limits: JobLimits,
    sender: Sender,
    seal: Option<Arc<Seal>>,
    scratch: PathBuf,
    uploads: Arc<Shares<Client>>,
    streams: Arc<Shares<Client>>,
    /// What addresses are kept as: nobody can tell them from that, and with the process it is
    /// forgotten.
    veil: RandomState,
    /// Those that were created here since the keeper looked.
    created: Mutex<Vec<JobId>>,
}

impl Jobs {
    /// Jobs that live in a back end. Archives are gathered in files without names in the folder
    /// `scratch`, which has to be there. Reads the machine's certificates.
    #[must_use]
    pub fn new(backend: Backend, limits: JobLimits, scratch: &Path) -> Jobs {
        let reach = if limits.webhooks_anywhere { Reach::Anywhere } else { Reach::Public };
        Jobs {
            backend,
            sender: Sender::new(reach),
            seal: None,
            scratch: scratch.to_owned(),
            uploads: Shares::new(limits.uploads),
            streams: Shares::new(limits.streams),
            veil: RandomState::new(),
            created: Mutex::default(),
            limits,
        }
    }

    /// The same with what keeps the secrets of webhooks; no webhooks are taken without.
    #[must_use]
    pub fn with_seal(self, seal: Seal) -> Jobs {
        Jobs { seal: Some(Arc::new(seal)), ..self }
    }

    /// Where the jobs live.
    #[must_use]
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.backend.store)
    }

    /// Sizes, counts and times.
    #[must_use]
    pub fn limits(&self) -> &JobLimits {
        &self.limits
    }

    /// Those that were created here since this was asked.
    fn created(&self) -> Vec<JobId> {
        std::mem::take(&mut self.created.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What a job keeps of whom it is counted for: the name of a key, which has no `@`, or a number
    /// for an address.
    fn counted(&self, client: &Client) -> String {
        match client {
            Client::Key(name) => name.to_string(),
            Client::Address(network) => format!("@{:016x}", self.veil.hash_one(network)),
        }
    }

    fn reach(&self) -> Reach {
        self.sender.reach()
    }

    pub(super) fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// A job that this sender may see.
    async fn find(&self, id: &str, owner: &Owner) -> Result<Job, Failure> {
        let id: JobId = id.parse().map_err(|_| Failure::NoSuchJob)?;
        let job = self.backend.store.job(&id).await?.ok_or(Failure::NoSuchJob)?;
        if owner.may_see(&job) { Ok(job) } else { Err(Failure::NoSuchJob) }
    }

    async fn view(&self, job: &Job) -> Result<view::JobView, Failure> {
        let webhook = Delivery::of(self.backend.store.as_ref(), &job.new.id).await?;
        Ok(view::JobView::new(job, webhook.as_ref()))
    }
}

/// How urgent the photos of a job are: the same no matter who asks, and whenever.
fn priority(photos: u64) -> Priority {
    if photos <= FEW { Priority::High } else { Priority::Normal }
}

/// The key that a request came with; `None` where none is asked for, and everybody may see
/// everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner(pub(super) Option<String>);

impl Owner {
    /// Once keys are asked for, a job from before is nobody's: a client that has a key may be a
    /// stranger to it.
    fn may_see(&self, job: &Job) -> bool {
        self.0.is_none() || self.0 == job.new.owner
    }
}

impl<S: Sync> FromRequestParts<S> for Owner {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Owner, Self::Rejection> {
        let key = parts.extensions.get::<KeyName>();
        Ok(Owner(key.map(|key| key.0.to_string())))
    }
}

/// The part of an address that names a job.
#[derive(Deserialize)]
struct JobPath {
    id: String,
}

/// The job that an address names, if the sender may see it.
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

/// Every address of jobs. `most` is what a body that creates one may have.
pub(super) fn routes(most: usize) -> OpenApiRouter<Service> {
    let large = OpenApiRouter::new()
        .routes(routes!(results::results))
        .routes(routes!(results::errors))
        .routes(routes!(review::list))
        .routes(routes!(review::photo, review::answer, review::take_back))
        .routes(routes!(review::try_answer))
        .routes(routes!(review::corrections));
    compressed(large)
        .routes(routes!(create::create).layer(axum::extract::DefaultBodyLimit::max(most)))
        .routes(routes!(list::list))
        .routes(routes!(list::look, list::delete))
        .routes(routes!(list::cancel))
        .routes(routes!(events::events))
        .routes(routes!(review::picture))
}
