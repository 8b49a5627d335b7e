//! Faults that a JSON parser finds, in the program's own words.
//!
//! Input: the error of `serde_json`, whose messages name Rust types and positions, and the text.
//! Output: a [`JsonFault`], in five languages, and the name of the missing field. Invariant: the
//! message states which value is wrong, what was found, and what is accepted; positions are given
//! only if the text as a whole is not JSON.

mod own_words;

use std::mem;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use self::own_words::own_words;
use super::unknown::{BELOW, UnknownName};
use crate::explain::{Lang, Message, Wording, display_english};
use crate::texts;

/// Fault of a JSON value. The sender can fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum JsonFault {
    /// The text is not JSON.
    Syntax { line: usize, column: usize },
    /// The text is not UTF-8.
    NotUtf8 { line: usize, column: usize },
    /// An escape such as `\ud800` stands for no character.
    BadEscape { line: usize, column: usize },
    /// Lists and objects are nested too deeply.
    TooDeep,
    /// A number is too large for any number type.
    HugeNumber,
    /// A value is not a text, but one of several texts is expected.
    NotText,
    /// A field is missing; the name is part of the path of the error.
    Missing,
    /// A name does not exist.
    Unknown(UnknownName),
    /// A field occurs twice.
    Twice,
    /// A text is not one of the accepted texts.
    NoneOf { value: String, accepted: Vec<String> },
    /// A value is of another kind, or a number is out of range.
    WrongValue { found: Found, expected: Expected },
    /// A list has more or fewer entries than required.
    WrongLength { found: usize, expected: usize },
    /// A fault that one of the program's own types finds.
    Own(Wording),
    /// Any other fault.
    Unusable,
}

/// Kinds of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonKind {
    Null,
    Boolean,
    Number,
    Text,
    List,
    Object,
}

/// A value that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    Kind(JsonKind),
    /// A number, as the parser writes it.
    Number(String),
}

/// A value that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expected {
    Kind(JsonKind),
    /// A whole number in this range.
    Whole {
        min: i128,
        max: i128,
    },
    /// An object with these fields.
    Object(Vec<String>),
    /// A text of this list.
    OneOf(Vec<String>),
    /// A hand: an object or a text.
    Hand,
    /// Codes: a list, or a text with commas.
    Codes,
    /// Tiles: a list, or a text with commas.
    Tiles,
}

impl JsonFault {
    /// Returns the fault in an error about a JSON text that was parsed as a `T`. If the path of the
    /// error ends above the field that it is about, the name of the field is returned too.
    pub(super) fn new<T: DeserializeOwned>(
        error: &serde_json::Error,
        path: &Path,
        json: &[u8],
    ) -> (JsonFault, Option<String>) {
        let text = error.to_string();
        let text = strip_position(&text, error);
        if error.is_syntax() || error.is_eof() {
            return (JsonFault::find_in_syntax::<T>(text, error, path, json), None);
        }
        if let Some(name) = quoted_after(text, "missing field ") {
            return (JsonFault::Missing, Some(name));
        }
        if let Some(name) = quoted_after(text, "duplicate field ") {
            return (JsonFault::Twice, Some(name));
        }
        if let Some(unknown) = text.strip_prefix(BELOW).and_then(UnknownName::find_in_message) {
            let name = unknown.name.clone();
            return (JsonFault::Unknown(unknown), Some(name));
        }
        (JsonFault::from_message(text), None)
    }

    /// Returns the fault for extra characters after the end of the JSON text.
    pub(super) fn end_of_text(error: &serde_json::Error) -> JsonFault {
        JsonFault::Syntax { line: error.line(), column: error.column() }
    }

