//! Errors in the form of RFC 9457 (`application/problem+json`).
//!
//! Every error of the library becomes a [`Problem`] in this module, so that the same mistake has
//! the same `type` and status in every front end. Types are stable; titles and details are for
//! people, in the requested language ([`Problem::translate`]), and may change. No problem reveals a
//! path or a stack trace of the server.

use std::fmt;

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::context::ContextError;
use crate::explain::{Lang, Message, Wording};
use crate::hand::HandError;
use crate::notation::{Notation, NotationError};
use crate::rules::RulesError;

use super::json_fault::{self, FaultAt};
use super::object::Object;
use crate::texts::{self, problem_title as title};

/// Properties that all problems of a kind share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The `type`: a name that never changes, not a page to fetch.
    pub uri: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// Short summary in each language, in the order of [`Lang::ALL`].
    pub titles: [&'static str; Lang::COUNT],
}

/// Kinds of problems of one part of the program.
pub trait Kind: Copy + 'static {
    /// Every kind.
    const ALL: &'static [Self];

    /// Returns the properties of all problems of the kind.
    fn facts(self) -> Facts;
}

/// Kinds of problems that every front end has. The HTTP service adds its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The request is not JSON, or not of the expected shape.
    MalformedRequest,
    /// The picture is broken, or not a picture.
    UnreadableImage,
    /// A named resource does not exist.
    NotFound,
    /// An entry of a game is impossible.
    InvalidEntry,
    /// An entry of a series is impossible.
    InvalidSeries,
    /// The game accepts no more deals.
    GameOver,
    /// The body or the picture exceeds a limit.
    TooLarge,
    /// The picture's format is not supported.
    UnsupportedMedia,
    /// The text of a hand doesn't follow the notation.
    UnreadableNotation,
    /// The tiles can't be a hand.
    InvalidHand,
    /// The win context contradicts itself or the hand.
    InvalidContext,
    /// The tiles do not form a winning hand.
    NotAWin,
    /// No hand was found in the picture.
    NoHand,
    /// An error of the program that the client can't correct.
    Internal,
}

impl ProblemKind {
    /// Returns the `type`: a name that never changes, not a page to fetch.
    #[must_use]
    pub fn uri(self) -> &'static str {
        self.facts().uri
    }

    /// Returns the HTTP status.
    #[must_use]
    pub fn status(self) -> u16 {
        self.facts().status
    }

    /// Returns a short summary in English, the same for every problem of this kind.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.facts().titles[0]
    }
}

impl Kind for ProblemKind {
    const ALL: &'static [ProblemKind] = &[
        ProblemKind::MalformedRequest,
        ProblemKind::UnreadableImage,
        ProblemKind::NotFound,
        ProblemKind::InvalidEntry,
        ProblemKind::InvalidSeries,
        ProblemKind::GameOver,
        ProblemKind::TooLarge,
        ProblemKind::UnsupportedMedia,
        ProblemKind::UnreadableNotation,
        ProblemKind::InvalidHand,
        ProblemKind::InvalidContext,
        ProblemKind::NotAWin,
        ProblemKind::NoHand,
        ProblemKind::Internal,
    ];

    fn facts(self) -> Facts {
        let (uri, status, title): (_, _, fn(Lang) -> &'static str) = match self {
            Self::MalformedRequest => {
                ("urn:tilesight:problem:malformed-request", 400, title::malformed_request)
            }
            Self::UnreadableImage => {
                ("urn:tilesight:problem:unreadable-image", 400, title::unreadable_image)
            }
            Self::NotFound => ("urn:tilesight:problem:not-found", 404, title::not_found),
            Self::InvalidEntry => {
                ("urn:tilesight:problem:invalid-entry", 422, title::invalid_entry)
            }
            Self::InvalidSeries => {
                ("urn:tilesight:problem:invalid-series", 422, title::invalid_series)
            }
            Self::GameOver => ("urn:tilesight:problem:game-over", 409, title::game_over),
            Self::TooLarge => ("urn:tilesight:problem:too-large", 413, title::too_large),
            Self::UnsupportedMedia => {
                ("urn:tilesight:problem:unsupported-media", 415, title::unsupported_media)
            }
            Self::UnreadableNotation => {
                ("urn:tilesight:problem:unreadable-notation", 422, title::unreadable_notation)
            }
            Self::InvalidHand => ("urn:tilesight:problem:invalid-hand", 422, title::invalid_hand),
            Self::InvalidContext => {
                ("urn:tilesight:problem:invalid-context", 422, title::invalid_context)
            }
            Self::NotAWin => ("urn:tilesight:problem:not-a-win", 422, title::not_a_win),
            Self::NoHand => ("urn:tilesight:problem:no-hand", 422, title::no_hand),
            Self::Internal => ("urn:tilesight:problem:internal", 500, title::internal),
        };
        Facts { uri, status, titles: Lang::ALL.map(title) }
    }
}

