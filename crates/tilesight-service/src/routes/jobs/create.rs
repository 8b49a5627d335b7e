//! `POST /v1/jobs` takes photos and creates a job.
//!
//! The process may die at any step: the job is created open; photos and items go to the store, then
//! the webhook and the idempotency key; only then is the job sealed, and its photos wait to be
//! read. A job that was not sealed before a crash is removed, and a sealed one is continued.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tilesight_core::contract::{PhotoFields, Problem, SetChoice};
use tilesight_core::explain::Lang;
use tilesight_jobs::{
    Engine, Engines, Job, JobId, KEEP_PHOTOS, NewItem, NewJob, PhotoId, Selection, SubmitError,
    Timestamp, Work,
};
use tokio::time::sleep;

use super::allowance::Allowance;
use super::idempotency::{self, Claim, ClaimResult, RENEWAL};
use super::intake::{
    Body, Intake, IntakeOptions, JobForm, JobUpload, PhotoLine, TaskSettings, WebhookRequest,
};
use super::view::JobView;
use super::webhook::Delivery;
use super::{Jobs, priority};
use crate::Service;
use crate::answer::failure::{Failure, SharedResource};
use crate::answer::fault::ServiceFault;
use crate::answer::language::Language;
use crate::guard::client::{Client, Owner};
use crate::guard::discard::refuse_unless;
use crate::guard::shares::Share;
use crate::input::body::refuse_oversize;
use crate::input::idempotency_key::{self, parse_stored_name};
use crate::input::query::{self, SET, parse_pairs, parse_scoring};
use crate::input::upload::Photo;
use crate::openapi::{BodyRefusals, ContextInQuery, JobCreationRefusals};
use crate::routes::sets::JobSets;

/// Number of items that are stored at once.
const PAGE: usize = 500;
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// Query parameter with the address of a webhook.
const WEBHOOK: &str = "webhook";

/// Creates a job of many photos.
///
/// The photos are sent as parts of a form, as a ZIP archive, or in base64 on lines of JSON. They
/// are read in the background; a photo that can't be read has a problem as its result. A repeated
/// request with the same `Idempotency-Key` does not create another job.
#[utoipa::path(post, path = "/v1/jobs", tag = "jobs", operation_id = "create_job",
    params(ContextInQuery, Language,
        ("set" = Option<String>, Query, description = "Own set that the tiles of all photos are named with: its name, or `auto` for the set that explains each photo best."),
        ("webhook" = Option<String>, Query, description = "Where to post that the job has ended, for bodies without a part for it."),
        ("keep_photos" = Option<bool>, Query, description = "Whether the photos stay until the job is removed, so that a person can review it; else they are removed as soon as it has ended."),
        ("Idempotency-Key" = Option<String>, Header, description = "Any text, new for each job; remembered for a day.")),
    request_body(description = "The photos.", content(
        (JobForm = "multipart/form-data"), (Photo = "application/zip"), (PhotoLine = "application/jsonl"), (PhotoLine = "application/x-ndjson"))),
    responses((status = 202, body = JobView, description = "The job; its photos are being read.",
            headers(("Location" = String, description = "The address of the job."),
                ("Idempotency-Replayed" = String, description = "`true` where the key was used before: the job that it created."))),
        BodyRefusals, JobCreationRefusals))]
pub(super) async fn create(
    State(service): State<Service>,
    owner: Owner,
    client: Client,
    Language(lang): Language,
    request: Request,
) -> Result<Response, Failure> {
    let begun = begin(&service, &client, request.headers(), request.uri()).await;
    let (begun, request) = refuse_unless(begun, request, service.limits())?;
    let BegunCreation { jobs, sets, permit, keep_photos } = begun;
    let request = refuse_oversize(request, service.limits())?;
    // The job is created in a task of its own, so that its cleanup runs even if the client
    // disconnects.
    let creating = tokio::spawn(async move {
        let _permit = permit;
        let counted = jobs.stored_client(&client);
        let creation = Creation { service, jobs, sets, owner, client, counted, keep_photos, lang };
        creation.run(request).await
    });
    creating.await.map_err(|error| Failure::Internal { cause: error.to_string() })?
}

/// Request that passed the checks that need no body.
struct BegunCreation {
    jobs: Arc<Jobs>,
    sets: Arc<JobSets>,
    permit: Share<Client>,
    keep_photos: bool,
}

