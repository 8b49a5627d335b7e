//! What a job is made of: photos and what is known of each, out of a body in any of three forms.
//!
//! `multipart/form-data` with photos, archives and a manifest; a ZIP archive; or lines of JSON with
//! a photo in base64 each. Input: the request. Output: [`JobUpload`], the items in the order they
//! were given. Every photo goes to the store as it comes, stripped of its metadata, so that memory
//! holds two at the most. Invariants: what can't be a photo is an item that failed, and keeps no
//! other from being read; what is wrong with the request itself (a line that can't be read, a photo
//! that no line names, an id that is given twice) refuses all of it, because nobody could tell
//! which photo was meant; every item has an id of its own. Every byte that was sent or unpacked
//! counts against the job's limit, whatever became of it; unpacking and stripping take a worker,
//! one piece at a time.

mod archive;
mod forms;
mod lines;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use self::lines::Entry;
use super::Jobs;
use super::allowance::Allowance;
use super::webhook::{Reach, Secret, Target, WebhookTarget};
use crate::batch::{RowIds, id_of_member, member_name};
use crate::config::{JobLimits, Limits};
use crate::http::admission::Chores;
use crate::http::failure::Failure;
use crate::http::fault::ServiceFault;
use crate::jobs::{Ask, Engine, JobId, NewItem, PhotoId, Store, Task, Work};
use crate::pipeline::{DecodeLimits, ReadError};
use tilesight_core::contract::{HandSource, Problem, ProblemKind, Scoring, check_named};
use tilesight_core::explain::Lang;
use tilesight_core::hand::Other;
use tilesight_core::hex;
use tilesight_core::rules::{Book, RulesetId};
use tilesight_stills::without_metadata;

pub(super) use self::forms::{Body, JobForm};
pub(super) use self::lines::PhotoLine;

/// Characters of a photo's name: a path in an archive, or somebody's own id.
const LONGEST_NAME: usize = 250;

/// A job as it was given.
#[derive(Debug)]
pub(super) struct JobUpload {
    pub(super) items: Vec<NewItem>,
    pub(super) webhook: Option<WebhookTarget>,
    /// What the request looks like: the same for the same photos and questions, however they were
    /// packed.
    pub(super) fingerprint: String,
}

/// Who is notified of the end of a job.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WebhookRequest)]
pub(super) struct WebhookRequest {
    /// Where to send it: https, and an address of the public Internet.
    #[schema(max_length = 2000)]
    url: String,
    /// What to sign it with: `whsec_` and 24 to 64 bytes in base64. One is made where it is absent.
    #[serde(default)]
    secret: Option<String>,
}

/// Receives one request.
#[derive(Debug)]
pub(super) struct Intake {
    store: Arc<dyn Store>,
    chores: Chores,
    /// The job that the photos are for; `None` where they are only looked at.
    job: Option<JobId>,
    engine: Engine,
    lang: Lang,
    most: JobLimits,
    limits: Limits,
    decode: DecodeLimits,
    reach: Reach,
    scoring: Scoring,
    book: Arc<Book>,
    webhook: Option<WebhookRequest>,
    /// Whether there is something to keep the secret of a webhook with.
    sealed: bool,
    allowance: Allowance,
    /// Photos by the name of their file, in the order they came.
    photos: Vec<(String, Photo)>,
    manifest: Option<Vec<Entry<String>>>,
    inline: Vec<Entry<Photo>>,
    /// How many photos the lines brought, those of other players' hands included.
    inline_photos: usize,
    /// What photos and archives brought so far, unpacked.
    bytes: u64,
    /// Where archives are gathered.
    scratch: PathBuf,
}

/// A photo that was stored, or why it can't be one.
type Photo = Result<PhotoId, Problem>;

/// A photo without its metadata and its name in the store, or why it can't be one.
type StrippedPhoto = Result<(PhotoId, Vec<u8>), Problem>;

/// What does not depend on the request's body.
#[derive(Debug)]
pub(super) struct IntakeOptions {
    pub(super) chores: Chores,
    pub(super) job: Option<JobId>,
    pub(super) engine: Engine,
    pub(super) decode: DecodeLimits,
    pub(super) lang: Lang,
    pub(super) scoring: Scoring,
    pub(super) book: Arc<Book>,
    pub(super) webhook: Option<WebhookRequest>,
    pub(super) allowance: Allowance,
}

impl WebhookRequest {
    /// What a query tells: the address alone.
    pub(super) fn at(url: String) -> WebhookRequest {
        WebhookRequest { url, secret: None }
    }

