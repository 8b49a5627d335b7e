//! What went wrong, in the form of RFC 9457 (`application/problem+json`).
//!
//! Every error of the library becomes a [`Problem`] here, in one place, so that the same mistake
//! has the same `type` and status at every door. Types are stable; titles and details are for
//! people and may change. Nothing here names a path or a stack of this machine.

use std::fmt;

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::context::ContextError;
use crate::hand::HandError;
use crate::notation::NotationError;
use crate::rules::RulesError;

use super::object::Object;

/// The kinds of problems, each with a stable `type` and an HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The request is no JSON, or not of the expected shape.
    MalformedRequest,
    /// The picture is broken or no picture.
    UnreadableImage,
    /// The service asks for a key, and none that it knows was sent.
    Unauthorized,
    /// Whoever asks may not do this.
    Forbidden,
    /// There is nothing at this address.
    NotFound,
    /// The service keeps no feedback.
    FeedbackDisabled,
    /// The service takes no jobs.
    JobsDisabled,
    /// A request with the same idempotency key is still being answered.
    RequestInFlight,
    /// The idempotency key was used for another request.
    IdempotencyKeyReused,
    /// The service keeps no games.
    GamesDisabled,
    /// The game takes no more hands.
    GameOver,
    /// Somebody else changed the game since its author looked at it.
    GameChanged,
    /// The request has to say which revision of the game its author saw.
    PreconditionRequired,
    /// What was entered into a game can't be.
    InvalidEntry,
    /// The address does not know this method.
    MethodNotAllowed,
    /// The body took too long to arrive.
    RequestTimeout,
    /// The body or the picture exceeds a limit.
    TooLarge,
    /// The picture's format is not read.
    UnsupportedMedia,
    /// The service is asked by a name that is none of its own.
    MisdirectedRequest,
    /// The text of a hand doesn't follow the notation.
    UnreadableNotation,
    /// The tiles can't be a hand.
    InvalidHand,
    /// The circumstances contradict each other or the hand.
    InvalidContext,
    /// The tiles form no winning hand.
    NotAWin,
    /// No hand was found in the picture.
    NoHand,
    /// Whoever asks has sent, or keeps, as much as one may.
    TooManyRequests,
    /// The service may keep no more.
    InsufficientStorage,
    /// The service has too much to do or is shutting down.
    Unavailable,
    /// Something failed that the client can't mend.
    Internal,
}

impl ProblemKind {
    /// Every kind.
    pub const ALL: [ProblemKind; 28] = [
        ProblemKind::MalformedRequest,
        ProblemKind::UnreadableImage,
        ProblemKind::Unauthorized,
        ProblemKind::Forbidden,
        ProblemKind::NotFound,
        ProblemKind::FeedbackDisabled,
        ProblemKind::JobsDisabled,
        ProblemKind::RequestInFlight,
        ProblemKind::IdempotencyKeyReused,
        ProblemKind::GamesDisabled,
        ProblemKind::GameOver,
        ProblemKind::GameChanged,
        ProblemKind::PreconditionRequired,
        ProblemKind::InvalidEntry,
        ProblemKind::MethodNotAllowed,
        ProblemKind::RequestTimeout,
        ProblemKind::TooLarge,
        ProblemKind::UnsupportedMedia,
        ProblemKind::MisdirectedRequest,
        ProblemKind::UnreadableNotation,
        ProblemKind::InvalidHand,
        ProblemKind::InvalidContext,
        ProblemKind::NotAWin,
        ProblemKind::NoHand,
        ProblemKind::TooManyRequests,
        ProblemKind::InsufficientStorage,
        ProblemKind::Unavailable,
        ProblemKind::Internal,
    ];

