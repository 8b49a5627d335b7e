//! Faults of JSON, in the program's own words.
//!
//! Input: JSON and the type to read. Output: the value, or a [`JsonFault`] in every language with
//! the path of the field. Invariant: the message states which value is wrong, what was found, and
//! what is accepted; positions are given only if the text as a whole is not JSON. No text of the
//! parser is read.

mod reader;
mod syntax;

use super::unknown::UnknownName;
use crate::explain::{Lang, Message, Wording, display_english};
use crate::texts;

pub(super) use self::reader::read;
pub(crate) use self::reader::read_parsed;

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
    /// A field is missing.
    Missing,
    /// A name does not exist.
    Unknown(UnknownName),
    /// A field occurs twice.
    Twice,
    /// A text is not one of the accepted texts.
    NoneOf { value: String, accepted: &'static [&'static str] },
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
    /// A number of the wrong kind, as the parser writes it.
    Number(String),
    /// A number that is out of range.
    OutOfRange(String),
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
    /// A text of this list.
    OneOf(&'static [&'static str]),
    /// A value that one of the program's own types describes.
    Own(Wording),
}

/// A fault with the path of the value that it is about; the path of the whole text is empty.
#[derive(Debug)]
pub(crate) struct FaultAt {
    pub(super) path: String,
    pub(super) fault: JsonFault,
}

fn join_names(lang: Lang, names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(lang.labels().list)
}

impl JsonKind {
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
    /// Returns the words for the value. A number is quoted only where a whole number is expected.
    fn text_in<'a>(&'a self, expected: &Expected, lang: Lang) -> &'a str {
        match (self, expected) {
            (Found::Number(number), Expected::Whole { .. }) | (Found::OutOfRange(number), _) => {
                number
            }
            (Found::Number(_), _) => JsonKind::Number.text(lang),
            (Found::Kind(kind), _) => kind.text(lang),
        }
    }
}

impl Expected {
    fn text_in(&self, lang: Lang) -> String {
        match self {
            Expected::Kind(kind) => kind.text(lang).to_owned(),
            Expected::Whole { min, max } => texts::json_value::whole_number(lang, min, max),
            Expected::OneOf(names) => texts::json_value::one_of(lang, join_names(lang, names)),
            Expected::Own(wording) => wording.text(lang).to_owned(),
        }
    }
}

display_english!(JsonFault, FaultAt);

impl Message for FaultAt {
    fn text(&self, lang: Lang) -> String {
        let text = self.fault.text(lang);
        match (&self.fault, self.path.as_str()) {
            (JsonFault::Unknown(_), _) | (_, "") => text,
            (_, path) => format!("{path}: {text}"),
        }
    }
}

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
            JsonFault::Missing => texts::json_fault::missing(lang).to_owned(),
            JsonFault::Unknown(unknown) => unknown.text(lang),
            JsonFault::Twice => texts::json_fault::twice(lang).to_owned(),
            JsonFault::NoneOf { value, accepted } => {
                let accepted = join_names(lang, accepted);
                texts::json_fault::none_of(lang, value, accepted)
            }
            JsonFault::WrongValue { found, expected } => {
                let found = found.text_in(expected, lang);
                let expected = expected.text_in(lang);
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
    use serde_json::Value;

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

    fn fault(json: &[u8]) -> FaultAt {
        read::<Sample>(json, "").expect_err(&String::from_utf8_lossy(json))
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
            let text = fault(json.as_bytes()).fault.to_string();
            assert!(text.contains(words), "{json}: {text}");
            for parser in ["invalid", "variant", "column", "struct ", "u32", "sequence", "EOF"] {
                assert!(!text.replace("not valid", "").contains(parser), "{json}: {text}");
            }
        }
        let missing = fault(br#"{"wind":"east","list":[]}"#);
        assert_eq!(missing.to_string(), "count: the field is missing");
        let latin = fault(b"{\"name\":\"Bj\xf8rn\"}").to_string();
        assert!(latin.starts_with("name: this is not UTF-8: see line 1"), "{latin}");
    }

    /// Types of the program state in every language which values they accept and refuse.
    #[test]
    fn refusals_of_own_types_are_translated() {
        use serde::de::DeserializeOwned;

        use crate::context::{CompletedSet, Count, DeclaredSet, Indicators};
        use crate::contract::{FocusDto, HandInput, RegionDto, SetName};
        use crate::evening::Player;
        use crate::rules::RulesetId;
        use crate::tile::{Bonus, Face, Tile};

        fn fault_of<T: DeserializeOwned>(json: &str) -> JsonFault {
            read::<T>(json.as_bytes(), "").err().expect(json).fault
        }

        for fault in [
            fault_of::<HandInput>("7"),
            fault_of::<DeclaredSet>("7"),
            fault_of::<Indicators>("7"),
            fault_of::<Count>("true"),
            fault_of::<Player>("4"),
            fault_of::<RulesetId>("\"Our `Club`\""),
            fault_of::<SetName>("\" Home\""),
            fault_of::<CompletedSet>("\"EW\""),
            fault_of::<DeclaredSet>("[\"hell\"]"),
            fault_of::<DeclaredSet>("\"heaven,heaven\""),
            fault_of::<Tile>("\"5x\""),
            fault_of::<Bonus>("\"f5\""),
            fault_of::<Face>("\"front\""),
            fault_of::<Indicators>("\"5p,x\""),
            fault_of::<Indicators>("[\"10m\"]"),
            fault_of::<Indicators>("\"1m,2m,3m,4m,5m,6m\""),
            fault_of::<Count>("100"),
            fault_of::<Count>("-1"),
            fault_of::<Count>("2.5"),
            fault_of::<Count>("\"two\""),
            fault_of::<FocusDto>("7"),
            fault_of::<FocusDto>("\"here\""),
            fault_of::<RegionDto>("{}"),
            fault_of::<RegionDto>("\"all\""),
            fault_of::<RegionDto>("\"1,1\""),
            fault_of::<RegionDto>("\"1,1 2,2 3,3\""),
        ] {
            assert_ne!(fault, JsonFault::Unusable);
            assert_ne!(fault.text(Lang::En), fault.text(Lang::De));
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