    /// Returns the fault for a syntax error. The parser reports one for some values too, although
    /// the syntax of the text is right.
    fn find_in_syntax<T: DeserializeOwned>(
        text: &str,
        error: &serde_json::Error,
        path: &Path,
        json: &[u8],
    ) -> JsonFault {
        if let Err(error) = serde_json::from_slice::<IgnoredAny>(json) {
            return JsonFault::Syntax { line: error.line(), column: error.column() };
        }
        let (line, column) = (error.line(), error.column());
        match text {
            "invalid unicode code point" => JsonFault::NotUtf8 { line, column },
            "recursion limit exceeded" => JsonFault::TooDeep,
            "number out of range" => JsonFault::HugeNumber,
            text if text.contains("hex escape") => JsonFault::BadEscape { line, column },
            _ => JsonFault::find_at::<T>(path, json).unwrap_or(JsonFault::NotText),
        }
    }

    /// Returns the fault of the value at a path. To find out what is accepted there, this puts
    /// another value in its place that is rejected too, and reads the error message.
    fn find_at<T: DeserializeOwned>(path: &Path, json: &[u8]) -> Option<JsonFault> {
        let mut whole: Value = serde_json::from_slice(json).ok()?;
        let found = mem::replace(value_at(&mut whole, path)?, Value::Array(Vec::new()));
        let mut refusal = |value| {
            *value_at(&mut whole, path)? = value;
            let error = T::deserialize(&whole).err()?;
            Some(JsonFault::from_message(&error.to_string()))
        };
        if let Value::Array(list) = &found
            && let Some(JsonFault::WrongLength { expected, .. }) = refusal(Value::Array(Vec::new()))
        {
            return Some(JsonFault::WrongLength { found: list.len(), expected });
        }
        let expected = match refusal(Value::String(String::new())) {
            Some(JsonFault::NoneOf { accepted, .. }) => Expected::OneOf(accepted),
            _ => Expected::Kind(JsonKind::Text),
        };
        Some(JsonFault::WrongValue { found: Found::Kind(JsonKind::from_value(&found)), expected })
    }

    fn from_message(text: &str) -> JsonFault {
        if let Some(unknown) = UnknownName::find_in_message(text) {
            return JsonFault::Unknown(unknown);
        }
        if let Some(value) = quoted_after(text, "unknown variant ") {
            let accepted = text.split_once("`, ").map_or("", |(_, accepted)| accepted);
            return JsonFault::NoneOf { value, accepted: quoted_names(accepted) };
        }
        if let Some(text) = text.strip_prefix("invalid length ") {
            return JsonFault::from_length_message(text).unwrap_or(JsonFault::Unusable);
        }
        let value =
            text.strip_prefix("invalid type: ").or_else(|| text.strip_prefix("invalid value: "));
        if let Some(text) = value {
            let fault = text.split_once(", expected ").and_then(|(found, expected)| {
                let (found, expected) = (Found::new(found)?, Expected::new(expected)?);
                Some(JsonFault::WrongValue { found, expected })
            });
            return fault.unwrap_or(JsonFault::Unusable);
        }
        own_words(text).map_or(JsonFault::Unusable, JsonFault::Own)
    }

    fn from_length_message(text: &str) -> Option<JsonFault> {
        let (found, expected) = text.split_once(", expected ")?;
        if expected.starts_with("struct ") {
            let (found, expected) = (Found::Kind(JsonKind::List), Expected::Kind(JsonKind::Object));
            return Some(JsonFault::WrongValue { found, expected });
        }
        let expected = expected.split(' ').find_map(|word| word.parse().ok())?;
        Some(JsonFault::WrongLength { found: found.parse().ok()?, expected })
    }
}

/// Returns the value at the path of an error.
fn value_at<'a>(whole: &'a mut Value, path: &Path) -> Option<&'a mut Value> {
    path.iter().try_fold(whole, |value, segment| match segment {
        Segment::Map { key } => value.get_mut(key.as_str()),
        Segment::Seq { index } => value.get_mut(*index),
        Segment::Enum { .. } | Segment::Unknown => None,
    })
}

fn strip_position<'a>(text: &'a str, error: &serde_json::Error) -> &'a str {
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(position.as_str()).unwrap_or(text)
}

/// Returns the text between backticks after a prefix.
fn quoted_after(text: &str, beginning: &str) -> Option<String> {
    let (name, _) = text.strip_prefix(beginning)?.strip_prefix('`')?.split_once('`')?;
    Some(name.to_owned())
}

