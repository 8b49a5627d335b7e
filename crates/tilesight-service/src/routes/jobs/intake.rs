//! Intake of a job: its photos and what is known of each, from a body in any of three forms.
//!
//! The forms are `multipart/form-data` with photos, archives and a manifest; a ZIP archive; or
//! lines of JSON with a photo in base64 each. Input: the request. Output: a [`JobUpload`] with the
//! items in the order of the request. Every photo is stored as it arrives, stripped of its
//! metadata, so that memory holds at most two. Invariants: a file that can't be a photo becomes a
//! failed item, and the other photos are still read; an error in the request itself (a line that
//! can't be parsed, a photo that no line names, a repeated id) refuses the whole request, because
//! it would be unclear which photo was meant; every item has an id of its own. Every byte that was
//! sent or unpacked counts against the job's limit, even if its photo failed; unpacking and
//! stripping take a worker, one step at a time.

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

use self::lines::PhotoEntry;
use super::Jobs;
use super::allowance::Allowance;
use super::webhook::{AddressError, Reach, Secret, Target, WebhookTarget};
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::guard::admission::WaitingPermit;
use crate::routes::sets::JobSets;
use crate::{JobLimits, Limits};
use tilesight_core::contract::{HandField, PhotoFields, Problem, ProblemKind, check_named};
use tilesight_core::explain::Lang;
use tilesight_core::hex;
use tilesight_core::rules::Book;
use tilesight_jobs::batch::{RowIds, id_of_member, member_name};
use tilesight_jobs::{Engines, JobId, NewItem, PhotoId, Store, Task, Work};
use tilesight_stills::without_metadata;
use tilesight_vision::contract::TableRequest;
use tilesight_vision::{DecodeLimits, ReadError};

pub(super) use self::forms::{Body, JobForm};
pub(super) use self::lines::PhotoLine;

/// Maximum length of a photo's name, in characters. A name is a path in an archive, or an id that
/// the client chose.
const MAX_NAME_LENGTH: usize = 250;

/// Content of a request that creates a job.
#[derive(Debug)]
pub(super) struct JobUpload {
    pub(super) items: Vec<NewItem>,
    pub(super) webhook: Option<WebhookTarget>,
    /// Hash of the request: equal for the same photos and questions, whatever form they were sent
    /// in.
    pub(super) fingerprint: String,
}

/// Webhook that is called at the end of a job.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WebhookRequest)]
pub(super) struct WebhookRequest {
    /// Address of the receiver: https, on the public Internet.
    #[schema(max_length = 2000)]
    url: String,
    /// Secret for the signature: `whsec_` and 24 to 64 bytes in base64. Generated when absent.
    #[serde(default)]
    secret: Option<String>,
}

/// Receiver of one request.
#[derive(Debug)]
pub(super) struct Intake {
    store: Arc<dyn Store>,
    preparation: Arc<WaitingPermit>,
    /// Job that the photos belong to; `None` to compute their fingerprint without storing them.
    job: Option<JobId>,
    settings: TaskSettings,
    max: JobLimits,
    limits: Limits,
    decode: DecodeLimits,
    reach: Reach,
    webhook: Option<WebhookRequest>,
    /// Whether the secret of a webhook can be sealed.
    sealed: bool,
    allowance: Allowance,
    /// Photos by file name, in the order of arrival.
    photos: Vec<(String, StoredPhoto)>,
    manifest: Option<Vec<PhotoEntry<String>>>,
    inline: Vec<PhotoEntry<StoredPhoto>>,
    /// Number of photos in the lines so far, including those of other players' hands.
    inline_photos: usize,
    /// Bytes of photos and archives so far, unpacked.
    bytes: u64,
    /// Folder in which archives are received.
    scratch: PathBuf,
}

/// Stored photo, or the problem with it.
type StoredPhoto = Result<PhotoId, Problem>;

/// Photo without its metadata and its name in the store, or the problem with it.
type StrippedPhoto = Result<(PhotoId, Vec<u8>), Problem>;

/// Settings of an intake that do not depend on the request's body.
#[derive(Debug)]
pub(super) struct IntakeOptions {
    pub(super) preparation: Arc<WaitingPermit>,
    pub(super) job: Option<JobId>,
    pub(super) settings: TaskSettings,
    pub(super) decode: DecodeLimits,
    pub(super) webhook: Option<WebhookRequest>,
    pub(super) allowance: Allowance,
}

