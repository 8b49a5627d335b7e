//! Faults that a JSON parser finds, in the program's own words.
//!
//! Input: the error of `serde_json`, whose messages name Rust types and positions, and the text.
//! Output: a [`JsonFault`], in five languages, and the name of the missing field. Invariant: the
//! message states which value is wrong, what was found, and what is accepted; positions are given
//! only if the text as a whole is not JSON.

mod own_words;

use std::fmt;
use std::mem;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use self::own_words::own_words;
use super::unknown::{BELOW, UnknownName};
use crate::explain::{Lang, Message, Wording, said};

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
        least: i128,
        most: i128,
    },
    /// An object with these fields.
    Object(Vec<String>),
    /// A text of this list.
    OneOf(Vec<String>),
    /// Description by one of the program's own types, in the order of [`Lang::ALL`].
    Words([&'static str; 5]),
}

/// Descriptions of accepted values by the program's own types, in each language.
const OWN_VALUES: [[&str; 5]; 2] = [
    [
        "a hand: an object, or a text such as \"[EEE,2]123m456p789s55s\"",
        "eine Hand: ein Objekt oder ein Text wie \"[EEE,2]123m456p789s55s\"",
        "en hånd: et objekt eller en tekst som \"[EEE,2]123m456p789s55s\"",
        "en hand: ett objekt eller en text som \"[EEE,2]123m456p789s55s\"",
        "手牌：对象，或文本，如 \"[EEE,2]123m456p789s55s\"",
    ],
    [
        "a list of codes, or codes with commas between them",
        "eine Liste von Codes, oder Codes mit Kommas dazwischen",
        "en liste af koder, eller koder med komma imellem",
        "en lista med koder, eller koder med kommatecken emellan",
        "代码的列表，或用逗号分隔的代码",
    ],
];

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

    /// Returns the kind with an article, in the order of [`Lang::ALL`].
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
            (Found::Number(_), _) => JsonKind::Number.words()[lang as usize],
            (Found::Kind(kind), _) => kind.words()[lang as usize],
        }
    }
}

impl Expected {
    /// Returns the expected value that a message of `serde` or of one of the program's own types
    /// names.
    fn new(words: &str) -> Option<Expected> {
        let range = |least: i128, most: i128| Some(Expected::Whole { least, most });
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
                let own = OWN_VALUES.into_iter().find(|own| own[0] == words);
                return own.map(Expected::Words);
            }
        };
        Some(Expected::Kind(kind))
    }

    fn text_in(&self, lang: Lang) -> String {
        match self {
            Expected::Kind(kind) => kind.words()[lang as usize].to_owned(),
            Expected::Whole { least, most } => match lang {
                Lang::En => format!("a whole number from {least} to {most}"),
                Lang::De => format!("eine ganze Zahl von {least} bis {most}"),
                Lang::Da => format!("et helt tal fra {least} til {most}"),
                Lang::Sv => format!("ett heltal från {least} till {most}"),
                Lang::Zh => format!("{least} 到 {most} 的整数"),
            },
            Expected::Object(names) => {
                let names = join_names(names);
                match lang {
                    Lang::En => format!("an object with {names}"),
                    Lang::De => format!("ein Objekt mit {names}"),
                    Lang::Da => format!("et objekt med {names}"),
                    Lang::Sv => format!("ett objekt med {names}"),
                    Lang::Zh => format!("含有 {names} 的对象"),
                }
            }
            Expected::OneOf(names) => {
                let names = join_names(names);
                match lang {
                    Lang::En => format!("one of {names}"),
                    Lang::De => format!("eines von {names}"),
                    Lang::Da => format!("en af {names}"),
                    Lang::Sv => format!("något av {names}"),
                    Lang::Zh => format!("{names} 之一"),
                }
            }
            Expected::Words(words) => words[lang as usize].to_owned(),
        }
    }
}

