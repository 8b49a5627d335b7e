//! Forms of a job's body, and the parts of a `multipart/form-data` body.

use std::borrow::Cow;

use axum::RequestExt as _;
use axum::body::Bytes;
use axum::extract::Request;
use axum::extract::multipart::{Field, Multipart};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use http_body_util::BodyExt as _;
use tilesight_core::contract::{
    ContextDto, Problem, RequestFault, ScoreRequest, Scoring, read_json,
};
use tilesight_core::rules::RulesetId;
use tilesight_vision::{DecodeError, ReadError};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{ArrayBuilder, KnownFormat, ObjectBuilder, RefOr, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::archive::ArchiveFile;
use super::{Intake, JobUpload, WebhookRequest, clean_name};
use crate::answer::failure::Failure;
use crate::input::body::{is_encoded, receive_in_parts};
use crate::input::form::{form_failure, open_form, read_small_part, unknown_part_failure};
use crate::input::query::{self, RULESETS};

/// Form of a job's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::routes::jobs) enum Body {
    /// Photos, archives and a manifest as parts.
    Multipart,
    /// ZIP archive.
    Zip,
    /// Photos in base64, one per line.
    Lines,
}

/// Job as a form. Photos, archives and other parts may come in any order.
#[derive(Debug, Default)]
pub(in crate::routes::jobs) struct JobForm {
    settings: FormSettings,
}

/// Parts of a form that are read as a whole.
#[derive(Debug, Default, ToSchema)]
#[serde(deny_unknown_fields)]
struct FormSettings {
    /// Win context of all photos, as JSON.
    #[schema(value_type = ContextDto, required = false)]
    context: Option<ContextDto>,
    /// Rule sets by which to score all photos side by side, as JSON or separated by commas.
    #[schema(value_type = String, required = false, example = "mcr-wmo,mcr-mil")]
    rulesets: Option<Vec<RulesetId>>,
    /// Webhook that is called at the end of the job, as JSON.
    #[schema(value_type = WebhookRequest, required = false)]
    webhook: Option<WebhookRequest>,
}

/// Part of a form that is taken in while it arrives.
struct StreamedPart {
    name: &'static str,
    words: &'static str,
    /// Whether it is a file that may be sent more than once.
    is_file: bool,
}

const PHOTO: &str = "photo";
const ARCHIVE: &str = "archive";
const MANIFEST: &str = "manifest";
const CONTEXT: &str = "context";
const WEBHOOK: &str = "webhook";

const STREAMED: [StreamedPart; 3] = [
    StreamedPart {
        name: PHOTO,
        words: "Photos. The name of each file is the id of its row, with a number appended if it is taken.",
        is_file: true,
    },
    StreamedPart {
        name: ARCHIVE,
        words: "ZIP archives of photos. One of them may contain a `manifest.jsonl`.",
        is_file: true,
    },
    StreamedPart {
        name: MANIFEST,
        words: "Manifest with a line of JSON for each photo: `file`, and optionally `custom_id`, \
                `context`\nand `rulesets`.",
        is_file: false,
    },
];

impl StreamedPart {
    fn schema(&self) -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        if !self.is_file {
            return text.description(Some(self.words)).into();
        }
        let file = text.format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
        ArrayBuilder::new().items(file).description(Some(self.words)).into()
    }
}

impl PartialSchema for JobForm {
    fn schema() -> RefOr<Schema> {
        let mut form = FormSettings::schema();
        if let RefOr::T(Schema::Object(form)) = &mut form {
            form.description = Some(
                "Job as a form. Photos, archives and other parts may come in any order.".to_owned(),
            );
            let streamed = STREAMED.iter().map(|part| (part.name.to_owned(), part.schema()));
            form.properties.extend(streamed);
        }
        form
    }
}

impl ToSchema for JobForm {
    fn name() -> Cow<'static, str> {
        "JobForm".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        FormSettings::schemas(schemas);
    }
}

impl Body {
    /// Returns the form that the content type declares.
    pub(in crate::routes::jobs) fn from_headers(headers: &HeaderMap) -> Result<Body, Failure> {
        if is_encoded(headers) {
            return Err(Failure::EncodedBody);
        }
        let declared = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = declared.unwrap_or_default().split(';').next().unwrap_or_default();
        match essence.trim().to_ascii_lowercase().as_str() {
            "multipart/form-data" => Ok(Body::Multipart),
            "application/zip" | "application/x-zip-compressed" => Ok(Body::Zip),
            "application/jsonl" | "application/x-ndjson" | "application/jsonlines" => {
                Ok(Body::Lines)
            }
            _ => Err(Failure::UnsupportedBody {
                expected: "multipart/form-data, application/zip or application/jsonl",
            }),
        }
    }
}

