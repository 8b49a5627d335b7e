//! Faults that a JSON parser finds, in our own words.
//!
//! Input: the error of `serde_json`, whose messages name Rust types and positions. Output: a
//! [`JsonFault`], in five languages, and the field that is missing. Invariant: the sender reads
//! which value is wrong, what was found, and what is accepted; positions are given only where the
//! text as a whole is not JSON.

use std::fmt;

use serde::de::IgnoredAny;

use super::unknown::{BELOW, UnknownName};
use crate::explain::{Lang, Message, said};

/// Fault of a JSON value. The sender can fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum JsonFault {
    /// The text is not JSON.
    Syntax { line: usize, column: usize },
    /// A value that is no text, where one of several texts is expected.
    NotText,
    /// A field is missing; the name is part of the path of the error.
    Missing,
    /// A name that does not exist.
    Unknown(UnknownName),
    /// A field occurs twice.
    Twice,
    /// A text that is not among those that are accepted.
    NoneOf { value: String, accepted: Vec<String> },
    /// A value of another kind.
    WrongKind { found: JsonKind, expected: Expected },
    /// Anything else, as our own types say it.
    Other(String),
}

/// The kinds of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonKind {
    Null,
    Boolean,
    Number,
    Text,
    List,
    Object,
}

/// Kind of value that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expected {
    Kind(JsonKind),
    /// The words of one of our types.
    Words(String),
}

impl JsonFault {
    /// Returns the fault in an error about a JSON text, and the name of the field that it is about
    /// where the path of the error ends above it.
    pub(super) fn new(error: &serde_json::Error, json: &[u8]) -> (JsonFault, Option<String>) {
        if error.is_syntax() || error.is_eof() {
            let fault = match serde_json::from_slice::<IgnoredAny>(json) {
                // The parser says so of a value that can't be one of several texts.
                Ok(_) => JsonFault::NotText,
                Err(error) => JsonFault::Syntax { line: error.line(), column: error.column() },
            };
            return (fault, None);
        }
        let text = error.to_string();
        let text = without_position(&text, error);
        if let Some(name) = quoted_after(text, "missing field ") {
            return (JsonFault::Missing, Some(name));
        }
        if let Some(name) = quoted_after(text, "duplicate field ") {
            return (JsonFault::Twice, Some(name));
        }
        if let Some(unknown) = text.strip_prefix(BELOW).and_then(UnknownName::in_message) {
            let name = unknown.name.clone();
            return (JsonFault::Unknown(unknown), Some(name));
        }
        (JsonFault::from_message(text), None)
    }

    fn from_message(text: &str) -> JsonFault {
        if let Some(unknown) = UnknownName::in_message(text) {
            return JsonFault::Unknown(unknown);
        }
        if let Some(value) = quoted_after(text, "unknown variant ") {
            let accepted = text.split_once("`, ").map_or("", |(_, accepted)| accepted);
            let accepted = accepted.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            return JsonFault::NoneOf { value, accepted };
        }
        let kinds =
            text.strip_prefix("invalid type: ").and_then(|text| text.split_once(", expected "));
        if let Some((found, expected)) = kinds
            && let Some(found) = JsonKind::in_words(found)
        {
            return JsonFault::WrongKind { found, expected: Expected::new(expected) };
        }
        JsonFault::Other(text.to_owned())
    }
}

fn without_position<'a>(text: &'a str, error: &serde_json::Error) -> &'a str {
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(position.as_str()).unwrap_or(text)
}

/// Returns what is between backticks behind a beginning.
fn quoted_after(text: &str, beginning: &str) -> Option<String> {
    let (name, _) = text.strip_prefix(beginning)?.strip_prefix('`')?.split_once('`')?;
    Some(name.to_owned())
}

impl JsonKind {
    /// Returns the kind of which `serde` speaks.
    fn in_words(words: &str) -> Option<JsonKind> {
        Some(match words.split([' ', '`']).next()? {
            "null" | "unit" | "Option" => JsonKind::Null,
            "boolean" => JsonKind::Boolean,
            "integer" | "floating" | "number" => JsonKind::Number,
            "string" | "character" => JsonKind::Text,
            "sequence" | "tuple" => JsonKind::List,
            "map" | "struct" => JsonKind::Object,
            _ => return None,
        })
    }

    /// The kind with an article, in the order of [`Lang::ALL`].
    const fn words(self) -> [&'static str; 5] {
        match self {
            JsonKind::Null => ["null"; 5],
            JsonKind::Boolean => [
                "true or false",
                "true oder false",
                "true eller false",
                "true eller false",
                "true 或 false",
            ],
            JsonKind::Number => ["a number", "eine Zahl", "et tal", "ett tal", "数字"],
            JsonKind::Text => ["a text", "ein Text", "en tekst", "en text", "文本"],
            JsonKind::List => ["a list", "eine Liste", "en liste", "en lista", "列表"],
            JsonKind::Object => ["an object", "ein Objekt", "et objekt", "ett objekt", "对象"],
        }
    }
}

impl Expected {
    fn new(words: &str) -> Expected {
        const NUMBERS: [&str; 14] = [
            "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64",
            "u128", "i128",
        ];
        if NUMBERS.contains(&words) || words.starts_with("a nonzero ") {
            return Expected::Kind(JsonKind::Number);
        }
        let kind = match words {
            "a string" | "a borrowed string" | "a character" => Some(JsonKind::Text),
            "a boolean" => Some(JsonKind::Boolean),
            "a sequence" => Some(JsonKind::List),
            "a map" => Some(JsonKind::Object),
            "an object" => Some(JsonKind::Object),
            words if words.starts_with("struct ") => Some(JsonKind::Object),
            words if words.starts_with("a tuple ") || words.starts_with("an array ") => {
                Some(JsonKind::List)
            }
            _ => None,
        };
        kind.map_or_else(|| Expected::Words(words.to_owned()), Expected::Kind)
    }