    /// The `type`: a name that stays the same, not a page to fetch.
    #[must_use]
    pub const fn uri(self) -> &'static str {
        self.facts().0
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        self.facts().1
    }

    /// A short summary, the same for every problem of this kind.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.facts().2
    }

    const fn facts(self) -> (&'static str, u16, &'static str) {
        match self {
            Self::MalformedRequest => {
                ("urn:tilesight:problem:malformed-request", 400, "The request can't be read")
            }
            Self::UnreadableImage => {
                ("urn:tilesight:problem:unreadable-image", 400, "The picture can't be read")
            }
            Self::Unauthorized => {
                ("urn:tilesight:problem:unauthorized", 401, "The service asks for a key")
            }
            Self::Forbidden => ("urn:tilesight:problem:forbidden", 403, "This is not yours to do"),
            Self::FeedbackDisabled => {
                ("urn:tilesight:problem:feedback-disabled", 404, "No feedback is kept here")
            }
            Self::GamesDisabled => {
                ("urn:tilesight:problem:games-disabled", 404, "No games are kept here")
            }
            Self::GameOver => ("urn:tilesight:problem:game-over", 409, "The game is over"),
            Self::GameChanged => {
                ("urn:tilesight:problem:game-changed", 412, "The game was changed meanwhile")
            }
            Self::PreconditionRequired => (
                "urn:tilesight:problem:precondition-required",
                428,
                "The request has to name the revision it is about",
            ),
            Self::InvalidEntry => {
                ("urn:tilesight:problem:invalid-entry", 422, "This can't be entered into the game")
            }
            Self::JobsDisabled => {
                ("urn:tilesight:problem:jobs-disabled", 404, "No jobs are taken here")
            }
            Self::RequestInFlight => (
                "urn:tilesight:problem:request-in-flight",
                409,
                "The same request is still being answered",
            ),
            Self::IdempotencyKeyReused => (
                "urn:tilesight:problem:idempotency-key-reused",
                422,
                "The idempotency key belongs to another request",
            ),
            Self::TooManyRequests => {
                ("urn:tilesight:problem:too-many-requests", 429, "That is more than one may have")
            }
            Self::NotFound => ("urn:tilesight:problem:not-found", 404, "There is nothing here"),
            Self::MethodNotAllowed => {
                ("urn:tilesight:problem:method-not-allowed", 405, "This method is not used here")
            }
            Self::RequestTimeout => {
                ("urn:tilesight:problem:request-timeout", 408, "The request took too long")
            }
            Self::TooLarge => ("urn:tilesight:problem:too-large", 413, "The request is too large"),
            Self::UnsupportedMedia => {
                ("urn:tilesight:problem:unsupported-media", 415, "This format is not read")
            }
            Self::MisdirectedRequest => {
                ("urn:tilesight:problem:misdirected-request", 421, "The service has another name")
            }
            Self::UnreadableNotation => (
                "urn:tilesight:problem:unreadable-notation",
                422,
                "The text of the hand can't be read",
            ),
            Self::InvalidHand => {
                ("urn:tilesight:problem:invalid-hand", 422, "These tiles can't be a hand")
            }
            Self::InvalidContext => {
                ("urn:tilesight:problem:invalid-context", 422, "The circumstances contradict")
            }
            Self::NotAWin => {
                ("urn:tilesight:problem:not-a-win", 422, "These tiles form no winning hand")
            }
            Self::NoHand => ("urn:tilesight:problem:no-hand", 422, "No hand was found"),
            Self::InsufficientStorage => (
                "urn:tilesight:problem:insufficient-storage",
                507,
                "The service may keep no more at the moment",
            ),
            Self::Unavailable => {
                ("urn:tilesight:problem:unavailable", 503, "The service is busy at the moment")
            }
            Self::Internal => ("urn:tilesight:problem:internal", 500, "Something went wrong here"),
        }
    }
}

/// One field that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct FieldError {
    /// The field, such as `hand.melds[1].tiles`.
    pub field: String,
    /// What is wrong with it.
    pub detail: String,
    /// For a text, the character that is meant, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<usize>,
}

impl FieldError {
    /// A field and what is wrong with it. What quotes a client at length is shortened.
    pub fn new(field: impl Into<String>, detail: impl fmt::Display) -> FieldError {
        let (field, detail) = (shortened(field.into()), shortened(detail.to_string()));
        FieldError { field, detail, character: None }
    }
}

/// A problem: its kind, what happened this time, and the fields that are wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Problem {
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// What happened, for people.
    pub detail: String,
    /// The fields that are wrong, a screenful at the most; empty when it is about no field.
    pub errors: Vec<FieldError>,
    /// How many more fields are wrong.
    pub unlisted: usize,
}

/// Fields that a problem lists. Who gets more than a screenful of them mends the first and asks
/// again; and an answer must not grow with what a stranger sends.
const LISTED: usize = 16;

/// Characters of a name or detail that are told: enough for every sentence of this program with
/// all the names that could have stood there, but not for whatever a stranger puts between quotes.
const TOLD: usize = 400;

/// Such a text's beginning and end, in place of a text that is too long.
fn shortened(text: String) -> String {
    let length = text.chars().count();
    if length <= TOLD {
        return text;
    }
    let beginning = text.chars().take(TOLD / 2);
    let end = text.chars().skip(length - TOLD / 2);
    beginning.chain(" … ".chars()).chain(end).collect()
}

impl Problem {
    /// A problem that is about no field.
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Problem {
        Problem { kind, detail: shortened(detail.into()), errors: Vec::new(), unlisted: 0 }
    }

    /// The same about a part of a request: every field's name gets that of the part before it.
    #[must_use]
    pub(super) fn within(self, part: &str) -> Problem {
        let placed =
            |error: FieldError| FieldError { field: format!("{part}.{}", error.field), ..error };
        let errors = self.errors.into_iter().map(placed).collect();
        let unlisted = self.unlisted;
        Problem { unlisted, ..Problem::with_errors(self.kind, errors) }
    }

    /// The same about one of several parts that were sent, where it names no field itself.
    #[must_use]
    pub fn about(self, part: &str) -> Problem {
        if !self.errors.is_empty() {
            return self;
        }
        Problem::with_errors(self.kind, vec![FieldError::new(part, &self.detail)])
    }