/// A field that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct FieldError {
    /// Path of the field, such as `hand.melds[1].tiles`.
    pub field: String,
    /// Description of the fault.
    #[schema(value_type = String)]
    pub detail: Wording,
    /// For a text, the position of the character that is wrong, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<usize>,
    /// For a text, what it says before that character, in notation; empty if that is nothing yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub understood: Option<String>,
}

impl FieldError {
    /// Creates an error from a field and an English description. Long quotes of client input are
    /// shortened.
    pub fn new(field: impl Into<String>, detail: impl fmt::Display) -> FieldError {
        FieldError::with(field, Wording::from(detail.to_string()))
    }

    /// Like [`FieldError::new`], with a description in every language.
    pub fn from_message(field: impl Into<String>, detail: &(impl Message + ?Sized)) -> FieldError {
        FieldError::with(field, Wording::from_message(detail))
    }

    fn with(field: impl Into<String>, detail: Wording) -> FieldError {
        FieldError {
            field: shorten(field.into()),
            detail: detail.map(shorten),
            character: None,
            understood: None,
        }
    }

    /// Creates the error of a text that is not a hand, with what was understood of it.
    #[must_use]
    pub fn from_notation(text: &str, error: &NotationError) -> FieldError {
        let at = error.position();
        FieldError {
            character: Some(at.column + 1),
            understood: Some(shorten(Notation::read_before(text, at).to_string())),
            ..FieldError::from_message("hand", error)
        }
    }

    fn translate(self, lang: Lang) -> FieldError {
        FieldError { detail: self.detail.text(lang).into(), ..self }
    }
}

/// A problem: its kind, a description of this occurrence, and the wrong fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Problem<K = ProblemKind> {
    /// Kind of the problem.
    pub kind: K,
    /// Description of the problem, for people.
    pub detail: Wording,
    /// Wrong fields, at most a screenful; empty if the problem is not about a field.
    pub errors: Vec<FieldError>,
    /// Number of further wrong fields that are not listed.
    pub unlisted: usize,
    /// Tiles that a photo without a hand shows, if the problem is about one.
    pub seen: Option<Box<SeenInPhotoDto>>,
    /// Language of the texts.
    lang: Lang,
}

/// Tiles that a photo shows in which no hand was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = SeenInPhoto)]
pub struct SeenInPhotoDto {
    /// Width of the upright photo in pixels.
    pub width: u32,
    /// Height of the upright photo in pixels.
    pub height: u32,
    /// Number of tiles that the photo shows.
    pub count: usize,
    /// The tiles, at most a screenful.
    pub tiles: Vec<TileInPhotoDto>,
}

/// A tile that a photo shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = TileInPhoto)]
pub struct TileInPhotoDto {
    /// Code of the tile, `back`, or `none` if it is not a face.
    pub tile: String,
    /// Box around the tile in whole pixels: left, top, right and bottom edge.
    #[serde(rename = "box")]
    pub bounds: [u32; 4],
}

/// Maximum number of tiles that a problem lists: those of a wall.
const MAX_SEEN: usize = 36;

/// Maximum number of fields that a problem lists: a screenful. The size of an answer must not grow
/// with the size of the request.
const LISTED: usize = 16;

/// Maximum number of characters of a name or description. This suffices for every sentence of the
/// program with all the names that it lists, but not for arbitrarily long quotes of client input.
const MAX_DETAIL: usize = 400;

/// Returns only the beginning and the end of a text that is too long.
fn shorten(text: String) -> String {
    let length = text.chars().count();
    if length <= MAX_DETAIL {
        return text;
    }
    let beginning = text.chars().take(MAX_DETAIL / 2);
    let end = text.chars().skip(length - MAX_DETAIL / 2);
    beginning.chain(" … ".chars()).chain(end).collect()
}