/// Returns the names of the parts, in the order in which a refusal lists them.
fn part_names() -> Vec<&'static str> {
    let streamed = STREAMED.iter().map(|part| part.name);
    streamed.chain([CONTEXT, RULESETS, WEBHOOK]).collect()
}

impl Intake {
    pub(in crate::routes::jobs) async fn receive(
        mut self,
        form: Body,
        request: Request,
    ) -> Result<JobUpload, Failure> {
        let limits = self.limits.clone();
        receive_in_parts(request, &limits, async |request: Request| match form {
            Body::Multipart => self.read_form(request).await,
            Body::Zip => self.read_archive(request).await,
            Body::Lines => self.read_lines(request.with_limited_body().into_body()).await,
        })
        .await?;
        self.finish()
    }

    async fn read_archive(&mut self, request: Request) -> Result<(), Failure> {
        let mut body = request.with_limited_body().into_body();
        let mut gathered = ArchiveFile::new(self)?;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| self.broken(error))?;
            if let Some(data) = frame.data_ref() {
                gathered.add(data).await?;
            }
        }
        self.unpack(gathered).await
    }

    async fn read_form(&mut self, request: Request) -> Result<(), Failure> {
        let mut parts: Multipart = open_form(request).await?;
        let mut form = JobForm::default();
        loop {
            let field =
                parts.next_field().await.map_err(|error| form_failure(&error, &self.limits))?;
            let Some(field) = field else { break };
            let name = field.name().unwrap_or_default().to_owned();
            if self.read_part(&name, field, &mut form.settings).await? {
                return Err(Failure::invalid(&name, &RequestFault::GivenTwice));
            }
        }
        let FormSettings { context, rulesets, webhook } = form.settings;
        self.webhook = webhook.or(self.webhook.take());
        let in_form = Scoring { context: context.unwrap_or_default(), rulesets };
        let scoring = &mut self.settings.fields.scoring;
        *scoring = in_form.merge(std::mem::take(scoring))?;
        Ok(())
    }

    /// Reads one part. Returns `true` if the part is a repetition of one that may occur only once.
    async fn read_part(
        &mut self,
        name: &str,
        field: Field<'_>,
        settings: &mut FormSettings,
    ) -> Result<bool, Failure> {
        let max_bytes = match name {
            PHOTO => return self.read_photo(field).await.map(|()| false),
            ARCHIVE => return self.read_archive_part(field).await.map(|()| false),
            MANIFEST => self.max_manifest_bytes(),
            CONTEXT | RULESETS | WEBHOOK => ScoreRequest::MAX_BYTES,
            _ => return Err(unknown_part_failure(name, &part_names())),
        };
        let text = read_small_part(name, field, max_bytes, &self.limits).await?;
        Ok(match name {
            CONTEXT => settings.context.replace(read_json(&text, name)?).is_some(),
            RULESETS => {
                let list = query::parse_rulesets(&String::from_utf8_lossy(&text))?;
                settings.rulesets.replace(list).is_some()
            }
            WEBHOOK => {
                let webhook = read_json(&text, name)?;
                // The query may name one too.
                settings.webhook.replace(webhook).is_some() || self.webhook.is_some()
            }
            _ => self.read_manifest(&text).map(|()| false)?,
        })
    }

    /// Returns the maximum size of a manifest. It has a line for each photo; a usual line has some
    /// hundred bytes.
    fn max_manifest_bytes(&self) -> usize {
        self.max.photos.saturating_mul(1024).max(ScoreRequest::MAX_BYTES)
    }

    /// Reads a part with a photo. A photo that is too large is skipped and fails; the others are
    /// read.
    async fn read_photo(&mut self, mut field: Field<'_>) -> Result<(), Failure> {
        let name = field.file_name().unwrap_or_default().to_owned();
        let limit = self.decode.bytes;
        let mut photo = Vec::new();
        let mut seen = 0_usize;
        while let Some(chunk) =
            field.chunk().await.map_err(|error| form_failure(&error, &self.limits))?
        {
            seen = seen.saturating_add(chunk.len());
            if seen <= limit {
                photo.extend_from_slice(&chunk);
            }
        }
        if seen > limit {
            self.count_bytes(seen as u64)?;
            let error = ReadError::from(DecodeError::TooLarge { bytes: seen, limit });
            let name = clean_name(&name, self.photos.len());
            return self.add(name, Err(Problem::from(&error)));
        }
        self.add_photo(&name, Bytes::from(photo)).await
    }

    async fn read_archive_part(&mut self, mut field: Field<'_>) -> Result<(), Failure> {
        let mut gathered = ArchiveFile::new(self)?;
        while let Some(chunk) =
            field.chunk().await.map_err(|error| form_failure(&error, &self.limits))?
        {
            gathered.add(&chunk).await?;
        }
        self.unpack(gathered).await
    }
}