    /// A problem with fields; its detail tells the first and how many more there are.
    #[must_use]
    pub fn with_errors(kind: ProblemKind, mut errors: Vec<FieldError>) -> Problem {
        let first = errors.first().map(|error| format!("{}: {}", error.field, error.detail));
        let detail = match (first, errors.len()) {
            (None, _) => kind.title().to_owned(),
            (Some(first), 1) => first,
            (Some(first), count) => format!("{first} (and {} more)", count - 1),
        };
        let unlisted = errors.len().saturating_sub(LISTED);
        errors.truncate(LISTED);
        Problem { kind, detail, errors, unlisted }
    }
}

/// The text without the mark that some editors put before UTF-8.
pub(crate) fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Reads one JSON object. `root` names the value in the paths of errors; it is empty for a whole
/// request.
pub(crate) fn read_json<T: DeserializeOwned>(json: &[u8], root: &str) -> Result<T, Problem> {
    read_value(json, root).map(|Object(value)| value)
}

/// The same for JSON that may be a list.
pub(crate) fn read_value<T: DeserializeOwned>(json: &[u8], root: &str) -> Result<T, Problem> {
    let kind = ProblemKind::MalformedRequest;
    let mut deserializer = serde_json::Deserializer::from_slice(without_bom(json));
    let value = serde_path_to_error::deserialize(&mut deserializer);
    let value = value.map_err(|error: serde_path_to_error::Error<serde_json::Error>| {
        // A `?` stands for the part that the text broke off in.
        let path = error.path().to_string();
        let path = match (root, path.trim_end_matches('?').trim_end_matches('.')) {
            (root, "") => root.to_owned(),
            ("", path) => path.to_owned(),
            (root, path) if path.starts_with('[') => format!("{root}{path}"),
            (root, path) => format!("{root}.{path}"),
        };
        if path.is_empty() {
            Problem::new(kind, error.inner().to_string())
        } else {
            Problem::with_errors(kind, vec![FieldError::new(path, error.inner())])
        }
    })?;
    deserializer.end().map_err(|error| Problem::new(kind, error.to_string()))?;
    Ok(value)
}

impl From<&NotationError> for FieldError {
    fn from(error: &NotationError) -> FieldError {
        FieldError { character: Some(error.at().column + 1), ..FieldError::new("hand", error) }
    }
}

impl From<&NotationError> for Problem {
    fn from(error: &NotationError) -> Problem {
        Problem::with_errors(ProblemKind::UnreadableNotation, vec![error.into()])
    }
}

/// Every reason why a hand is none, by field.
pub(super) fn faults(error: &HandError) -> Vec<FieldError> {
    let faults = error.faults.iter();
    faults.map(|fault| FieldError::new(format!("hand.{}", fault.field()), fault)).collect()
}

impl From<&ContextError> for FieldError {
    fn from(error: &ContextError) -> FieldError {
        FieldError::new(format!("context.{}", error.field()), error)
    }
}

impl From<&RulesError> for Problem {
    fn from(error: &RulesError) -> Problem {
        match error {
            RulesError::NotAWin => Problem::new(ProblemKind::NotAWin, error.to_string()),
            RulesError::FlowersNotPlayed { .. } => {
                let errors = vec![FieldError::new("hand.flowers", error)];
                Problem::with_errors(ProblemKind::InvalidHand, errors)
            }
            RulesError::Contradictions(all) => {
                let fields = all.iter().map(|contradiction| {
                    FieldError::new(format!("context.{}", contradiction.field()), contradiction)
                });
                Problem::with_errors(ProblemKind::InvalidContext, fields.collect())
            }
        }
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Problem", 6)?;
        object.serialize_field("type", self.kind.uri())?;
        object.serialize_field("title", self.kind.title())?;
        object.serialize_field("status", &self.kind.status())?;
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
        object.end()
    }
}

/// A problem as it was sent: what is derived from its kind is read from its `type` alone.
#[derive(Deserialize)]
struct Sent {
    #[serde(rename = "type")]
    uri: String,
    detail: String,
    #[serde(default)]
    errors: Vec<FieldError>,
    #[serde(default)]
    unlisted: usize,
}

impl<'de> Deserialize<'de> for Problem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Problem, D::Error> {
        let Sent { uri, detail, errors, unlisted } = Sent::deserialize(deserializer)?;
        let kind = ProblemKind::ALL.into_iter().find(|kind| kind.uri() == uri);
        let kind = kind.ok_or_else(|| D::Error::custom("an unknown type of problem"))?;
        Ok(Problem { kind, detail, errors, unlisted })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn types_are_different_and_statuses_are_errors() {
        let uris: HashSet<_> = ProblemKind::ALL.iter().map(|kind| kind.uri()).collect();
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
    fn sentences_are_told_whole() {
        let sentence = "x".repeat(TOLD);
        assert_eq!(FieldError::new("hand", &sentence).detail, sentence);
    }
}