    fn in_lang(&self, lang: Lang) -> &str {
        match self {
            Expected::Kind(kind) => kind.words()[lang as usize],
            Expected::Words(words) => words,
        }
    }
}

fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

impl fmt::Display for JsonFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonFault::Syntax { line, column } => {
                write!(out, "this is not valid JSON: see line {line}, character {column}")
            }
            JsonFault::NotText => out.write_str("expected a text"),
            JsonFault::Missing => out.write_str("the field is missing"),
            JsonFault::Unknown(unknown) => unknown.fmt(out),
            JsonFault::Twice => out.write_str("the field occurs twice"),
            JsonFault::NoneOf { value, accepted } => {
                write!(out, "`{value}` is not accepted; expected one of {}", listed(accepted))
            }
            JsonFault::WrongKind { found, expected } => {
                write!(out, "expected {}, found {}", expected.in_lang(Lang::En), found.words()[0])
            }
            JsonFault::Other(text) => out.write_str(text),
        }
    }
}

impl Message for JsonFault {
    fn said(&self, lang: Lang) -> String {
        match self {
            JsonFault::Syntax { line, column } => said!(
                self,
                lang,
                "das ist kein gültiges JSON: siehe Zeile {line}, Zeichen {column}",
                "dette er ikke gyldig JSON: se linje {line}, tegn {column}",
                "detta är inte giltig JSON: se rad {line}, tecken {column}",
                "这不是有效的 JSON：见第 {line} 行第 {column} 个字符",
            ),
            JsonFault::NotText => said!(
                self,
                lang,
                "erwartet wird ein Text",
                "forventet: en tekst",
                "förväntat: en text",
                "应为文本",
            ),
            JsonFault::Missing => {
                said!(self, lang, "das Feld fehlt", "feltet mangler", "fältet saknas", "缺少该字段",)
            }
            JsonFault::Unknown(unknown) => unknown.said(lang),
            JsonFault::Twice => said!(
                self,
                lang,
                "das Feld kommt zweimal vor",
                "feltet forekommer to gange",
                "fältet förekommer två gånger",
                "该字段出现两次",
            ),
            JsonFault::NoneOf { value, accepted } => {
                let accepted = listed(accepted);
                said!(
                    self,
                    lang,
                    "`{value}` geht hier nicht; erwartet wird eines von {accepted}",
                    "`{value}` kan ikke bruges her; forventet en af {accepted}",
                    "`{value}` går inte här; förväntat något av {accepted}",
                    "不接受 `{value}`；应为 {accepted} 之一",
                )
            }
            JsonFault::WrongKind { found, expected } => {
                let (expected, found) = (expected.in_lang(lang), found.words()[lang as usize]);
                said!(
                    self,
                    lang,
                    "erwartet: {expected}; gefunden: {found}",
                    "forventet: {expected}; fundet: {found}",
                    "förväntat: {expected}; hittat: {found}",
                    "应为{expected}，实际为{found}",
                )
            }
            // Our own types say it, in English.
            JsonFault::Other(text) => text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::explain::check;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only parsed")]
    struct Sample {
        wind: Wind,
        count: u32,
        name: Option<String>,
        list: Vec<bool>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Wind {
        East,
        South,
    }

    fn fault(json: &str) -> (JsonFault, Option<String>) {
        JsonFault::new(&serde_json::from_str::<Sample>(json).expect_err(json), json.as_bytes())
    }

    #[test]
    fn no_word_of_the_parser_is_left() {
        for (json, words) in [
            ("{", "line 1"),
            ("{\"wind\":", "line 1"),
            (r#"{"wind":"up"}"#, "`up` is not accepted; expected one of `east`, `south`"),
            (r#"{"wind":7}"#, "expected a text"),
            (r#"{"count":"x"}"#, "expected a number, found a text"),
            (r#"{"count":null}"#, "expected a number, found null"),
            (r#"{"name":7}"#, "expected a text, found a number"),
            (r#"{"list":{}}"#, "expected a list, found an object"),
            (r#"{"list":[1]}"#, "expected true or false, found a number"),
            (r#"{"count":1,"count":2}"#, "occurs twice"),
            (r#"{"cuont":1}"#, "unknown field `cuont`"),
        ] {
            let (fault, _) = fault(json);
            let text = fault.to_string();
            assert!(text.contains(words), "{json}: {text}");
            for parser in ["invalid type", "variant", "column", "struct ", "u32", "sequence", "EOF"]
            {
                assert!(!text.contains(parser), "{json}: {text}");
            }
        }
        let (missing, name) = fault(r#"{"wind":"east","list":[]}"#);
        assert_eq!((missing, name), (JsonFault::Missing, Some("count".to_owned())));
    }

    #[test]
    fn faults_are_said_in_five_languages() {
        let accepted = vec!["east".to_owned(), "south".to_owned()];
        check(
            [
                JsonFault::Syntax { line: 31, column: 42 },
                JsonFault::NotText,
                JsonFault::Missing,
                JsonFault::Twice,
                JsonFault::NoneOf { value: "up".to_owned(), accepted },
                JsonFault::WrongKind {
                    found: JsonKind::Text,
                    expected: Expected::Kind(JsonKind::Number),
                },
            ],
            &["31", "42", "`up`", "`east`, `south`"],
        );
    }
}