/// Settings of the tasks of a job.
#[derive(Debug)]
pub(super) struct TaskSettings {
    /// Fields for all photos.
    pub(super) fields: PhotoFields,
    pub(super) lang: Lang,
    pub(super) engines: Engines,
    pub(super) sets: Arc<JobSets>,
    pub(super) book: Arc<Book>,
}

impl WebhookRequest {
    /// Returns the webhook in a query, which has only an address.
    pub(super) fn from_url(url: String) -> WebhookRequest {
        WebhookRequest { url, secret: None }
    }

    fn read(&self, reach: Reach) -> Result<WebhookTarget, Failure> {
        let target = self
            .target(reach)
            .map_err(|_| Failure::invalid("webhook.url", &ServiceFault::WebhookAddress))?;
        let secret = match &self.secret {
            Some(text) => text
                .parse()
                .map_err(|_| Failure::invalid("webhook.secret", &ServiceFault::WebhookSecret))?,
            None => Secret::generate()
                .map_err(|error| Failure::Internal { cause: error.to_string() })?,
        };
        Ok(WebhookTarget { target, secret })
    }

    fn target(&self, reach: Reach) -> Result<Target, AddressError> {
        let target: Target = self.url.parse()?;
        target.check(reach)?;
        Ok(target)
    }
}