/// Makes the checks that need no body.
async fn begin(
    service: &Service,
    client: &Client,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<BegunCreation, Failure> {
    let jobs = service.jobs()?;
    let reader = service.reader()?;
    if service.stopping() {
        return Err(Failure::Stopping);
    }
    Body::from_headers(headers)?;
    let permit =
        jobs.uploads.take(client).map_err(|full| full.failure(SharedResource::JobUploads))?;
    let max = jobs.limits.unfinished;
    let stored = jobs.stored_client(client);
    let theirs = Selection {
        client: Some(stored.clone()),
        unfinished: true,
        max_jobs: max,
        ..Selection::default()
    };
    if jobs.backend.store.jobs(&theirs).await?.len() >= max {
        return Err(Failure::TooManyJobs { max });
    }
    // A repeated request that was received before stores nothing more.
    if !headers.contains_key(idempotency_key::HEADER) {
        Allowance::new(jobs.store(), stored, &jobs.limits).take(1).await?;
    }
    let keep_photos = parse_keep_photos(uri)?;
    let sets = Arc::new(JobSets::for_client(service, reader, client).await?);
    Ok(BegunCreation { jobs, sets, permit, keep_photos })
}

/// Returns whether the query asks to keep the photos.
fn parse_keep_photos(uri: &Uri) -> Result<bool, Failure> {
    let pairs = parse_pairs(uri)?;
    let mut given = pairs.iter().filter(|(name, _)| name == KEEP_PHOTOS);
    match (given.next().map(|(_, value)| value.as_str()), given.next()) {
        (None | Some("false"), None) => Ok(false),
        (Some("true"), None) => Ok(true),
        _ => Err(Failure::invalid(KEEP_PHOTOS, &ServiceFault::OneBoolean)),
    }
}

/// Request that creates a job.
struct Creation {
    service: Service,
    jobs: Arc<Jobs>,
    sets: Arc<JobSets>,
    owner: Owner,
    client: Client,
    /// The client as it is stored.
    counted: String,
    /// Whether the photos are kept until the job is removed.
    keep_photos: bool,
    lang: Lang,
}

impl Creation {
    async fn run(self, request: Request) -> Result<Response, Failure> {
        let id = JobId::random()?;
        let Some(name) = parse_stored_name(request.headers(), &self.client)? else {
            return self.make(id, request, None).await;
        };
        match idempotency::begin(&self.jobs.store(), name, id).await? {
            ClaimResult::New(claim) => self.make(id, request, Some(claim)).await,
            ClaimResult::Again { job, fingerprint } => {
                self.repeat(job, &fingerprint, request).await
            }
        }
    }

    /// Creates a job, or leaves nothing behind.
    async fn make(
        &self,
        id: JobId,
        request: Request,
        mut claim: Option<Claim>,
    ) -> Result<Response, Failure> {
        let made = self.receive_all(id, request, &mut claim).await;
        let given = match made {
            Ok(given) => given,
            Err(failure) => {
                self.clean_up(&id, claim).await;
                return Err(failure);
            }
        };
        if let Some(claim) = claim {
            // From here on the key stands for the job: a repeated request seals it.
            claim.received(given.fingerprint).await?;
        }
        self.start(&id).await?;
        self.service.metrics().job_created(given.items.len());
        tracing::info!(job = %id, photos = given.items.len(), "a job was created");
        self.answer(&id, false).await
    }

    /// Receives the photos, and stores everything except that the job may start.
    async fn receive_all(
        &self,
        id: JobId,
        request: Request,
        claim: &mut Option<Claim>,
    ) -> Result<JobUpload, Failure> {
        let store = self.jobs.store();
        let created = Timestamp::now();
        let key = claim.as_ref().map(Claim::name);
        let job = NewJob {
            id,
            owner: self.owner.0.clone(),
            client: Some(self.counted.clone()),
            created,
            expires: created.saturating_add(self.jobs.limits.lifetime),
            extra: json!({ "idempotency": key, KEEP_PHOTOS: self.keep_photos }),
        };
        store.create(&job).await?;
        let given = renew_during(claim, self.receive(Some(id), request)).await?;
        self.service.gate().take_photos(&self.client, given.items.len())?;
        self.store_sets(&id, &given.items).await?;
        for (at, items) in given.items.chunks(PAGE).enumerate() {
            store.append(&id, (at * PAGE) as u64, items).await?;
        }
        if let Some(asked) = &given.webhook {
            let seal = self.jobs.seal.as_deref().ok_or(Failure::NoWebhooks)?;
            Delivery::remember(store.as_ref(), &id, asked, seal).await?;
        }
        Ok(given)
    }

    /// Stores the uploaded sets that the photos of a job are read with, until they are read.
    async fn store_sets(&self, id: &JobId, items: &[NewItem]) -> Result<(), Failure> {
        let store = self.jobs.store();
        let mut allowance = self.allowance();
        let mut used: BTreeSet<PhotoId> = BTreeSet::new();
        for item in items {
            if let Work::Read(task) = &item.work {
                used.extend(&task.sets);
            }
        }
        for file in used.iter().filter_map(|file| self.sets.file(file)) {
            allowance.take(file.len() as u64).await?;
            store.put_photo(id, file).await?;
        }
        Ok(())
    }

    fn allowance(&self) -> Allowance {
        Allowance::new(self.jobs.store(), self.counted.clone(), &self.jobs.limits)
    }

    async fn receive(&self, job: Option<JobId>, request: Request) -> Result<JobUpload, Failure> {
        let form = Body::from_headers(request.headers())?;
        let mut pairs = parse_pairs(request.uri())?;
        let webhook = pairs
            .iter()
            .position(|(name, _)| name == WEBHOOK)
            .map(|at| WebhookRequest::from_url(pairs.remove(at).1));
        pairs.retain(|(name, _)| name != KEEP_PHOTOS);
        let set = query::take_value::<SetChoice>(&mut pairs, SET)?;
        let reader = &self.sets.reader;
        let shelf = reader.sets();
        shelf.check(set.as_ref()).map_err(|error| Problem::from(&error))?;
        let scoring = parse_scoring(pairs, &[WEBHOOK, KEEP_PHOTOS, SET])?;
        let engine = Engine::new(reader.model().manifest(), self.service.book());
        let settings = TaskSettings {
            fields: PhotoFields { scoring, set, ..PhotoFields::default() },
            lang: self.lang,
            engines: Engines::new(engine, shelf.sets()),
            sets: Arc::clone(&self.sets),
            book: Arc::clone(self.service.book()),
        };
        let options = IntakeOptions {
            preparation: self.service.admission().permit_preparation(&self.client),
            job,
            settings,
            decode: *reader.limits(),
            allowance: self.allowance(),
            webhook,
        };
        let intake = Intake::new(&self.jobs, self.service.limits(), options);
        intake.receive(form, request).await
    }

    /// Answers a repeated request with the same job.
    async fn repeat(
        &self,
        job: JobId,
        fingerprint: &str,
        request: Request,
    ) -> Result<Response, Failure> {
        let given = self.receive(None, request).await?;
        let keeps_photos = self.job(&job).await?.keeps_photos();
        if given.fingerprint != fingerprint || keeps_photos != self.keep_photos {
            return Err(Failure::KeyReused);
        }
        // The process that received the first request may have died before this step.
        self.start(&job).await?;
        self.answer(&job, true).await
    }

    /// Makes a job's photos ready to be read; may run more than once.
    async fn start(&self, id: &JobId) -> Result<(), Failure> {
        self.jobs.backend.store.seal(id).await?;
        self.jobs.created.lock().unwrap_or_else(PoisonError::into_inner).push(*id);
        let job = self.job(id).await?;
        match self.jobs.backend.resume(id, priority(job.progress.total)).await {
            // The job is stored, and the job maintenance queues its photos once the queue has room.
            Err(SubmitError::Queue(error)) => {
                tracing::warn!(job = %id, %error, "a job waits for the queue");
                Ok(())
            }
            Err(SubmitError::Store(error)) => Err(error.into()),
            Ok(_) => Ok(()),
        }
    }

    async fn job(&self, id: &JobId) -> Result<Job, Failure> {
        self.jobs.backend.store.job(id).await?.ok_or(Failure::NoSuchJob)
    }

    async fn answer(&self, id: &JobId, replayed: bool) -> Result<Response, Failure> {
        let job = self.job(id).await?;
        let webhook = Delivery::load(self.jobs.backend.store.as_ref(), id).await?;
        let seal = self.jobs.seal.as_deref();
        let secret = webhook.as_ref().and_then(|delivery| delivery.secret(seal, id));
        let view = JobView::new(&job, webhook.as_ref()).with_secret(secret.as_ref());
        let location = HeaderValue::try_from(format!("/v1/jobs/{id}")).expect("hex digits");
        let mut response =
            (StatusCode::ACCEPTED, [(LOCATION, location)], Json(view)).into_response();
        if replayed {
            response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
        }
        Ok(response)
    }

    /// Removes the photos and the key of a failed request. The job maintenance later finds what
    /// can't be removed now.
    async fn clean_up(&self, id: &JobId, claim: Option<Claim>) {
        let store = self.jobs.store();
        let gone = async {
            Delivery::delete(store.as_ref(), id).await?;
            store.delete(id).await?;
            match claim {
                Some(claim) => claim.release().await,
                None => Ok(()),
            }
        };
        if let Err(error) = gone.await {
            tracing::warn!(job = %id, %error, "the remains of a request could not be removed");
        }
    }
}

/// Runs `work` while renewing the request's claim on its key.
async fn renew_during<T>(
    claim: &mut Option<Claim>,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let Some(claim) = claim else { return work.await };
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = sleep(RENEWAL) => claim.renew().await?,
        }
    }
}