fn join_names(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

impl fmt::Display for JsonFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonFault::Syntax { line, column } => {
                write!(out, "this is not valid JSON: see line {line}, character {column}")
            }
            JsonFault::NotUtf8 { line, column } => {
                write!(out, "this is not UTF-8: see line {line}, character {column}")
            }
            JsonFault::BadEscape { line, column } => write!(
                out,
                "an escape with `\\u` stands for no character: see line {line}, character {column}"
            ),
            JsonFault::TooDeep => out.write_str("too many lists and objects inside one another"),
            JsonFault::HugeNumber => out.write_str("the number is too large"),
            JsonFault::NotText => out.write_str("expected a text"),
            JsonFault::Missing => out.write_str("the field is missing"),
            JsonFault::Unknown(unknown) => unknown.fmt(out),
            JsonFault::Twice => out.write_str("the field occurs twice"),
            JsonFault::NoneOf { value, accepted } => {
                write!(out, "`{value}` is not accepted; expected one of {}", join_names(accepted))
            }
            JsonFault::WrongValue { found, expected } => {
                let (wanted, found) =
                    (expected.text_in(Lang::En), found.text_in(expected, Lang::En));
                write!(out, "expected {wanted}, found {found}")
            }
            JsonFault::WrongLength { found, expected } => {
                write!(out, "expected {expected} entries, found {found}")
            }
            JsonFault::Own(wording) => wording.fmt(out),
            JsonFault::Unusable => out.write_str("this value can't be used here"),
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
            JsonFault::NotUtf8 { line, column } => said!(
                self,
                lang,
                "das ist kein UTF-8: siehe Zeile {line}, Zeichen {column}",
                "dette er ikke UTF-8: se linje {line}, tegn {column}",
                "detta är inte UTF-8: se rad {line}, tecken {column}",
                "这不是 UTF-8：见第 {line} 行第 {column} 个字符",
            ),
            JsonFault::BadEscape { line, column } => said!(
                self,
                lang,
                "eine Angabe mit `\\u` steht für kein Zeichen: siehe Zeile {line}, Zeichen {column}",
                "en angivelse med `\\u` står ikke for noget tegn: se linje {line}, tegn {column}",
                "en angivelse med `\\u` står inte för något tecken: se rad {line}, tecken {column}",
                "`\\u` 转义不代表任何字符：见第 {line} 行第 {column} 个字符",
            ),
            JsonFault::TooDeep => said!(
                self,
                lang,
                "zu viele Listen und Objekte ineinander",
                "for mange lister og objekter inden i hinanden",
                "för många listor och objekt inuti varandra",
                "列表和对象嵌套过深",
            ),
            JsonFault::HugeNumber => said!(
                self,
                lang,
                "die Zahl ist zu groß",
                "tallet er for stort",
                "talet är för stort",
                "数字过大",
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
                let accepted = join_names(accepted);
                said!(
                    self,
                    lang,
                    "`{value}` geht hier nicht; erwartet wird eines von {accepted}",
                    "`{value}` kan ikke bruges her; forventet en af {accepted}",
                    "`{value}` går inte här; förväntat något av {accepted}",
                    "不接受 `{value}`；应为 {accepted} 之一",
                )
            }
            JsonFault::WrongValue { found, expected } => {
                let (expected, found) = (expected.text_in(lang), found.text_in(expected, lang));
                said!(
                    self,
                    lang,
                    "erwartet: {expected}; gefunden: {found}",
                    "forventet: {expected}; fundet: {found}",
                    "förväntat: {expected}; hittat: {found}",
                    "应为{expected}，实际为{found}",
                )
            }
            JsonFault::WrongLength { found, expected } => said!(
                self,
                lang,
                "erwartet: {expected} Einträge; gefunden: {found}",
                "forventet: {expected} poster; fundet: {found}",
                "förväntat: {expected} poster; hittat: {found}",
                "应为 {expected} 项，实际为 {found} 项",
            ),
            JsonFault::Own(wording) => wording.said(lang).to_owned(),
            JsonFault::Unusable => said!(
                self,
                lang,
                "dieser Wert geht hier nicht",
                "denne værdi kan ikke bruges her",
                "det här värdet går inte här",
                "此值不能用在这里",
            ),
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

    #[test]
    fn faults_are_said_in_five_languages() {
        let accepted = vec!["east".to_owned(), "south".to_owned()];
        let number =
            |expected| JsonFault::WrongValue { found: Found::Number("1.5".to_owned()), expected };
        let mut faults = vec![
            JsonFault::Syntax { line: 31, column: 42 },
            JsonFault::NotUtf8 { line: 31, column: 42 },
            JsonFault::BadEscape { line: 31, column: 42 },
            JsonFault::TooDeep,
            JsonFault::HugeNumber,
            JsonFault::NotText,
            JsonFault::Missing,
            JsonFault::Twice,
            JsonFault::NoneOf { value: "up".to_owned(), accepted: accepted.clone() },
            number(Expected::Kind(JsonKind::Text)),
            number(Expected::Whole { least: 7, most: 9 }),
            number(Expected::Object(accepted.clone())),
            number(Expected::OneOf(accepted)),
            JsonFault::WrongLength { found: 31, expected: 42 },
            JsonFault::Unusable,
        ];
        faults.extend(OWN_VALUES.map(|words| number(Expected::Words(words))));
        check(faults, &["31", "42", "`up`", "`east`, `south`", "1.5", "7", "9", "[EEE,2]"]);
    }

    /// Every description of an accepted value by a type is found word for word.
    #[test]
    fn values_that_types_describe_are_known() {
        use crate::context::DeclaredSet;
        use crate::contract::HandInput;

        let texts = [
            serde_json::from_str::<HandInput>("7").expect_err("no hand").to_string(),
            serde_json::from_str::<DeclaredSet>("7").expect_err("no codes").to_string(),
        ];
        for (text, words) in texts.iter().zip(OWN_VALUES) {
            let text = text.split(" at line ").next().unwrap_or_default();
            let expected = Expected::Words(words);
            let found = Found::Number("7".to_owned());
            assert_eq!(JsonFault::from_message(text), JsonFault::WrongValue { found, expected });
        }
    }
}