impl<K: Kind> Problem<K> {
    /// Creates a problem that is not about a field, in English.
    pub fn new(kind: K, detail: impl Into<String>) -> Problem<K> {
        Problem::with(kind, Wording::from(detail.into()))
    }

    /// Like [`Problem::new`], with a description in every language.
    pub fn from_message(kind: K, detail: &(impl Message + ?Sized)) -> Problem<K> {
        Problem::with(kind, Wording::from_message(detail))
    }

    fn with(kind: K, detail: Wording) -> Problem<K> {
        let detail = detail.map(shorten);
        Problem { kind, detail, errors: Vec::new(), unlisted: 0, seen: None, lang: Lang::En }
    }

    /// Creates a problem with fields. Its description names the first field and the number of
    /// further ones.
    #[must_use]
    pub fn with_errors(kind: K, mut errors: Vec<FieldError>) -> Problem<K> {
        let detail = match errors.as_slice() {
            [] => Wording::new(|lang| kind.facts().titles[lang as usize].to_owned()),
            [first, more @ ..] => Wording::new(|lang| first_of(first, more.len(), lang)),
        };
        let unlisted = errors.len().saturating_sub(LISTED);
        errors.truncate(LISTED);
        Problem { errors, unlisted, ..Problem::with(kind, detail) }
    }

    /// Creates a problem about one field.
    pub fn for_field(
        kind: K,
        field: impl Into<String>,
        detail: &(impl Message + ?Sized),
    ) -> Problem<K> {
        Problem::with_errors(kind, vec![FieldError::from_message(field, detail)])
    }

    /// Returns this problem as one of a part of a request: the part's name is put before the name
    /// of every field.
    #[must_use]
    pub fn prefix_fields(self, part: &str) -> Problem<K> {
        let errors = self
            .errors
            .into_iter()
            .map(|error| FieldError { field: format!("{part}.{}", error.field), ..error });
        let unlisted = self.unlisted;
        Problem { unlisted, ..Problem::with_errors(self.kind, errors.collect()) }
    }

    /// Returns this problem as one of a part that was sent, if it names no field itself.
    #[must_use]
    pub fn about(self, part: &str) -> Problem<K> {
        if !self.errors.is_empty() {
            return self;
        }
        let errors = vec![FieldError::with(part, self.detail)];
        Problem { seen: self.seen, ..Problem::with_errors(self.kind, errors) }
    }

    /// Returns this problem with the tiles that the photo shows.
    #[must_use]
    pub fn with_seen(self, mut seen: SeenInPhotoDto) -> Problem<K> {
        seen.tiles.truncate(MAX_SEEN);
        Problem { seen: Some(Box::new(seen)), ..self }
    }

    /// Returns this problem with another description.
    #[must_use]
    pub(crate) fn with_detail(self, detail: Wording) -> Problem<K> {
        Problem { detail: detail.map(shorten), ..self }
    }

    /// Returns this problem in a language: title, description and the faults of the fields. Texts
    /// without a translation, such as messages of a parser library, stay in English.
    #[must_use]
    pub fn translate(self, lang: Lang) -> Problem<K> {
        let detail = self.detail.text(lang).into();
        let errors = self.errors.into_iter().map(|error| error.translate(lang)).collect();
        Problem { detail, errors, lang, ..self }
    }

    /// Returns this problem with its kind converted to that of another part of the program.
    #[must_use]
    pub fn into_kind<L: From<K>>(self) -> Problem<L> {
        let Problem { kind, detail, errors, unlisted, seen, lang } = self;
        Problem { kind: kind.into(), detail, errors, unlisted, seen, lang }
    }

    /// Returns the language of the texts.
    #[must_use]
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// Returns the short summary of its kind.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.kind.facts().titles[self.lang as usize]
    }
}

/// Returns the first wrong field and the number of further ones.
fn first_of(first: &FieldError, more: usize, lang: Lang) -> String {
    let first = format!("{}: {}", first.field, first.detail.text(lang));
    if more == 0 { first } else { texts::problem::and_more(lang, first, more) }
}

