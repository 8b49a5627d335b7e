//! `POST /v1/feedback` stores corrections by people, to train the models; `DELETE` removes one.
//!
//! Input: the reading, the correct hand, and a photo if the sender consents. Output: which parts
//! were stored, when they expire, and how to remove them. Invariants: a photo is stored only with
//! consent, and then as new pixels: no metadata, no thumbnail, turned upright; of the reading only
//! the fields of the contract are stored; without a folder in the settings nothing is stored.

mod store;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use image::codecs::jpeg::JpegEncoder;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::task::spawn_blocking;
use utoipa::ToSchema;

use crate::Limits;
use crate::answer::failure::{Failure, SharedResource};
use crate::answer::fault::ServiceFault;
use crate::guard::admission::Turns;
use crate::guard::discard::refuse_unless;
use crate::input::body::{Form, read_on_worker, receive_bytes};
use crate::input::form::{MultipartForm, Part, receive_form};
use crate::input::query::NameInPath;
use crate::input::upload::decode_photo;
use crate::openapi::{
    BodyRefusals, FeedbackDeletionRefusals, FeedbackRefusals, NoRoom, Unavailable,
};
use crate::routes::caller::Caller;
use crate::{Service, ServiceBuilder};
use store::{Correction, Id, Receipt, StoreError};
pub use store::{Lesson, Store};
use tilesight_core::contract::{
    ContextDto, HandDto, HandInput, Problem, RequestFault, hand_of_reading, object_or_null,
    read_json, read_value, with_reading_alone,
};
use tilesight_vision::Reader;
use tilesight_vision::contract::{CompactReadingDto, ReadingDto};

/// Maximum length of a comment, in characters: room for several sentences.
const MAX_COMMENT_LENGTH: usize = 2000;
/// Maximum size of a part other than the photo, in bytes. A reading of 60 tiles with their
/// candidates and all its runners-up has about 60 KB.
const MAX_PART_BYTES: usize = 512 * 1024;
/// Interval between removals of expired records. A record may live this much longer than stated;
/// the stated lifetime is in whole days.
const SWEEPS: Duration = Duration::from_secs(3600);
/// Quality of stored photos. They are for training, and at this quality a tile's face loses no
/// visible detail.
const JPEG_QUALITY: u8 = 92;

impl Service {
    pub(crate) fn feedback(&self) -> Result<Arc<Store>, Failure> {
        self.store().ok_or(Failure::NoFeedback)
    }
}

impl ServiceBuilder {
    /// Sets the store of feedback.
    pub fn feedback(self, store: Arc<Store>) -> ServiceBuilder {
        self.with_store(store)
    }
}

/// Correction of a reading.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with `reading` and `hand`")]
pub(crate) struct FeedbackJson {
    /// Reading, as the service returned it, full or compact.
    #[schema(value_type = FeedbackReading)]
    reading: Value,
    /// Correct hand; it need not win.
    hand: HandInput,
    /// Win context.
    #[serde(default, deserialize_with = "object_or_null")]
    #[schema(value_type = Option<ContextDto>)]
    context: ContextDto,
    /// Comment of the sender.
    #[schema(max_length = 2000)]
    comment: Option<String>,
    /// Consent of the sender.
    #[serde(default, deserialize_with = "object_or_null")]
    #[schema(value_type = Option<Consent>)]
    consent: Consent,
    /// Photo in base64. It is stored only with consent.
    #[schema(content_encoding = "base64", content_media_type = "image/*")]
    photo: Option<String>,
}

/// Reading that a correction is about.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "it is stored at once")]
pub(crate) enum FeedbackReading {
    /// Compact form.
    Compact(CompactReadingDto),
    /// Full form.
    Full(ReadingDto),
}

impl FeedbackReading {
    /// Reads a reading of either form.
    ///
    /// # Errors
    /// A [`Problem`] with the first field that has the wrong shape.
    fn read(json: &Value) -> Result<FeedbackReading, Problem> {
        let text = json.to_string();
        Ok(if json["detail"] == "compact" {
            FeedbackReading::Compact(read_json(text.as_bytes(), "reading")?)
        } else {
            FeedbackReading::Full(read_json(text.as_bytes(), "reading")?)
        })
    }

    fn hand(&self) -> &HandDto {
        match self {
            FeedbackReading::Compact(reading) => &reading.hand,
            FeedbackReading::Full(reading) => &reading.hand,
        }
    }
}

/// Consent of the sender of a correction.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Consent {
    /// Whether the photo may be stored too.
    #[serde(default)]
    photo: bool,
}

