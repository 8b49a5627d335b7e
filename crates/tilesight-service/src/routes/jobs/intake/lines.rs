//! Lines of JSON: a manifest that names photos, or photos in base64 with what is known of each.
//!
//! Input: a text or a body. Output: a [`PhotoEntry`] per line. Invariant: errors name the line, and
//! a line is at most as long as a photo in base64 with all other fields.

use std::convert::Infallible;

use axum::body::Body;
use http_body_util::BodyExt as _;
use serde::Deserialize;
use tilesight_core::contract::{
    FieldError, Kind, Object, OtherPhotoDto, Problem, ProblemKind, RegionDto, RequestFault,
    ScoreRequest, check_named, read_json,
};
use tilesight_core::photo_json;
use tilesight_core::printable::unprintable;
use tilesight_jobs::batch::{Claim, ManifestLine, RowIds};
use tilesight_jobs::sheet::decode_text as decoded_text;
use tilesight_vision::contract::TableRequest;
use utoipa::ToSchema;

use super::{Intake, MAX_NAME_LENGTH, clean_name};
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::input::upload::{OtherJson, decode_photo, others_of_list};

/// Row of a job: its id, and the photo by its name or by its content.
#[derive(Debug)]
pub(super) struct PhotoEntry<P> {
    pub(super) id: String,
    pub(super) table: TableRequest<P>,
}

photo_json! {
    /// Line with a photo.
    #[derive(Debug, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields, expecting = "an object with `photo`")]
    pub(in crate::routes::jobs) struct PhotoLine {
        /// Unique id of the photo's row.
        #[serde(default)]
        custom_id: Option<String>,
        /// Photo in base64, plain or as a data URL.
        #[schema(content_encoding = "base64", content_media_type = "image/*")]
        photo: String,
        /// Hands of the players who did not win, where the rules score every player.
        #[serde(default)]
        #[schema(value_type = Vec<OtherPhotoDto>, max_items = 3)]
        others: Vec<Object<OtherJson>>,
    }
}

impl Intake {
    pub(super) fn read_manifest(&mut self, text: &[u8]) -> Result<(), Failure> {
        if self.manifest.is_some() {
            return Err(Failure::invalid("manifest", &ServiceFault::TwoManifests));
        }
        let (text, _) = decoded_text(text).map_err(|error| Failure::invalid("manifest", &error))?;
        let lines = text.as_bytes().split(|&byte| byte == b'\n').filter(|line| !blank(line));
        let mut entries = Vec::new();
        let mut ids = RowIds::default();
        for (at, line) in lines.enumerate() {
            let named = ManifestLine::parse(line, &self.settings.book)
                .map_err(|problem| in_line(at, problem))?;
            not_corrected(&named).map_err(|problem| in_line(at, problem))?;
            let custom_id = named.custom_id.clone();
            let table =
                named.table().try_map_photos(|file, _| Ok::<_, Infallible>(clean_name(&file, at)));
            let Ok(table) = table;
            let id = custom_id.unwrap_or_else(|| table.photo.clone());
            unique(at, &id, &mut ids)?;
            entries.push(PhotoEntry { id, table });
            self.check_photo_count(entries.len())?;
        }
        self.manifest = Some(entries);
        Ok(())
    }

