//! Forms of a job's body, and the parts of a `multipart/form-data` body.

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
use utoipa::ToSchema;

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

/// Fields of a form that apply to all photos.
#[derive(Debug, Default)]
struct FormFields {
    context: Option<ContextDto>,
    rulesets: Option<Vec<RulesetId>>,
}

/// Job as a form. Photos, archives and other parts may come in any order.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the form")]
pub(in crate::routes::jobs) struct JobForm {
    /// Photos. The name of each file is the id of its row, with a number appended if it is taken.
    #[schema(required = false, value_type = Vec<String>, format = Binary)]
    photo: Vec<Bytes>,
    /// ZIP archives of photos. One of them may contain a `manifest.jsonl`.
    #[schema(required = false, value_type = Vec<String>, format = Binary)]
    archive: Vec<Bytes>,
    /// Manifest with a line of JSON for each photo: `file`, and optionally `custom_id`, `context`
    /// and `rulesets`.
    #[schema(required = false)]
    manifest: String,
    /// Win context of all photos, as JSON.
    #[schema(required = false)]
    context: ContextDto,
    /// Rule sets by which to score all photos side by side, as JSON or separated by commas.
    #[schema(required = false, example = "mcr-wmo,mcr-mil")]
    rulesets: String,
    /// Webhook that is called at the end of the job, as JSON.
    #[schema(required = false)]
    webhook: WebhookRequest,
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

/// Names of the parts that a form may have.
const PARTS: [&str; 6] = ["photo", "archive", "manifest", "context", RULESETS, "webhook"];

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
        let mut form: Multipart = open_form(request).await?;
        let mut fields = FormFields::default();
        loop {
            let field =
                form.next_field().await.map_err(|error| form_failure(&error, &self.limits))?;
            let Some(field) = field else { break };
            let name = field.name().unwrap_or_default().to_owned();
            if self.read_part(&name, field, &mut fields).await? {
                return Err(Failure::invalid(&name, &RequestFault::GivenTwice));
            }
        }
        let in_form =
            Scoring { context: fields.context.unwrap_or_default(), rulesets: fields.rulesets };
        let scoring = &mut self.settings.fields.scoring;
        *scoring = in_form.merge(std::mem::take(scoring))?;
        Ok(())
    }

    /// Reads one part. Returns `true` if the part is a repetition of one that may occur only once.
    async fn read_part(
        &mut self,
        name: &str,
        field: Field<'_>,
        fields: &mut FormFields,
    ) -> Result<bool, Failure> {
        let max_bytes = match name {
            "photo" | "photos" => return self.read_photo(field).await.map(|()| false),
            "archive" => return self.read_archive_part(field).await.map(|()| false),
            "manifest" => self.max_manifest_bytes(),
            "context" | RULESETS | "webhook" => ScoreRequest::MAX_BYTES,
            _ => return Err(unknown_part_failure(name, &PARTS)),
        };
        let text = read_small_part(name, field, max_bytes, &self.limits).await?;
        Ok(match name {
            "context" => fields.context.replace(read_json(&text, name)?).is_some(),
            RULESETS => {
                let list = query::parse_rulesets(&String::from_utf8_lossy(&text))?;
                fields.rulesets.replace(list).is_some()
            }
            "webhook" => self.webhook.replace(read_json(&text, name)?).is_some(),
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
