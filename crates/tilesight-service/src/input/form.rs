//! Forms: bodies of `multipart/form-data`, part by part.
//!
//! Input: a request, and a type whose fields are the parts, as OpenAPI describes them. Output: the
//! form. Invariants: no part is ignored; a part is sent once, unless the form says otherwise; the
//! size of each part is bounded.

use axum::body::Bytes;
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest as _, Request};
use axum::http::StatusCode;
use tilesight_core::contract::{FieldError, Problem, ProblemKind, RequestFault, UnknownName};

use crate::Limits;
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::input::body::receive;

/// Form whose fields are its parts.
pub(crate) trait MultipartForm: Default {
    /// Names of the parts that may be sent more than once.
    const REPEATED: &[&str] = &[];

    /// Reads a part into its field.
    async fn read(&mut self, part: Part<'_>) -> Result<(), Failure>;
}

/// Part of a form that is being received.
pub(crate) struct Part<'a> {
    name: String,
    field: Field<'a>,
    limits: &'a Limits,
}

pub(crate) async fn receive_form<T: MultipartForm>(
    request: Request,
    limits: &Limits,
) -> Result<T, Failure> {
    receive(request, limits, async |request| read_form(request, limits).await).await
}

async fn read_form<T: MultipartForm>(request: Request, limits: &Limits) -> Result<T, Failure> {
    let mut parts = open_form(request).await?;
    let mut form = T::default();
    let mut seen: Vec<String> = Vec::new();
    while let Some(field) =
        parts.next_field().await.map_err(|error| form_failure(&error, limits))?
    {
        let name = field.name().unwrap_or_default().to_owned();
        if seen.contains(&name) {
            return Err(Failure::invalid(&name, &RequestFault::GivenTwice));
        }
        if !T::REPEATED.contains(&name.as_str()) {
            seen.push(name.clone());
        }
        form.read(Part { name, field, limits }).await?;
    }
    Ok(form)
}

impl Part<'_> {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) async fn photo(self) -> Result<Bytes, Failure> {
        self.field.bytes().await.map_err(|error| form_failure(&error, self.limits))
    }

    /// Receives a part other than a photo.
    pub(crate) async fn bytes(self, max_bytes: usize) -> Result<Vec<u8>, Failure> {
        read_small_part(&self.name, self.field, max_bytes, self.limits).await
    }

    pub(crate) async fn text(self, max_bytes: usize) -> Result<String, Failure> {
        Ok(String::from_utf8_lossy(&self.bytes(max_bytes).await?).into_owned())
    }

    /// Returns the failure for a part that the form does not have.
    pub(crate) fn unknown(&self, known: &[impl AsRef<str>]) -> Failure {
        unknown_part_failure(&self.name, known)
    }
}

/// Returns the parts of a form.
pub(crate) async fn open_form(request: Request) -> Result<Multipart, Failure> {
    Multipart::from_request(request, &())
        .await
        .map_err(|_| Failure::invalid("body", &ServiceFault::NoBoundary))
}

/// Receives a part other than a photo, with a limit of its own.
pub(crate) async fn read_small_part(
    name: &str,
    mut field: Field<'_>,
    max_bytes: usize,
    limits: &Limits,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| form_failure(&error, limits))? {
        if bytes.len() + chunk.len() > max_bytes {
            let error =
                FieldError::from_message(name, &RequestFault::PartTooLarge { limit: max_bytes });
            return Err(Problem::with_errors(ProblemKind::TooLarge, vec![error]).into());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Converts the error of a form that can't be read.
pub(crate) fn form_failure(error: &MultipartError, limits: &Limits) -> Failure {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Failure::TooLarge { limit: limits.body_bytes };
    }
    Failure::invalid("body", &ServiceFault::BrokenForm)
}

/// Maximum length of an unknown part's name that an error repeats as a field: twice the longest
/// known name.
const MAX_NAME_LENGTH: usize = 16;

/// Returns the failure for a part of a form that has none of the known names. A part without a
/// name, or with a name that nobody typed, is a fault of the body.
pub(crate) fn unknown_part_failure(name: &str, known: &[impl AsRef<str>]) -> Failure {
    if (1..=MAX_NAME_LENGTH).contains(&name.chars().count()) {
        return Failure::invalid(name, &UnknownName::part(name, known));
    }
    Failure::invalid("body", &UnknownName::part("…", known))
}
