//! Requests about photos.
//!
//! Input: the options of the reading as JSON, and the bytes of a photo, or pixels. Output: the JSON
//! of the contract, full or compact. Invariant: the reader, with its networks, is the caller's.

use serde::Deserialize;
use tilesight_core::contract::{
    ContextDto, FieldError, FocusDto, Problem, ProblemKind, RegionDto, Scoring, ScoringRulesets,
    SetChoice, check_rulesets, read_json,
};
use tilesight_core::explain::{Lang, Message};
use tilesight_core::rules::{Book, RulesetId};
use tilesight_stills::jpeg_preview;
use tilesight_vision::contract::{AnswerDto, AnswersRequest, CompactAnswerDto, Detail};
use tilesight_vision::geometry::Point;
use tilesight_vision::geometry::polygon::Polygon;
use tilesight_vision::sets::OwnSet;
use tilesight_vision::{
    DecodeLimits, Photo, ReadError, ReadOptions, Reader, TableReading, TogetherError,
};

use crate::engine::{Answer, Engine, to_json};

/// Options of a reading.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct PhotoRequest {
    context: ContextDto,
    rulesets: Option<Vec<RulesetId>>,
    focus: Option<FocusDto>,
    region: Option<RegionDto>,
    /// Own set that the tiles are named with; of `sets`.
    set: Option<SetChoice>,
    /// Files of own sets, besides those of the reader.
    sets: Vec<String>,
    detail: Detail,
    /// Width and height of RGBA pixels, if the request contains pixels instead of a file.
    pixels: Option<(u32, u32)>,
    /// Sizes in bytes of several photos of one hand, which follow one after the other.
    photos: Option<Vec<usize>>,
}

/// Reads a photo, or several of one hand, which follow one after the other. `options` is JSON.
///
/// # Errors
/// Like the HTTP service: faults of the photo, the win context or the request.
pub fn read(engine: &Engine, reader: &Reader, options: &[u8], photo: &[u8], lang: Lang) -> Answer {
    let options: PhotoRequest = read_json(options, "")?;
    let detail = options.detail;
    let answer = match options.sets.as_slice() {
        [] => options.read(reader, engine.book(), photo, lang),
        sets => {
            let reader = with_sets(reader.clone(), sets)?;
            options.read(&reader, engine.book(), photo, lang)
        }
    }?;
    match detail {
        Detail::Full => to_json(&answer),
        Detail::Compact => to_json(&CompactAnswerDto::from(answer)),
    }
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

impl PhotoRequest {
    fn read(
        self,
        reader: &Reader,
        book: &Book,
        photo: &[u8],
        lang: Lang,
    ) -> Result<AnswerDto, Problem> {
        check_rulesets(self.rulesets.as_deref())?;
        let scoring = Scoring { context: self.context, rulesets: self.rulesets };
        let ScoringRulesets { one: ruleset, all: rulesets } = scoring.find(book)?;
        RegionDto::check(self.region.as_ref())?;
        let options = ReadOptions {
            ruleset: ruleset.clone(),
            focus: self.focus.map(Point::from),
            region: self.region.as_ref().map(Polygon::from),
            set: self.set,
        };
        let context = &scoring.context.setup;
        let reading = match (self.pixels, self.photos) {
            (Some(size), _) => Photo::from_rgba(size, photo, reader.limits())
                .map_err(ReadError::from)
                .and_then(|photo| reader.read_pixels(photo, context, options))
                .map_err(|error| Problem::from(&error)),
            (None, None) => {
                reader.read(photo, context, options).map_err(|error| Problem::from(&error))
            }
            (None, Some(lengths)) => reader
                .read_together(&cut(photo, &lengths)?, context, options)
                .map_err(|error| problem_of(&error)),
        }?;
        let (timings, manifest) = (reading.timings.clone(), reader.model().manifest());
        let table = TableReading::settle(ruleset, reading, Vec::new(), Vec::new());
        Ok(AnswerDto::from_table(&table, rulesets.as_deref(), manifest, &timings, lang))
    }
}

/// Splits consecutive files by their sizes.
pub(crate) fn cut<'a>(mut bytes: &'a [u8], lengths: &[usize]) -> Result<Vec<&'a [u8]>, Problem> {
    let mut next = |&length: &usize| {
        let (photo, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        Some(photo)
    };
    let photos = lengths.iter().map(&mut next).collect::<Option<Vec<_>>>();
    photos.ok_or_else(|| Problem::new(ProblemKind::MalformedRequest, "a file is cut short"))
}

/// Returns the problem of a reading of several photos. A fault of one photo names the photo's
/// index.
fn problem_of(error: &TogetherError) -> Problem {
    match error {
        TogetherError::Hand(error) => Problem::from(error),
        TogetherError::Photo { at, error } => {
            let problem = Problem::from(error);
            let field = format!("photos[{at}]");
            let errors = vec![FieldError { field, detail: problem.detail, character: None }];
            Problem::with_errors(problem.kind, errors)
        }
        error => Problem::new(ProblemKind::MalformedRequest, error.to_string()),
    }
}

/// Returns a reader with own sets, given as the texts of their files.
///
/// # Errors
/// A [`Problem`] with the reason why a file is not a set, or can't be used.
pub fn with_sets(reader: Reader, files: &[String]) -> Result<Reader, Problem> {
    let sets = files.iter().map(|file| OwnSet::from_bytes(file.as_bytes()));
    let sets = sets.collect::<Result<Vec<_>, _>>().map_err(|error| malformed(&error))?;
    reader.with_sets(sets).map_err(|error| malformed(&error))
}

/// Returns the problem of input that the host can correct.
#[must_use]
pub fn malformed(error: &impl Message) -> Problem {
    Problem::from_message(ProblemKind::MalformedRequest, error)
}