/// Returns the text without a byte order mark, which some editors put before UTF-8.
#[must_use]
pub fn strip_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Reads one JSON object. `root` names the value in the paths of errors; it is empty for a whole
/// request.
///
/// # Errors
/// A [`Problem`] with the first field that has the wrong shape.
pub fn read_json<T: DeserializeOwned>(json: &[u8], root: &str) -> Result<T, Problem> {
    read_value(json, root).map(|Object(value)| value)
}

/// Like [`read_json`], for JSON that may be a list.
pub fn read_value<T: DeserializeOwned>(json: &[u8], root: &str) -> Result<T, Problem> {
    json_fault::read(strip_bom(json), root).map_err(|FaultAt { path, fault }| {
        let kind = ProblemKind::MalformedRequest;
        if path.is_empty() {
            return Problem::from_message(kind, &fault);
        }
        Problem::for_field(kind, path, &fault)
    })
}

impl Problem {
    /// Creates the problem of a text that is not a hand.
    #[must_use]
    pub fn from_notation(text: &str, error: &NotationError) -> Problem {
        let errors = vec![FieldError::from_notation(text, error)];
        Problem::with_errors(ProblemKind::UnreadableNotation, errors)
    }
}

/// Returns every reason why a hand is not legal, by field.
#[must_use]
pub fn hand_faults(error: &HandError) -> Vec<FieldError> {
    let faults = error.faults.iter();
    faults.map(|fault| FieldError::from_message(format!("hand.{}", fault.field()), fault)).collect()
}

impl From<&ContextError> for FieldError {
    fn from(error: &ContextError) -> FieldError {
        FieldError::from_message(format!("context.{}", error.field()), error)
    }
}

impl From<&RulesError> for Problem {
    fn from(error: &RulesError) -> Problem {
        match error {
            RulesError::NotAWin => Problem::from_message(ProblemKind::NotAWin, error),
            RulesError::WrongSize(fault) => {
                let field = format!("hand.{}", fault.field());
                Problem::for_field(ProblemKind::InvalidHand, field, fault)
            }
            RulesError::FlowersNotPlayed { .. } => {
                Problem::for_field(ProblemKind::InvalidHand, "hand.flowers", error)
            }
            RulesError::TileNotPlayed { .. } | RulesError::TooManyReds { .. } => {
                Problem::for_field(ProblemKind::InvalidHand, "hand", error)
            }
            RulesError::ChowNotCallable => {
                Problem::for_field(ProblemKind::InvalidHand, "hand.melds", error)
            }
            RulesError::Contradictions(all) => {
                let fields = all.iter().map(|contradiction| {
                    FieldError::from_message(
                        format!("context.{}", contradiction.field()),
                        contradiction,
                    )
                });
                Problem::with_errors(ProblemKind::InvalidContext, fields.collect())
            }
        }
    }
}

impl<K: Kind> Serialize for Problem<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Problem", 7)?;
        object.serialize_field("type", self.kind.facts().uri)?;
        object.serialize_field("title", self.title())?;
        object.serialize_field("status", &self.kind.facts().status)?;
        object.serialize_field("detail", &self.detail)?;
        if self.errors.is_empty() {
            object.skip_field("errors")?;
        } else {
            object.serialize_field("errors", &self.errors)?;
        }
        if self.unlisted == 0 {
            object.skip_field("unlisted")?;
        } else {
            object.serialize_field("unlisted", &self.unlisted)?;
        }
        match &self.seen {
            Some(seen) => object.serialize_field("seen", seen)?,
            None => object.skip_field("seen")?,
        }
        object.end()
    }
}

/// A problem as it was sent. The status follows from its `type`.
#[derive(Deserialize)]
struct ProblemDto {
    #[serde(rename = "type")]
    uri: String,
    #[serde(default)]
    title: String,
    detail: Wording,
    #[serde(default)]
    errors: Vec<FieldError>,
    #[serde(default)]
    unlisted: usize,
    #[serde(default)]
    seen: Option<Box<SeenInPhotoDto>>,
}

