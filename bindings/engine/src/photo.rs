//! Requests about photos.
//!
//! Input: the options of the reading as JSON, and the bytes of a photo, or pixels. Output: the JSON
//! of the contract, full or compact. Invariant: the reader, with its networks, is the caller's.

use serde::Deserialize;
use tilesight_core::contract::{
    PhotoFields, Problem, ProblemKind, RequestFault, Scoring, check_rulesets, read_json,
};
use tilesight_core::explain::{Lang, Message};
use tilesight_core::photo_json;
use tilesight_core::rules::Book;
use tilesight_stills::jpeg_preview;
use tilesight_vision::contract::{
    AnswerDto, AnswersRequest, CompactAnswerDto, Detail, HandPlan, TablePlan, TableRequest,
};
use tilesight_vision::sets::OwnSet;
use tilesight_vision::{DecodeLimits, Photo, ReadError, Reader, TableReader, TableReading};
use utoipa::ToSchema;

use crate::engine::{Answer, Engine, to_json};

photo_json! {
    /// Options of a reading.
    #[derive(Debug, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    struct PhotoRequest {
        /// Files of own sets, besides those of the reader.
        #[serde(default)]
        sets: Vec<String>,
        #[serde(default)]
        detail: Detail,
        /// Width and height of RGBA pixels, if the request contains pixels instead of a file.
        pixels: Option<(u32, u32)>,
        /// Sizes in bytes of several photos of one hand, which follow one after the other.
        photos: Option<Vec<usize>>,
    }
}

/// Reads a photo, or several of one hand, which follow one after the other. `options` is JSON.
///
/// # Errors
/// Like the HTTP service: faults of the photo, the win context or the request.
pub fn read(engine: &Engine, reader: &Reader, options: &[u8], photo: &[u8], lang: Lang) -> Answer {
    let mut request: PhotoRequest = read_json(options, "")?;
    let with_sets = match request.sets.as_slice() {
        [] => None,
        sets => Some(with_sets(reader.clone(), sets)?),
    };
    let reader = with_sets.as_ref().unwrap_or(reader);
    let fields = request.photo_fields();
    let answer = read_fields(reader, engine.book(), fields, &request, photo, lang)?;
    match request.detail {
        Detail::Full => to_json(&answer),
        Detail::Compact => to_json(&CompactAnswerDto::from(answer)),
    }
}

fn read_fields(
    reader: &Reader,
    book: &Book,
    fields: PhotoFields,
    request: &PhotoRequest,
    photo: &[u8],
    lang: Lang,
) -> Result<AnswerDto, Problem> {
    check_rulesets(fields.scoring.rulesets.as_deref())?;
    let files = match &request.photos {
        Some(lengths) => cut(photo, lengths)?,
        None => vec![photo],
    };
    let mut photos = files.into_iter();
    let photo = photos.next().ok_or_else(|| {
        Problem::for_field(ProblemKind::MalformedRequest, "photo", &RequestFault::EmptyPhoto)
    })?;
    let table = TableRequest { photo, more: photos.collect(), fields, others: Vec::new() };
    let mut plan = table.plan(book)?;
    let rulesets = plan.rulesets.take();
    let table = match request.pixels {
        Some(size) => read_pixels(reader, plan, size)?,
        None => {
            let mut table = TableReader::new(plan);
            table.read_all(reader).map_err(|error| Problem::from(&error))?;
            table.settle().expect("the winner's hand is read first")
        }
    };
    let timings = table.winner.timings.clone();
    let manifest = reader.model().manifest();
    Ok(AnswerDto::from_table(&table, rulesets.as_deref(), manifest, &timings, lang))
}

/// Reads a hand in RGBA pixels.
fn read_pixels(
    reader: &Reader,
    plan: TablePlan<&[u8]>,
    size: (u32, u32),
) -> Result<TableReading, Problem> {
    let TablePlan { ruleset, winner: HandPlan { photos, context, options, .. }, .. } = plan;
    let reading = Photo::from_rgba(size, photos[0], reader.limits())
        .map_err(ReadError::from)
        .and_then(|photo| reader.read_pixels(photo, &context, options))
        .map_err(|error| Problem::from(&error))?;
    Ok(TableReading::settle(ruleset, reading, Vec::new(), Vec::new()))
}

/// Applies answers to the doubts of a reading.
///
/// # Errors
/// Like the HTTP service: a hand or a context that can't be read, or an answer that its doubt does
/// not offer.
pub fn answers(engine: &Engine, request: &[u8], lang: Lang) -> Answer {
    let request = AnswersRequest::from_json(request)?;
    let scoring = request.scoring(Scoring::default())?;
    let rulesets = scoring.find(engine.book())?;
    let answered = request.answer(&scoring.context, &rulesets, lang)?;
    to_json(&request.cut(answered, request.detail.unwrap_or_default()))
}

/// Converts a photo to an upright JPEG, for browsers that can't show the photo itself.
///
/// # Errors
/// A [`Problem`] with the fault of the photo.
pub fn jpeg(photo: &[u8]) -> Answer {
    let jpeg = jpeg_preview(photo, &DecodeLimits::default());
    jpeg.map_err(|error| Problem::from(&ReadError::from(error)))
}

/// Splits consecutive files by their sizes.
pub(crate) fn cut<'a>(mut bytes: &'a [u8], lengths: &[usize]) -> Result<Vec<&'a [u8]>, Problem> {
    let mut files = Vec::with_capacity(lengths.len());
    for &length in lengths {
        let Some((file, rest)) = bytes.split_at_checked(length) else {
            return Err(Problem::new(ProblemKind::MalformedRequest, "a file is cut short"));
        };
        files.push(file);
        bytes = rest;
    }
    Ok(files)
}

/// Returns a reader with own sets, given as the texts of their files.
///
/// # Errors
/// A [`Problem`] with the reason why a file is not a set, or can't be used.
pub fn with_sets(reader: Reader, files: &[String]) -> Result<Reader, Problem> {
    let sets = files
        .iter()
        .map(|file| OwnSet::from_bytes(file.as_bytes()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| malformed(&error))?;
    reader.with_sets(sets).map_err(|error| malformed(&error))
}

/// Returns the problem of input that the host can correct.
#[must_use]
pub fn malformed(error: &impl Message) -> Problem {
    Problem::from_message(ProblemKind::MalformedRequest, error)
}
