//! What went wrong, in the form of RFC 9457 (`application/problem+json`).
//!
//! Every error of the library becomes a [`Problem`] here, in one place, so that the same mistake
//! has the same `type` and status at every front end. Types are stable; titles and details are for
//! people, in the requested language ([`Problem::said`]), and may change. Nothing here
//! names a path or a stack of this machine.

use std::fmt;

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::context::ContextError;
use crate::explain::{Lang, Message, Wording};
use crate::hand::HandError;
use crate::notation::NotationError;
use crate::rules::RulesError;

use super::json_fault::JsonFault;
use super::object::Object;

/// What is the same for every problem of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The `type`: a name that stays the same, not a page to fetch.
    pub uri: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// A short summary in each language, in the order of [`Lang::ALL`].
    pub titles: [&'static str; 5],
}

/// The kinds of problems that one part of the program has.
pub trait Kind: Copy + 'static {
    /// Every kind.
    const ALL: &'static [Self];

    /// What every problem of the kind says.
    fn facts(self) -> Facts;
}

/// The kinds of problems that the contract has at every front end. The service adds its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The request is not JSON, or not of the expected shape.
    MalformedRequest,
    /// The picture is broken, or not a picture.
    UnreadableImage,
    /// What is named does not exist.
    NotFound,
    /// What was entered into a game can't be.
    InvalidEntry,
    /// The game takes no more deals.
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
    /// The `type`: a name that stays the same, not a page to fetch.
    #[must_use]
    pub fn uri(self) -> &'static str {
        self.facts().uri
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(self) -> u16 {
        self.facts().status
    }

    /// A short summary in English, the same for every problem of this kind.
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
        let (uri, status, titles) = match self {
            Self::MalformedRequest => (
                "urn:tilesight:problem:malformed-request",
                400,
                [
                    "The request can't be read",
                    "Die Anfrage ist nicht lesbar",
                    "Anmodningen kan ikke læses",
                    "Begäran kan inte läsas",
                    "无法读取请求",
                ],
            ),
            Self::UnreadableImage => (
                "urn:tilesight:problem:unreadable-image",
                400,
                [
                    "The picture can't be read",
                    "Das Bild ist nicht lesbar",
                    "Billedet kan ikke læses",
                    "Bilden kan inte läsas",
                    "无法读取图片",
                ],
            ),
            Self::NotFound => (
                "urn:tilesight:problem:not-found",
                404,
                ["Not found", "Nicht gefunden", "Ikke fundet", "Hittades inte", "未找到"],
            ),
            Self::InvalidEntry => (
                "urn:tilesight:problem:invalid-entry",
                422,
                [
                    "This can't be entered into the game",
                    "Das lässt sich nicht in das Spiel eintragen",
                    "Dette kan ikke føres ind i spillet",
                    "Det här kan inte föras in i spelet",
                    "无法记入牌局",
                ],
            ),
            Self::GameOver => (
                "urn:tilesight:problem:game-over",
                409,
                [
                    "The game is over",
                    "Das Spiel ist beendet",
                    "Spillet er slut",
                    "Spelet är slut",
                    "牌局已结束",
                ],
            ),
            Self::TooLarge => (
                "urn:tilesight:problem:too-large",
                413,
                [
                    "The request is too large",
                    "Die Anfrage ist zu groß",
                    "Anmodningen er for stor",
                    "Begäran är för stor",
                    "请求过大",
                ],
            ),
            Self::UnsupportedMedia => (
                "urn:tilesight:problem:unsupported-media",
                415,
                [
                    "This format is not supported",
                    "Dieses Format wird nicht unterstützt",
                    "Dette format understøttes ikke",
                    "Formatet stöds inte",
                    "不支持此格式",
                ],
            ),
            Self::UnreadableNotation => (
                "urn:tilesight:problem:unreadable-notation",
                422,
                [
                    "The text of the hand can't be read",
                    "Der Text der Hand ist nicht lesbar",
                    "Håndens tekst kan ikke læses",
                    "Handens text kan inte läsas",
                    "无法读取手牌文本",
                ],
            ),
            Self::InvalidHand => (
                "urn:tilesight:problem:invalid-hand",
                422,
                [
                    "These tiles can't be a hand",
                    "Diese Ziegel können keine Hand sein",
                    "Disse brikker kan ikke være en hånd",
                    "De här brickorna kan inte vara en hand",
                    "这些牌不能成为一手牌",
                ],
            ),
            Self::InvalidContext => (
                "urn:tilesight:problem:invalid-context",
                422,
                [
                    "The win context is contradictory",
                    "Die Angaben zum Gewinn widersprechen sich",
                    "Oplysningerne om gevinsten modsiger hinanden",
                    "Uppgifterna om vinsten motsäger varandra",
                    "和牌信息自相矛盾",
                ],
            ),
            Self::NotAWin => (
                "urn:tilesight:problem:not-a-win",
                422,
                [
                    "These tiles do not form a winning hand",
                    "Diese Ziegel bilden keine Siegerhand",
                    "Disse brikker danner ikke en vinderhånd",
                    "De här brickorna bildar ingen vinsthand",
                    "这些牌没有和",
                ],
            ),
            Self::NoHand => (
                "urn:tilesight:problem:no-hand",
                422,
                [
                    "No hand was found",
                    "Keine Hand gefunden",
                    "Ingen hånd fundet",
                    "Ingen hand hittades",
                    "没有找到手牌",
                ],
            ),
            Self::Internal => (
                "urn:tilesight:problem:internal",
                500,
                ["Internal error", "Interner Fehler", "Intern fejl", "Internt fel", "内部错误"],
            ),
        };
        Facts { uri, status, titles }
    }
}