/// Returns all texts between backticks.
fn quoted_names(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

impl JsonKind {
    fn from_value(value: &Value) -> JsonKind {
        match value {
            Value::Null => JsonKind::Null,
            Value::Bool(_) => JsonKind::Boolean,
            Value::Number(_) => JsonKind::Number,
            Value::String(_) => JsonKind::Text,
            Value::Array(_) => JsonKind::List,
            Value::Object(_) => JsonKind::Object,
        }
    }

    /// Returns the kind with an article.
    const fn text(self, lang: Lang) -> &'static str {
        match self {
            JsonKind::Null => texts::json_value::null(lang),
            JsonKind::Boolean => texts::json_value::boolean(lang),
            JsonKind::Number => texts::json_value::number(lang),
            JsonKind::Text => texts::json_value::text(lang),
            JsonKind::List => texts::json_value::list(lang),
            JsonKind::Object => texts::json_value::object(lang),
        }
    }
}

impl Found {
    /// Returns the value that a message of `serde` names.
    fn new(words: &str) -> Option<Found> {
        let kind = match words.split([' ', '`']).next()? {
            "null" | "unit" | "Option" => JsonKind::Null,
            "boolean" => JsonKind::Boolean,
            "integer" | "floating" | "number" => {
                let number = quoted_names(words).pop();
                return Some(number.map_or(Found::Kind(JsonKind::Number), Found::Number));
            }
            "string" | "character" => JsonKind::Text,
            "sequence" | "tuple" => JsonKind::List,
            "map" | "struct" => JsonKind::Object,
            _ => return None,
        };
        Some(Found::Kind(kind))
    }

    /// Returns the words for the value. A number is quoted only where a whole number is expected.
    fn text_in<'a>(&'a self, expected: &Expected, lang: Lang) -> &'a str {
        match (self, expected) {
            (Found::Number(number), Expected::Whole { .. }) => number,
            (Found::Number(_), _) => JsonKind::Number.text(lang),
            (Found::Kind(kind), _) => kind.text(lang),
        }
    }
}

impl Expected {
    /// Returns the expected value that a message of `serde` or of one of the program's own types
    /// names.
    fn new(words: &str) -> Option<Expected> {
        let range = |min: i128, max: i128| Some(Expected::Whole { min, max });
        let kind = match words {
            "u8" => return range(0, u8::MAX.into()),
            "u16" => return range(0, u16::MAX.into()),
            "u32" | "a whole number that is not negative" => return range(0, u32::MAX.into()),
            "u64" | "usize" | "u128" => return range(0, u64::MAX.into()),
            "i8" => return range(i8::MIN.into(), i8::MAX.into()),
            "i16" => return range(i16::MIN.into(), i16::MAX.into()),
            "i32" => return range(i32::MIN.into(), i32::MAX.into()),
            "i64" | "isize" | "i128" => return range(i64::MIN.into(), i64::MAX.into()),
            "a nonzero u32" => return range(1, u32::MAX.into()),
            "a nonzero u64" | "a nonzero usize" => return range(1, u64::MAX.into()),
            "f32" | "f64" => JsonKind::Number,
            "a string" | "a borrowed string" | "a character" => JsonKind::Text,
            "a boolean" => JsonKind::Boolean,
            "a sequence" => JsonKind::List,
            "a map" => JsonKind::Object,
            words if words.starts_with("an object") => {
                let names = quoted_names(words);
                if !names.is_empty() {
                    return Some(Expected::Object(names));
                }
                JsonKind::Object
            }
            words if words.starts_with("struct ") => JsonKind::Object,
            words if words.starts_with("a tuple ") || words.starts_with("an array ") => {
                JsonKind::List
            }
            words => {
                if let Some(range) = whole_range(words) {
                    return Some(range);
                }
                let mut own = [Expected::Hand, Expected::Codes, Expected::Tiles].into_iter();
                return own.find(|own| own.text_in(Lang::En) == words);
            }
        };
        Some(Expected::Kind(kind))
    }