impl Intake {
    pub(super) fn new(jobs: &Jobs, limits: &Limits, options: IntakeOptions) -> Intake {
        let IntakeOptions { preparation, job, settings, decode, webhook, allowance } = options;
        let max = jobs.limits().clone();
        Intake {
            store: jobs.store(),
            preparation,
            job,
            settings,
            limits: Limits { body_bytes: max.bytes, body: max.upload, ..limits.clone() },
            max,
            decode,
            reach: jobs.reach(),
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

    async fn add_photo(&mut self, name: &str, photo: Bytes) -> Result<(), Failure> {
        let photo = self.store_photo(photo).await?;
        self.add(clean_name(name, self.photos.len()), photo)
    }

    /// Adds a photo that was taken in, or its problem.
    fn add(&mut self, name: String, photo: StoredPhoto) -> Result<(), Failure> {
        self.photos.push((name, photo));
        self.check_photo_count(self.photos.len())
    }

    fn check_photo_count(&self, photos: usize) -> Result<(), Failure> {
        if photos <= self.max.photos {
            return Ok(());
        }
        let fault = ServiceFault::PhotosOfJob { max: self.max.photos };
        Err(Problem::from_message(ProblemKind::TooLarge, &fault).into())
    }

    /// Counts bytes that were sent or unpacked, including those of failed photos.
    fn count_bytes(&mut self, bytes: u64) -> Result<(), Failure> {
        self.bytes = self.bytes.saturating_add(bytes);
        self.check_bytes(self.bytes)
    }

    fn check_bytes(&self, bytes: u64) -> Result<(), Failure> {
        if bytes <= self.max.bytes as u64 {
            return Ok(());
        }
        let fault = ServiceFault::BytesOfJob { max: self.max.bytes };
        Err(Problem::from_message(ProblemKind::TooLarge, &fault).into())
    }

    /// Strips a photo and stores it.
    async fn store_photo(&mut self, photo: Bytes) -> Result<StoredPhoto, Failure> {
        self.count_bytes(photo.len() as u64)?;
        let decode = self.decode;
        let worker = self.preparation.worker_for_step().await;
        let (stripped, _) = worker.run(move || strip(&photo, &decode)).await?;
        self.store(stripped).await
    }

    async fn store(&mut self, stripped: StrippedPhoto) -> Result<StoredPhoto, Failure> {
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

    /// Assembles the job once the whole request has arrived.
    fn finish(self) -> Result<JobUpload, Failure> {
        if self.webhook.is_some() && !self.sealed {
            return Err(Failure::NoWebhooks);
        }
        let webhook = self.webhook.as_ref().map(|asked| asked.read(self.reach)).transpose()?;
        let TaskSettings { fields, book, .. } = &self.settings;
        check_named(book, &fields.scoring.context, fields.scoring.rulesets.as_deref())?;
        let entries = match (self.manifest, self.inline) {
            (Some(lines), inline) if inline.is_empty() => match_manifest(lines, self.photos)?,
            (None, inline) => {
                let mut ids = RowIds::default();
                // Phones name all their photos `image.jpg`.
                let loose = self.photos.into_iter().map(|(name, photo)| PhotoEntry {
                    id: ids.free(&name),
                    table: TableRequest::from_photo(photo),
                });
                loose.chain(inline).collect()
            }
            (Some(_), _) => unreachable!("lines with photos are a body of their own"),
        };
        if entries.is_empty() {
            return Err(Failure::invalid("photo", &ServiceFault::NoPhoto));
        }
        let items: Vec<NewItem> =
            entries.into_iter().map(|entry| self.settings.item(entry)).collect();
        let seen = serde_json::to_vec(&(&items, &self.webhook)).expect("its keys are texts");
        Ok(JobUpload { fingerprint: hex::encode(&Sha256::digest(seen)), items, webhook })
    }
}

fn strip(photo: &[u8], limits: &DecodeLimits) -> StrippedPhoto {
    let bytes =
        without_metadata(photo, limits).map_err(|error| Problem::from(&ReadError::from(error)))?;
    Ok((PhotoId::from_bytes(&bytes), bytes))
}

/// Returns the photos that a manifest names, in its order. Every named photo must exist, and every
/// photo must be named.
fn match_manifest(
    lines: Vec<PhotoEntry<String>>,
    photos: Vec<(String, StoredPhoto)>,
) -> Result<Vec<PhotoEntry<StoredPhoto>>, Failure> {
    let mut by_name: HashMap<String, StoredPhoto> = HashMap::new();
    for (name, photo) in photos {
        if by_name.insert(name.clone(), photo).is_some() {
            return Err(Failure::invalid("photo", &ServiceFault::AlikePhotos { name }));
        }
    }
    let mut used = HashSet::new();
    let mut entries = Vec::with_capacity(lines.len());
    for (at, line) in lines.into_iter().enumerate() {
        let table = line.table.try_map_photos(|name, place| {
            let Some(photo) = by_name.get(&name) else {
                let field = match place {
                    Some(place) if place != HandField::Winner => place.photo(),
                    _ => "file".to_owned(),
                };
                let fault = ServiceFault::NoSuchPhoto { name };
                return Err(Failure::invalid(&format!("lines[{at}].{field}"), &fault));
            };
            used.insert(name);
            Ok(photo.clone())
        })?;
        entries.push(PhotoEntry { id: line.id, table });
    }
    match by_name.keys().filter(|name| !used.contains(*name)).min() {
        Some(name) => {
            let name = name.clone();
            Err(Failure::invalid("photo", &ServiceFault::UnnamedPhoto { name }))
        }
        None => Ok(entries),
    }
}

impl TaskSettings {
    /// Returns an item for the store. What a line says takes precedence over what is said about all
    /// photos.
    fn item(&self, entry: PhotoEntry<StoredPhoto>) -> NewItem {
        let PhotoEntry { id, table } = entry;
        let task = self.task(table);
        NewItem { id, work: task.map_or_else(Work::Refused, Work::Read) }
    }

    /// Returns the task of a photo and the hands beside it, or the problem with it.
    fn task(&self, table: TableRequest<StoredPhoto>) -> Result<Task, Problem> {
        let mut table = table
            .try_map_photos(|photo, place| photo.map_err(|problem| problem.about_photo(place)))?;
        table.fields = table.fields.or(self.fields.clone());
        let choice = table.fields.set.as_ref();
        let engine = self.engines.for_choice(choice).map_err(|error| Problem::from(&error))?;
        let sets = self.sets.files_for(choice);
        table.clone().plan(&self.book)?;
        Ok(Task::new(table, self.lang, engine).with_sets(sets))
    }
}

/// Returns a file's name as it is shown, shortened and with unprintable characters escaped. A photo
/// is read whatever its name. No segment of the name can leave a folder.
fn clean_name(name: &str, at: usize) -> String {
    match name {
        "" => format!("photo-{at}"),
        name => shorten(id_of_member(&member_name(name))),
    }
}

/// Shortens a name that is too long to its end, because the end of a path says more than its
/// beginning.
fn shorten(name: String) -> String {
    let length = name.chars().count();
    if length <= MAX_NAME_LENGTH {
        name
    } else {
        name.chars().skip(length - MAX_NAME_LENGTH).collect()
    }
}