/// Correction of a reading as a form: the same fields, each as a part.
#[derive(Default, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeedbackForm {
    /// Reading, as the service returned it, full or compact, as JSON.
    #[schema(required = true, value_type = FeedbackReading)]
    reading: Option<Value>,
    /// Correct hand: notation, or an object as JSON.
    #[schema(required = true, value_type = HandInput)]
    hand: Option<Value>,
    /// Win context as JSON.
    #[schema(required = false, value_type = ContextDto)]
    context: Option<Value>,
    /// Comment of the sender.
    #[schema(required = false, value_type = String, max_length = 2000)]
    comment: Option<Value>,
    /// Consent of the sender as JSON.
    #[schema(required = false, value_type = Consent)]
    consent: Option<Value>,
    /// Photo. It is stored only with consent.
    #[schema(required = false, value_type = String, format = Binary)]
    photo: Option<Bytes>,
}

/// Receipt for stored feedback.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Kept)]
pub(crate) struct FeedbackReceipt {
    /// Id of the feedback.
    id: String,
    /// Parts that were stored.
    stored: StoredParts,
    /// Time when the feedback expires.
    #[schema(format = DateTime)]
    expires: String,
    /// Secret that authorizes the deletion of the feedback.
    token: String,
    /// Address where a `DELETE` with the token in the header `Feedback-Token` removes the feedback
    /// at once.
    delete: String,
    /// Id of the request.
    request_id: String,
}

/// Parts of a correction that were stored.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Stored)]
pub(crate) struct StoredParts {
    /// Whether the reading and its correction were stored.
    reading: bool,
    /// Whether the photo was stored.
    photo: bool,
}

/// Header with the token: addresses are written to logs and histories, headers are not.
const TOKEN: HeaderName = HeaderName::from_static("feedback-token");

/// Stores a correction, and the photo if the sender consents.
#[utoipa::path(post, path = "/v1/feedback", tag = "feedback", operation_id = "send_feedback",
    request_body(content((FeedbackJson = "application/json"), (FeedbackForm = "multipart/form-data"))),
    responses((status = 202, body = FeedbackReceipt, description = "What was kept, and until when.",
            links(("take_back" = (operation_id = "delete_feedback", parameters(("id" = "$response.body#/id"), ("Feedback-Token" = "$response.body#/token")))))),
        BodyRefusals, FeedbackRefusals, NoRoom, Unavailable))]
pub(crate) async fn send(
    caller: Caller,
    request: Request,
) -> Result<(StatusCode, Json<FeedbackReceipt>), Failure> {
    caller.service.in_time(keep(&caller, request)).await
}

async fn keep(
    caller: &Caller,
    request: Request,
) -> Result<(StatusCode, Json<FeedbackReceipt>), Failure> {
    let Caller { service, turns, .. } = caller;
    let client = turns.client().clone();
    let limits = service.limits();
    let (store, request) = refuse_unless(service.feedback(), request, limits)?;
    let (reader, permit, request) = service.admit(request, 1, limits)?;
    let (feedback, photo) = receive_feedback(request, limits, turns).await?;
    feedback.check()?;
    let reading = FeedbackReading::read(&feedback.reading)?;
    hand_of_reading(reading.hand())?;
    let hand = HandDto::from(&feedback.hand.setup()?);
    let photo = photo.filter(|_| feedback.consent.photo);
    let worker = permit.worker(photo.as_deref().unwrap_or_default()).await?;
    let kept = worker.run(move || {
        let photo = photo.map(|photo| reencode(&reader, &photo)).transpose()?;
        let with_photo = photo.is_some();
        let FeedbackJson { context, comment, .. } = feedback;
        let receipt = store.keep(Correction { reading, hand, context, comment, photo }, client)?;
        Ok::<_, Failure>((receipt, with_photo))
    });
    let (kept, _worker) = kept.await?;
    let (Receipt { id: name, token, expires }, photo) = kept?;
    let kept = FeedbackReceipt {
        delete: format!("/v1/feedback/{}", name.text()),
        token,
        id: name.text(),
        stored: StoredParts { reading: true, photo },
        expires,
        request_id: caller.request_id(),
    };
    Ok((StatusCode::ACCEPTED, Json(kept)))
}

/// Removes a correction.
#[utoipa::path(delete, path = "/v1/feedback/{id}", tag = "feedback", operation_id = "delete_feedback",
    params(("id" = String, Path, description = "Its name."),
        ("Feedback-Token" = String, Header, description = "The token that was answered.")),
    responses((status = 204, description = "It was deleted."),
        FeedbackDeletionRefusals))]
pub(crate) async fn remove(
    State(service): State<Service>,
    NameInPath(id): NameInPath,
    headers: HeaderMap,
) -> Result<StatusCode, Failure> {
    let store = service.feedback()?;
    let token = find_token(&headers)?;
    let id = Id::parse(&id).ok_or(Failure::NoSuchFeedback)?;
    let removed = spawn_blocking(move || store.remove(id, &token));
    removed.await.map_err(|error| Failure::Internal { cause: error.to_string() })??;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the token of a request.
fn find_token(headers: &HeaderMap) -> Result<String, Failure> {
    headers
        .get(TOKEN)
        .and_then(|token| token.to_str().ok())
        .map(str::to_owned)
        .ok_or_else(|| Failure::invalid("token", &ServiceFault::NoToken))
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::Full => Failure::FeedbackFull,
            StoreError::Share => Failure::Share { what: SharedResource::Feedback },
            StoreError::WrongToken => Failure::WrongToken,
            StoreError::Unknown => Failure::NoSuchFeedback,
            StoreError::Io(error) => Failure::from_io("the folder for feedback", &error),
        }
    }
}