    fn text_in(&self, lang: Lang) -> String {
        match self {
            Expected::Kind(kind) => kind.text(lang).to_owned(),
            Expected::Whole { min, max } => texts::json_value::whole_number(lang, min, max),
            Expected::Object(names) => texts::json_value::object_with(lang, join_names(names)),
            Expected::OneOf(names) => texts::json_value::one_of(lang, join_names(names)),
            Expected::Hand => texts::json_value::hand(lang).to_owned(),
            Expected::Codes => texts::json_value::codes(lang).to_owned(),
            Expected::Tiles => texts::json_value::tiles(lang).to_owned(),
        }
    }
}

/// Returns the range of `a whole number from 0 to 99`.
fn whole_range(words: &str) -> Option<Expected> {
    let (min, max) = words.strip_prefix("a whole number from ")?.split_once(" to ")?;
    Some(Expected::Whole { min: min.parse().ok()?, max: max.parse().ok()? })
}

fn join_names(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

display_english!(JsonFault);

impl Message for JsonFault {
    fn text(&self, lang: Lang) -> String {
        match self {
            JsonFault::Syntax { line, column } => texts::json_fault::syntax(lang, line, column),
            JsonFault::NotUtf8 { line, column } => texts::json_fault::not_utf8(lang, line, column),
            JsonFault::BadEscape { line, column } => {
                texts::json_fault::bad_escape(lang, line, column)
            }
            JsonFault::TooDeep => texts::json_fault::too_deep(lang).to_owned(),
            JsonFault::HugeNumber => texts::json_fault::huge_number(lang).to_owned(),
            JsonFault::NotText => texts::json_fault::not_text(lang).to_owned(),
            JsonFault::Missing => texts::json_fault::missing(lang).to_owned(),
            JsonFault::Unknown(unknown) => unknown.text(lang),
            JsonFault::Twice => texts::json_fault::twice(lang).to_owned(),
            JsonFault::NoneOf { value, accepted } => {
                let accepted = join_names(accepted);
                texts::json_fault::none_of(lang, value, accepted)
            }
            JsonFault::WrongValue { found, expected } => {
                let (expected, found) = (expected.text_in(lang), found.text_in(expected, lang));
                texts::json_fault::wrong_value(lang, expected, found)
            }
            JsonFault::WrongLength { found, expected } => {
                texts::json_fault::wrong_length(lang, expected, found)
            }
            JsonFault::Own(wording) => wording.text(lang).to_owned(),
            JsonFault::Unusable => texts::json_fault::unusable(lang).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only parsed")]
    struct Sample {
        wind: Wind,
        count: u32,
        #[serde(default)]
        small: i8,
        name: Option<String>,
        list: Vec<bool>,
        #[serde(default)]
        four: [u8; 4],
        #[serde(default)]
        winds: Vec<Wind>,
        inner: Option<Box<Sample>>,
        all: Option<Value>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Wind {
        East,
        South,
    }

    fn fault(json: &[u8]) -> (JsonFault, Option<String>, String) {
        let mut deserializer = serde_json::Deserializer::from_slice(json);
        let read = serde_path_to_error::deserialize::<_, Sample>(&mut deserializer);
        let error = read.expect_err(&String::from_utf8_lossy(json));
        let (fault, name) = JsonFault::new::<Sample>(error.inner(), error.path(), json);
        (fault, name, error.path().to_string())
    }

    #[test]
    fn no_word_of_the_parser_is_left() {
        let deep = format!(r#"{{"all":{}{}}}"#, "[".repeat(200), "]".repeat(200));
        for (json, words) in [
            ("{", "this is not valid JSON: see line 1"),
            ("{\"wind\":", "this is not valid JSON: see line 1"),
            (r#"{"wind":"up"}"#, "`up` is not accepted; expected one of `east`, `south`"),
            (r#"{"wind":7}"#, "expected one of `east`, `south`, found a number"),
            (r#"{"wind":["east"]}"#, "expected one of `east`, `south`, found a list"),
            (r#"{"winds":["east",null]}"#, "expected one of `east`, `south`, found null"),
            (r#"{"inner":{"wind":true}}"#, "expected one of `east`, `south`, found true or false"),
            (r#"{"count":"x"}"#, "expected a whole number from 0 to 4294967295, found a text"),
            (r#"{"count":null}"#, "expected a whole number from 0 to 4294967295, found null"),
            (r#"{"count":1.5}"#, "expected a whole number from 0 to 4294967295, found 1.5"),
            (r#"{"count":-1}"#, "expected a whole number from 0 to 4294967295, found -1"),
            (r#"{"count":1e999}"#, "the number is too large"),
            (r#"{"small":128}"#, "expected a whole number from -128 to 127, found 128"),
            (r#"{"name":7}"#, "expected a text, found a number"),
            (r#"{"name":"\ud800"}"#, "an escape with `\\u` stands for no character: see line 1"),
            (r#"{"list":{}}"#, "expected a list, found an object"),
            (r#"{"list":[1]}"#, "expected true or false, found a number"),
            (r#"{"four":[1,2,3]}"#, "expected 4 entries, found 3"),
            (r#"{"four":[1,2,3,4,5]}"#, "expected 4 entries, found 5"),
            (r#"{"count":1,"count":2}"#, "occurs twice"),
            (r#"{"cuont":1}"#, "unknown field `cuont`"),
            (&deep, "too many lists and objects inside one another"),
        ] {
            let (fault, ..) = fault(json.as_bytes());
            let text = fault.to_string();
            assert!(text.contains(words), "{json}: {text}");
            for parser in ["invalid", "variant", "column", "struct ", "u32", "sequence", "EOF"] {
                assert!(!text.replace("not valid", "").contains(parser), "{json}: {text}");
            }
        }
        let (missing, name, _) = fault(br#"{"wind":"east","list":[]}"#);
        assert_eq!((missing, name), (JsonFault::Missing, Some("count".to_owned())));
        let (latin, _, path) = fault(b"{\"name\":\"Bj\xf8rn\"}");
        assert!(latin.to_string().starts_with("this is not UTF-8: see line 1"), "{latin}");
        assert_eq!(path, "name");
    }

    /// Every description of an accepted value by a type is found word for word.
    #[test]
    fn values_that_types_describe_are_known() {
        use crate::context::{DeclaredSet, Indicators};
        use crate::contract::HandInput;

        let texts = [
            serde_json::from_str::<HandInput>("7").expect_err("no hand").to_string(),
            serde_json::from_str::<DeclaredSet>("7").expect_err("no codes").to_string(),
            serde_json::from_str::<Indicators>("7").expect_err("no tiles").to_string(),
        ];
        let expected = [Expected::Hand, Expected::Codes, Expected::Tiles];
        for (text, expected) in texts.iter().zip(expected) {
            let text = text.split(" at line ").next().unwrap_or_default();
            let found = Found::Number("7".to_owned());
            assert_eq!(JsonFault::from_message(text), JsonFault::WrongValue { found, expected });
        }
    }

    /// The answer to a wrong value of any field says what the field takes.
    #[test]
    fn a_wrong_value_of_the_win_context_is_answered_with_what_is_right() {
        use crate::contract::ContextDto;

        let wrong = [
            "7",
            "-1",
            "2.5",
            "100",
            "1e300",
            "true",
            "null",
            "[]",
            "{}",
            "[7]",
            "[null]",
            "\"x\"",
            "\"\"",
            "\"5x\"",
            "[\"5x\"]",
            "\"1m,1m,1m,1m,2m,2m\"",
            "\"2026-11-29\"",
        ];
        for name in ContextDto::names() {
            for value in wrong {
                let json = format!("{{\"{name}\":{value}}}");
                let Err(problem) = ContextDto::from_json(json.as_bytes()) else { continue };
                for lang in Lang::ALL {
                    let detail = problem.errors[0].detail.text(lang);
                    let way_out = texts::json_fault::unusable(lang);
                    assert_ne!(detail, way_out, "{json}");
                }
            }
        }
    }
}