/// One field that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct FieldError {
    /// The field, such as `hand.melds[1].tiles`.
    pub field: String,
    /// What is wrong with it.
    #[schema(value_type = String)]
    pub detail: Wording,
    /// For a text, the character that is meant, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<usize>,
}

impl FieldError {
    /// A field and what is wrong with it, in English. What quotes a client at length is shortened.
    pub fn new(field: impl Into<String>, detail: impl fmt::Display) -> FieldError {
        FieldError::with(field, Wording::from(detail.to_string()))
    }

    /// The same in a language.
    pub fn of(field: impl Into<String>, detail: &(impl Message + ?Sized)) -> FieldError {
        FieldError::with(field, Wording::of(detail))
    }

    fn with(field: impl Into<String>, detail: Wording) -> FieldError {
        let (field, detail) = (shortened(field.into()), detail.map(shortened));
        FieldError { field, detail, character: None }
    }

    fn said(self, lang: Lang) -> FieldError {
        FieldError { detail: self.detail.said(lang).into(), ..self }
    }
}

/// A problem: its kind, what happened this time, and the fields that are wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Problem<K = ProblemKind> {
    /// What kind of problem it is.
    pub kind: K,
    /// What happened, for people.
    pub detail: Wording,
    /// The fields that are wrong, a screenful at most; empty when it is not about a field.
    pub errors: Vec<FieldError>,
    /// How many more fields are wrong.
    pub unlisted: usize,
    /// The language that it is written in.
    lang: Lang,
}

/// Fields that a problem lists: a screenful. An answer must not grow with what a client sends.
const LISTED: usize = 16;

/// Characters of a name or detail that are repeated: enough for every sentence of this program with
/// all the names that it lists, but not for whatever a client puts between quotes.
const LONGEST: usize = 400;

/// Such a text's beginning and end, in place of a text that is too long.
fn shortened(text: String) -> String {
    let length = text.chars().count();
    if length <= LONGEST {
        return text;
    }
    let beginning = text.chars().take(LONGEST / 2);
    let end = text.chars().skip(length - LONGEST / 2);
    beginning.chain(" … ".chars()).chain(end).collect()
}

impl<K: Kind> Problem<K> {
    /// A problem that is not about a field, in English.
    pub fn new(kind: K, detail: impl Into<String>) -> Problem<K> {
        Problem::with(kind, Wording::from(detail.into()))
    }

    /// The same in a language.
    pub fn of(kind: K, detail: &(impl Message + ?Sized)) -> Problem<K> {
        Problem::with(kind, Wording::of(detail))
    }

    fn with(kind: K, detail: Wording) -> Problem<K> {
        let detail = detail.map(shortened);
        Problem { kind, detail, errors: Vec::new(), unlisted: 0, lang: Lang::En }
    }

    /// A problem with fields; its detail names the first and how many more there are.
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

    /// The same about a part of a request: every field's name gets that of the part before it.
    #[must_use]
    pub fn within(self, part: &str) -> Problem<K> {
        let below =
            |error: FieldError| FieldError { field: format!("{part}.{}", error.field), ..error };
        let errors = self.errors.into_iter().map(below).collect();
        let unlisted = self.unlisted;
        Problem { unlisted, ..Problem::with_errors(self.kind, errors) }
    }

    /// The same about one of several parts that were sent, where it names no field itself.
    #[must_use]
    pub fn about(self, part: &str) -> Problem<K> {
        if !self.errors.is_empty() {
            return self;
        }
        Problem::with_errors(self.kind, vec![FieldError::with(part, self.detail)])
    }

    /// The same with other words for what happened.
    #[must_use]
    pub fn with_detail(self, detail: Wording) -> Problem<K> {
        Problem { detail: detail.map(shortened), ..self }
    }

    /// The same in a language: title, detail and what is wrong with the fields. What has no
    /// translation, such as the messages of a parser's library, stays in English.
    #[must_use]
    pub fn said(self, lang: Lang) -> Problem<K> {
        let detail = self.detail.said(lang).into();
        let errors = self.errors.into_iter().map(|error| error.said(lang)).collect();
        Problem { detail, errors, lang, ..self }
    }

    /// The same problem as one of another part's kinds.
    #[must_use]
    pub fn into_kind<L: From<K>>(self) -> Problem<L> {
        let Problem { kind, detail, errors, unlisted, lang } = self;
        Problem { kind: kind.into(), detail, errors, unlisted, lang }
    }

    /// The language that it is written in.
    #[must_use]
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The short summary of its kind.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.kind.facts().titles[self.lang as usize]
    }
}