impl FeedbackJson {
    fn check(&self) -> Result<(), Failure> {
        let length = self.comment.as_ref().map_or(0, |comment| comment.chars().count());
        if length > MAX_COMMENT_LENGTH {
            let fault = ServiceFault::LongText { max: MAX_COMMENT_LENGTH };
            return Err(Failure::invalid("comment", &fault));
        }
        Ok(())
    }
}

/// Receives the correction and its photo from either form of body.
async fn receive_feedback(
    request: Request,
    limits: &Limits,
    turns: &Turns,
) -> Result<(FeedbackJson, Option<Bytes>), Failure> {
    let form = Form::from_headers(request.headers())?;
    match form {
        Form::Multipart => receive_form::<FeedbackForm>(request, limits).await?.into_json(),
        Form::Json => {
            let json = receive_bytes(request, limits).await?;
            read_on_worker(turns, json, from_json).await
        }
        Form::Raw | Form::Other => {
            Err(Failure::UnsupportedBody { expected: "multipart/form-data or application/json" })
        }
    }
}

fn from_json(json: &[u8]) -> Result<(FeedbackJson, Option<Bytes>), Failure> {
    let mut feedback: FeedbackJson = read_json(&with_reading_alone(json), "")?;
    let encoded = feedback.photo.take();
    let photo = encoded.map(|photo| decode_photo(&photo, "photo")).transpose()?;
    Ok((feedback, photo))
}

/// Names of the parts that a form may have, each at most once.
const PARTS: [&str; 6] = ["reading", "hand", "context", "comment", "consent", "photo"];

impl MultipartForm for FeedbackForm {
    async fn read(&mut self, part: Part<'_>) -> Result<(), Failure> {
        let name = part.name().to_owned();
        let field = match name.as_str() {
            "reading" => &mut self.reading,
            "hand" => &mut self.hand,
            "context" => &mut self.context,
            "comment" => &mut self.comment,
            "consent" => &mut self.consent,
            "photo" => {
                self.photo = Some(part.photo().await?);
                return Ok(());
            }
            _ => return Err(part.unknown(&PARTS)),
        };
        let bytes = part.bytes(MAX_PART_BYTES).await?;
        *field = Some(value(&name, &bytes)?);
        Ok(())
    }
}

impl FeedbackForm {
    /// Reads the parts as the object that a JSON body would be.
    fn into_json(self) -> Result<(FeedbackJson, Option<Bytes>), Failure> {
        let fields = [
            ("reading", self.reading),
            ("hand", self.hand),
            ("context", self.context),
            ("comment", self.comment),
            ("consent", self.consent),
        ];
        let given = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let json = Value::Object(given.collect()).to_string();
        let feedback = read_json(&with_reading_alone(json.as_bytes()), "")?;
        Ok((feedback, self.photo))
    }
}

/// Returns a part as JSON. A comment is a text, and so is a hand that is not an object.
fn value(name: &str, bytes: &[u8]) -> Result<Value, Failure> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Failure::invalid(name, &RequestFault::PartNotUtf8))?;
    // A text in the notation may begin with a bracket, so only a text that begins with a brace or a
    // quote is JSON.
    if name == "comment" || name == "hand" && !text.trim_start().starts_with(['{', '"']) {
        return Ok(Value::from(text.trim()));
    }
    Ok(read_value(text.as_bytes(), name)?)
}

/// Decodes a photo and encodes it again: nothing else of the file is stored.
fn reencode(reader: &Reader, photo: &[u8]) -> Result<Vec<u8>, Failure> {
    let photo = reader.decode(photo).map_err(tilesight_vision::ReadError::from)?;
    let mut jpeg = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY);
    let encoded = photo.image().write_with_encoder(encoder);
    encoded.map_err(|error| Failure::Internal { cause: error.to_string() })?;
    Ok(jpeg)
}

/// Removes expired records at the start and every hour, for as long as the process runs.
pub async fn sweep(store: Arc<Store>) {
    let mut clock = tokio::time::interval(SWEEPS);
    loop {
        clock.tick().await;
        let store = Arc::clone(&store);
        match spawn_blocking(move || store.sweep_by_clock(SystemTime::now())).await {
            Ok(Ok(0)) => {}
            Ok(Ok(removed)) => tracing::info!(removed, "feedback expired"),
            Ok(Err(error)) => tracing::warn!(%error, "the folder for feedback can't be read"),
            Err(error) => tracing::warn!(%error, "the sweep failed"),
        }
    }
}
