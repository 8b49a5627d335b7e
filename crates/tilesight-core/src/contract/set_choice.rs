//! The choice of an own set: the tile set, taught by a person, that a photo is read with.
//!
//! Input: the name of a set, or `auto`, as a text in queries, forms, JSON, flags and tables.
//! Output: a [`SetChoice`], which is written as the same text. Invariant: a name is one line of at
//! most [`SetName::MAX_LENGTH`] printable characters, without spaces at its ends, and is not a word
//! with a meaning of its own.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::explain::{Lang, Message, display_english};
use crate::texts;

/// Name of an own set.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetName(String);

/// Error when a text is not the name of an own set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SetNameError(String);

display_english!(SetNameError);

impl Message for SetNameError {
    fn text(&self, lang: Lang) -> String {
        let SetNameError(text) = self;
        texts::invalid::set_name(lang, text, SetName::MAX_LENGTH)
    }
}

impl SetName {
    /// Maximum number of characters.
    pub const MAX_LENGTH: usize = 40;

    /// Returns the name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Words that choose something else than a set of this name.
const RESERVED: [&str; 2] = ["auto", "none"];

impl FromStr for SetName {
    type Err = SetNameError;

    fn from_str(text: &str) -> Result<SetName, SetNameError> {
        let is_name = (1..=SetName::MAX_LENGTH).contains(&text.chars().count())
            && text.trim() == text
            && !text.chars().any(is_invisible)
            && !RESERVED.iter().any(|word| word.eq_ignore_ascii_case(text));
        if is_name { Ok(SetName(text.to_owned())) } else { Err(SetNameError(text.to_owned())) }
    }
}

/// Returns whether a character has no shape of its own, or changes the order of those around it.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '`' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Choice of an own set for a photo.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SetChoice {
    /// The set that explains the photo best, or none.
    Auto,
    /// The set of this name.
    Named(SetName),
}

impl fmt::Display for SetChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetChoice::Auto => f.write_str(RESERVED[0]),
            SetChoice::Named(name) => name.fmt(f),
        }
    }
}

impl FromStr for SetChoice {
    type Err = SetNameError;

    fn from_str(text: &str) -> Result<SetChoice, SetNameError> {
        if text == RESERVED[0] { Ok(SetChoice::Auto) } else { text.parse().map(SetChoice::Named) }
    }
}

/// Implements serialization of types as their texts.
macro_rules! serde_as_text {
    ($($name:ty),+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    )+};
}

serde_as_text!(SetName, SetChoice);

impl PartialSchema for SetChoice {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(SetName::MAX_LENGTH))
            .description(Some("Name of an own set, or `auto`."))
            .into()
    }
}

impl ToSchema for SetChoice {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_written_as_it_was_read() {
        for text in ["auto", "Home", "Oma's set", "麻將", "a"] {
            let choice: SetChoice = text.parse().expect(text);
            assert_eq!(choice.to_string(), text);
            let json = serde_json::to_string(&choice).expect("a text");
            assert_eq!(serde_json::from_str::<SetChoice>(&json).expect("the same"), choice);
        }
        assert_eq!("auto".parse(), Ok(SetChoice::Auto));
    }

    #[test]
    fn a_name_is_one_line_that_people_can_tell_apart() {
        let long = "x".repeat(SetName::MAX_LENGTH + 1);
        for text in ["", " ", " a", "a ", "a\nb", "a\u{202e}b", "AUTO", "none", "`", &long] {
            let error = text.parse::<SetName>().expect_err(text);
            assert_ne!(error.text(Lang::De), error.text(Lang::En));
        }
        assert!("auto".parse::<SetName>().is_err());
        assert!(serde_json::from_str::<SetChoice>("7").is_err());
    }
}