    fn read(&self, reach: Reach) -> Result<WebhookTarget, Failure> {
        let wrong = |field: &str, fault: ServiceFault| {
            Failure::invalid(&format!("webhook.{field}"), &fault)
        };
        let target =
            self.url.parse().and_then(|target: Target| target.check(reach).map(|()| target));
        let target = target.map_err(|_| wrong("url", ServiceFault::WebhookAddress))?;
        let secret = match &self.secret {
            Some(text) => text.parse().map_err(|_| wrong("secret", ServiceFault::WebhookSecret))?,
            None => Secret::generate()
                .map_err(|error| Failure::Internal { cause: error.to_string() })?,
        };
        Ok(WebhookTarget { target, secret })
    }
}

impl Intake {
    pub(super) fn new(jobs: &Jobs, limits: &Limits, options: IntakeOptions) -> Intake {
        let IntakeOptions { chores, job, engine, decode, lang, scoring, book, webhook, allowance } =
            options;
        let most = jobs.limits().clone();
        Intake {
            store: jobs.store(),
            chores,
            job,
            engine,
            lang,
            limits: Limits { body_bytes: most.bytes, body: most.upload, ..limits.clone() },
            most,
            decode,
            reach: jobs.reach(),
            scoring,
            book,
            webhook,
            sealed: jobs.seal.is_some(),
            allowance,
            photos: Vec::new(),
            manifest: None,
            inline: Vec::new(),
            inline_photos: 0,
            bytes: 0,
            scratch: jobs.scratch().to_owned(),
        }
    }

    /// Takes one photo in.
    async fn take(&mut self, name: &str, photo: Bytes) -> Result<(), Failure> {
        let photo = self.keep(photo).await?;
        self.add(clean(name, self.photos.len()), photo)
    }

    /// Counts a photo that was taken in, or could not be.
    fn add(&mut self, name: String, photo: Photo) -> Result<(), Failure> {
        self.photos.push((name, photo));
        self.room(self.photos.len())
    }

    fn room(&self, photos: usize) -> Result<(), Failure> {
        if photos <= self.most.photos {
            return Ok(());
        }
        let fault = ServiceFault::PhotosOfJob { most: self.most.photos };
        Err(Problem::of(ProblemKind::TooLarge, &fault).into())
    }

    /// Counts bytes that were sent or unpacked, also those of photos that came to nothing.
    fn spend(&mut self, bytes: u64) -> Result<(), Failure> {
        self.bytes = self.bytes.saturating_add(bytes);
        self.check_bytes(self.bytes)
    }

    fn check_bytes(&self, bytes: u64) -> Result<(), Failure> {
        if bytes <= self.most.bytes as u64 {
            return Ok(());
        }
        let fault = ServiceFault::BytesOfJob { most: self.most.bytes };
        Err(Problem::of(ProblemKind::TooLarge, &fault).into())
    }

    /// Strips a photo and stores it.
    async fn keep(&mut self, photo: Bytes) -> Result<Photo, Failure> {
        self.spend(photo.len() as u64)?;
        let decode = self.decode;
        let core = self.chores.core().await;
        let stripped = core.run(move || strip(&photo, &decode)).await?;
        self.store(stripped).await
    }

    async fn store(&mut self, stripped: StrippedPhoto) -> Result<Photo, Failure> {
        let (id, bytes) = match stripped {
            Ok(stripped) => stripped,
            Err(problem) => return Ok(Err(problem)),
        };
        if let Some(job) = &self.job {
            self.allowance.take(bytes.len() as u64).await?;
            self.store.put_photo(job, &bytes).await?;
        }
        Ok(Ok(id))
    }

    /// Puts everything together once all of it has come.
    fn finish(self) -> Result<JobUpload, Failure> {
        if self.webhook.is_some() && !self.sealed {
            return Err(Failure::NoWebhooks);
        }
        let webhook = self.webhook.as_ref().map(|asked| asked.read(self.reach)).transpose()?;
        let scoring = &self.scoring;
        check_named(&self.book, &scoring.context, scoring.rulesets.as_deref())?;
        let entries = match (self.manifest, self.inline) {
            (Some(lines), inline) if inline.is_empty() => named(lines, self.photos)?,
            (None, inline) => {
                let mut ids = RowIds::default();
                // Phones call all their photos `image.jpg`.
                let loose = self.photos.into_iter();
                let loose = loose.map(|(name, photo)| Entry::plain(ids.free(&name), photo));
                loose.chain(inline).collect()
            }
            (Some(_), _) => unreachable!("lines with photos are a body of their own"),
        };
        if entries.is_empty() {
            return Err(Failure::invalid("photo", &ServiceFault::NoPhoto));
        }
        let item = |entry| item(entry, scoring, self.lang, self.engine, &self.book);
        let items: Vec<NewItem> = entries.into_iter().map(item).collect();
        let seen = serde_json::to_vec(&(&items, &self.webhook)).expect("its keys are texts");
        Ok(JobUpload { fingerprint: hex::of(&Sha256::digest(seen)), items, webhook })
    }
}