impl<'de, K: Kind + 'static> Deserialize<'de> for Problem<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Problem<K>, D::Error> {
        let ProblemDto { uri, title, detail, errors, unlisted, seen } =
            ProblemDto::deserialize(deserializer)?;
        let kind = K::ALL
            .iter()
            .copied()
            .find(|kind| kind.facts().uri == uri)
            .ok_or_else(|| D::Error::custom("an unknown type of problem"))?;
        let at = kind.facts().titles.iter().position(|known| *known == title);
        let lang = Lang::ALL[at.unwrap_or_default()];
        Ok(Problem { kind, detail, errors, unlisted, seen, lang })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::hand::HandFault;

    #[test]
    fn types_are_different_and_statuses_are_errors() {
        let uris: HashSet<_> = ProblemKind::ALL.iter().map(|kind| kind.uri()).collect();
        for kind in ProblemKind::ALL {
            assert_eq!(HashSet::from(kind.facts().titles).len(), Lang::COUNT, "{kind:?}");
        }
        assert_eq!(uris.len(), ProblemKind::ALL.len());
        assert!(ProblemKind::ALL.iter().all(|kind| (400..600).contains(&kind.status())));
    }

    #[test]
    fn a_problem_has_the_members_of_the_rfc() {
        let errors = vec![FieldError::new("hand.concealed[0]", "no tile")];
        let problem = Problem::with_errors(ProblemKind::InvalidHand, errors);
        let expected = serde_json::json!({
            "type": "urn:tilesight:problem:invalid-hand",
            "title": "These tiles can't be a hand",
            "status": 422,
            "detail": "hand.concealed[0]: no tile",
            "errors": [{ "field": "hand.concealed[0]", "detail": "no tile" }],
        });
        assert_eq!(serde_json::to_value(&problem).expect("no map keys"), expected);
        assert_eq!(serde_json::from_value::<Problem>(expected).expect("reads back"), problem);
        assert_eq!(problem.unlisted, 0);
        let plain = Problem::new(ProblemKind::Internal, "x");
        let plain = serde_json::to_value(&plain).expect("no map keys");
        assert_eq!(plain.get("errors"), None);
    }
    #[test]
    fn a_problem_stays_small_whatever_was_sent() {
        let long = "é".repeat(1_000_000);
        let errors = vec![FieldError::new(long.clone(), &long); 1000];
        let problem = Problem::with_errors(ProblemKind::InvalidHand, errors);
        assert_eq!((problem.errors.len(), problem.unlisted), (LISTED, 1000 - LISTED));
        let json = serde_json::to_string(&problem).expect("no map keys");
        assert!(json.len() < 50_000, "{} bytes", json.len());
        assert!(problem.detail.ends_with("(and 999 more)"), "{}", problem.detail);
        assert!(Problem::new(ProblemKind::Internal, long).detail.len() < 1000);
    }

    #[test]
    fn sentences_are_not_shortened() {
        let sentence = "x".repeat(MAX_DETAIL);
        assert_eq!(FieldError::new("hand", &sentence).detail, sentence);
    }

    #[test]
    fn a_problem_is_said_in_the_language_that_is_asked_for() {
        let tile = "5m".parse().expect("a tile");
        let faults = [HandFault::NoWinningTile, HandFault::TooManyCopies { tile, found: 6 }];
        let errors =
            faults.map(|fault| FieldError::from_message(format!("hand.{}", fault.field()), &fault));
        let problem = Problem::with_errors(ProblemKind::InvalidHand, errors.into());
        let english = serde_json::to_value(&problem).expect("no map keys");
        assert_eq!(english["title"], "These tiles can't be a hand");
        assert_eq!(english["errors"][0]["detail"], "the winning tile is missing");
        let german = problem.clone().translate(Lang::De);
        let json = serde_json::to_value(&german).expect("no map keys");
        assert_eq!(json["title"], "Diese Ziegel können keine Hand sein");
        assert_eq!(json["detail"], "hand.winning_tile: der Schlussziegel fehlt (und 1 weitere)");
        assert_eq!(
            json["errors"][1]["detail"],
            "6 Exemplare von 5m: von jedem Ziegel gibt es vier"
        );
        for field in ["type", "status"] {
            assert_eq!(json[field], english[field], "{field} is for programs");
        }
        let back: Problem = serde_json::from_value(json.clone()).expect("reads back");
        assert_eq!(serde_json::to_value(&back).expect("no map keys"), json);
        assert_eq!(
            problem.translate(Lang::En),
            serde_json::from_value(english).expect("reads back")
        );
    }
}