/// The first field that is wrong, and how many more there are.
fn first_of(first: &FieldError, more: usize, lang: Lang) -> String {
    let first = format!("{}: {}", first.field, first.detail.said(lang));
    match (more, lang) {
        (0, _) => first,
        (more, Lang::En) => format!("{first} (and {more} more)"),
        (more, Lang::De) => format!("{first} (und {more} weitere)"),
        (more, Lang::Da) => format!("{first} (og {more} mere)"),
        (more, Lang::Sv) => format!("{first} (och {more} till)"),
        (more, Lang::Zh) => format!("{first}（另有 {more} 处）"),
    }
}

/// The text without the mark that some editors put before UTF-8.
pub fn without_bom(text: &[u8]) -> &[u8] {
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

/// The same for JSON that may be a list.
pub fn read_value<T: DeserializeOwned>(json: &[u8], root: &str) -> Result<T, Problem> {
    let json = without_bom(json);
    let mut deserializer = serde_json::Deserializer::from_slice(json);
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
        let (fault, missing) = JsonFault::new::<T>(error.inner(), error.path(), json);
        let path = match (path.as_str(), missing) {
            (_, None) => path,
            ("", Some(name)) => name,
            (path, Some(name)) => format!("{path}.{name}"),
        };
        malformed(&path, &fault)
    })?;
    deserializer.end().map_err(|error| malformed(root, &JsonFault::at_end(&error)))?;
    Ok(value)
}

/// A fault of a field, or of the whole where the path is empty.
fn malformed(path: &str, fault: &JsonFault) -> Problem {
    let kind = ProblemKind::MalformedRequest;
    if path.is_empty() {
        return Problem::of(kind, fault);
    }
    Problem::with_errors(kind, vec![FieldError::of(path, fault)])
}

impl From<&NotationError> for FieldError {
    fn from(error: &NotationError) -> FieldError {
        FieldError { character: Some(error.at().column + 1), ..FieldError::of("hand", error) }
    }
}

impl From<&NotationError> for Problem {
    fn from(error: &NotationError) -> Problem {
        Problem::with_errors(ProblemKind::UnreadableNotation, vec![error.into()])
    }
}

/// Every reason why a hand is not legal, by field.
pub fn hand_faults(error: &HandError) -> Vec<FieldError> {
    let faults = error.faults.iter();
    faults.map(|fault| FieldError::of(format!("hand.{}", fault.field()), fault)).collect()
}

impl From<&ContextError> for FieldError {
    fn from(error: &ContextError) -> FieldError {
        FieldError::of(format!("context.{}", error.field()), error)
    }
}

impl From<&RulesError> for Problem {
    fn from(error: &RulesError) -> Problem {
        match error {
            RulesError::NotAWin => Problem::of(ProblemKind::NotAWin, error),
            RulesError::FlowersNotPlayed { .. } => {
                let errors = vec![FieldError::of("hand.flowers", error)];
                Problem::with_errors(ProblemKind::InvalidHand, errors)
            }
            RulesError::Contradictions(all) => {
                let fields = all.iter().map(|contradiction| {
                    FieldError::of(format!("context.{}", contradiction.field()), contradiction)
                });
                Problem::with_errors(ProblemKind::InvalidContext, fields.collect())
            }
        }
    }
}

impl<K: Kind> Serialize for Problem<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Problem", 6)?;
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
        object.end()
    }
}

/// A problem as it was sent: the status follows from its `type`.
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
}

impl<'de, K: Kind + 'static> Deserialize<'de> for Problem<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Problem<K>, D::Error> {
        let ProblemDto { uri, title, detail, errors, unlisted } =
            ProblemDto::deserialize(deserializer)?;
        let kind = K::ALL.iter().copied().find(|kind| kind.facts().uri == uri);
        let kind = kind.ok_or_else(|| D::Error::custom("an unknown type of problem"))?;
        let at = kind.facts().titles.iter().position(|known| *known == title);
        let lang = Lang::ALL[at.unwrap_or_default()];
        Ok(Problem { kind, detail, errors, unlisted, lang })
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
            assert_eq!(HashSet::from(kind.facts().titles).len(), 5, "{kind:?}");
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
        let sentence = "x".repeat(LONGEST);
        assert_eq!(FieldError::new("hand", &sentence).detail, sentence);
    }

    #[test]
    fn a_problem_is_said_in_the_language_that_is_asked_for() {
        let tile = "5m".parse().expect("a tile");
        let faults = [HandFault::NoWinningTile, HandFault::TooManyCopies { tile, found: 6 }];
        let errors = faults.map(|fault| FieldError::of(format!("hand.{}", fault.field()), &fault));
        let problem = Problem::with_errors(ProblemKind::InvalidHand, errors.into());
        let english = serde_json::to_value(&problem).expect("no map keys");
        assert_eq!(english["title"], "These tiles can't be a hand");
        assert_eq!(english["errors"][0]["detail"], "the winning tile is missing");
        let german = problem.clone().said(Lang::De);
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
        assert_eq!(problem.said(Lang::En), serde_json::from_value(english).expect("reads back"));
    }
}