fn strip(photo: &[u8], limits: &DecodeLimits) -> StrippedPhoto {
    let bytes = without_metadata(photo, limits).map_err(ReadError::from);
    let bytes = bytes.map_err(|error| Problem::from(&error))?;
    Ok((PhotoId::of(&bytes), bytes))
}

/// The photos that a manifest names, in its order. Each has to be there, and none may be left over.
fn named(
    lines: Vec<Entry<String>>,
    photos: Vec<(String, Photo)>,
) -> Result<Vec<Entry<Photo>>, Failure> {
    let mut by_name: HashMap<String, Photo> = HashMap::new();
    for (name, photo) in photos {
        if by_name.insert(name.clone(), photo).is_some() {
            return Err(Failure::invalid("photo", &ServiceFault::AlikePhotos { name }));
        }
    }
    let mut used = HashSet::new();
    let mut entries = Vec::with_capacity(lines.len());
    for (at, line) in lines.into_iter().enumerate() {
        let mut photo = |name: String, field: &str| {
            let Some(photo) = by_name.get(&name) else {
                let fault = ServiceFault::NoSuchPhoto { name };
                return Err(Failure::invalid(&format!("lines[{at}].{field}"), &fault));
            };
            used.insert(name);
            Ok(photo.clone())
        };
        let others = line.others.into_iter().map(|other| other.try_map_photo(&mut photo));
        let others = others.collect::<Result<Vec<_>, _>>()?;
        entries.push(Entry {
            photo: photo(line.photo, "file")?,
            id: line.id,
            context: line.context,
            rulesets: line.rulesets,
            focus: line.focus,
            region: line.region,
            others,
        });
    }
    match by_name.keys().filter(|name| !used.contains(*name)).min() {
        Some(name) => {
            let name = name.clone();
            Err(Failure::invalid("photo", &ServiceFault::UnnamedPhoto { name }))
        }
        None => Ok(entries),
    }
}

/// An item as the store takes it. What a line says of its photo outweighs what is said of all.
fn item(
    entry: Entry<Photo>,
    scoring: &Scoring,
    lang: Lang,
    engine: Engine,
    book: &Book,
) -> NewItem {
    let rulesets = entry.rulesets.or_else(|| scoring.rulesets.clone()).unwrap_or_default();
    let mut context = entry.context.or(&scoring.context);
    context.ruleset = context.ruleset.or(rulesets.first().copied());
    let Entry { focus, region, .. } = entry;
    let ask = Ask { context, rulesets, lang, focus, region, others: Vec::new() };
    let task = task(entry.photo, entry.others, ask, engine, book);
    NewItem { id: entry.id, work: task.map_or_else(Work::Refused, Work::Read) }
}

/// The task of a photo and the hands beside it, or why there can't be one.
fn task(
    photo: Photo,
    others: Vec<Other<HandSource<Photo>>>,
    ask: Ask,
    engine: Engine,
    book: &Book,
) -> Result<Task, Problem> {
    let alone = others.is_empty();
    let photo = photo.map_err(|problem| if alone { problem } else { problem.about("photo") })?;
    let others = others.into_iter().map(|other| {
        other.try_map_photo(|photo, place| photo.map_err(|problem| problem.about(place)))
    });
    let ask = Ask { others: others.collect::<Result<_, _>>()?, ..ask };
    ask.table(photo, book)?;
    Ok(Task::new(photo, ask, engine))
}

/// A file's name as it is shown, what can't be printed written out and not too long: the photo is
/// nobody's joke, so it is read whatever it is called. No part of it leads out of a folder.
fn clean(name: &str, at: usize) -> String {
    match name {
        "" => format!("photo-{at}"),
        name => shortened(id_of_member(&member_name(name))),
    }
}

/// A name that is not too long: the end of a path tells more than its beginning.
fn shortened(name: String) -> String {
    let length = name.chars().count();
    if length <= LONGEST_NAME { name } else { name.chars().skip(length - LONGEST_NAME).collect() }
}

type Rulesets = Option<Vec<RulesetId>>;