    /// Reads a body of lines with photos.
    pub(super) async fn read_lines(&mut self, mut body: Body) -> Result<(), Failure> {
        // Base64 turns three bytes into four characters.
        let max_length = self.decode.bytes / 3 * 4 + ScoreRequest::MAX_BYTES;
        let mut line = Vec::new();
        let mut ids = RowIds::default();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| self.broken(error))?;
            let Ok(mut data) = frame.into_data() else { continue };
            while let Some(end) = data.iter().position(|&byte| byte == b'\n') {
                line.extend_from_slice(&data.split_to(end + 1));
                self.read_line(std::mem::take(&mut line), &mut ids).await?;
            }
            line.extend_from_slice(&data);
            if line.len() > max_length {
                let at = format!("lines[{}]", self.inline.len());
                let error =
                    FieldError::from_message(at, &RequestFault::LineTooLong { max: max_length });
                return Err(Problem::with_errors(ProblemKind::TooLarge, vec![error]).into());
            }
        }
        self.read_line(line, &mut ids).await
    }

    async fn read_line(&mut self, line: Vec<u8>, ids: &mut RowIds) -> Result<(), Failure> {
        if blank(&line) {
            return Ok(());
        }
        let at = self.inline.len();
        let mut read: PhotoLine = read_json(&line, "").map_err(|problem| in_line(at, problem))?;
        drop(line);
        let fields = read.photo_fields();
        check_named(
            &self.settings.book,
            &fields.scoring.context,
            fields.scoring.rulesets.as_deref(),
        )
        .map_err(|problem| in_line(at, problem))?;
        RegionDto::check(fields.region.as_ref()).map_err(|problem| in_line(at, problem))?;
        let photo =
            decode_photo(&read.photo, "photo").map_err(|failure| failure_in_line(at, failure))?;
        let others = others_of_list(read.others).map_err(|failure| failure_in_line(at, failure))?;
        let id = match read.custom_id {
            Some(id) => {
                unique(at, &id, ids)?;
                id
            }
            None => ids.free(&format!("photo-{at}")),
        };
        let table = TableRequest { fields, others, ..TableRequest::from_photo(photo) };
        let (rest, photos) = table.take_photos();
        let mut stored = Vec::with_capacity(photos.len());
        for (photo, _) in photos {
            stored.push(self.store_photo(photo).await?);
        }
        self.inline_photos += stored.len();
        self.inline.push(PhotoEntry { id, table: rest.with_photos(stored) });
        self.check_photo_count(self.inline_photos)
    }

    /// Returns the failure of a body that ended early or became too large.
    pub(super) fn broken(&self, error: axum::Error) -> Failure {
        let error = error.into_inner();
        match error.downcast_ref::<http_body_util::LengthLimitError>() {
            Some(_) => Failure::TooLarge { limit: self.max.bytes },
            None => Failure::invalid("body", &ServiceFault::EarlyEnd),
        }
    }
}

fn blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// Refuses an invalid row name, and a repeated one.
fn unique(at: usize, id: &str, ids: &mut RowIds) -> Result<(), Failure> {
    let is_usable =
        !id.is_empty() && unprintable(id).is_none() && id.chars().count() <= MAX_NAME_LENGTH;
    let fault = if !is_usable {
        ServiceFault::RowName { max: MAX_NAME_LENGTH }
    } else if ids.claim(id, b"") != Claim::New {
        ServiceFault::RowNameTwice { name: id.to_owned() }
    } else {
        return Ok(());
    };
    Err(Failure::invalid(&format!("lines[{at}].custom_id"), &fault))
}

fn failure_in_line(at: usize, failure: Failure) -> Failure {
    match failure {
        Failure::Problem(problem) => in_line(at, problem),
        failure => failure,
    }
}

/// Returns the failure for a problem with the line's index added.
fn in_line<K: Kind>(at: usize, problem: Problem<K>) -> Failure
where
    Failure: From<Problem<K>>,
{
    let line = format!("lines[{at}]");
    let is_about_a_field = !problem.errors.is_empty();
    if is_about_a_field { problem.prefix_fields(&line) } else { problem.about(&line) }.into()
}
/// Refuses corrections in a manifest: a job only reads photos, and `tilesight batch` has a file for
/// corrections.
fn not_corrected(named: &ManifestLine) -> Result<(), Problem> {
    let said = serde_json::to_value(named.correction()).unwrap_or_default();
    let Some(field) = said.as_object().and_then(|said| said.keys().next()) else { return Ok(()) };
    let errors = vec![FieldError::from_message(field.clone(), &ServiceFault::NoCorrections)];
    Err(Problem::with_errors(ProblemKind::MalformedRequest, errors))
}
