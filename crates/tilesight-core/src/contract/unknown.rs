//! Unknown names in a request: parts of forms, parameters of queries, fields of JSON.
//!
//! Input: the name as it was sent, and the names that exist. Output: an [`UnknownName`], in five
//! languages. Invariant: the message is the same for every form of request.

use serde::de;

use crate::explain::{Lang, Message, display_english};
use crate::texts;

/// An unknown name. The sender can fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// Kind of element that the name was used for.
    pub sort: NameSort,
    /// The name as it was sent.
    pub name: String,
    /// Names that exist.
    pub known: Vec<String>,
}

/// Kind of element that has a name in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameSort {
    /// A part of a form.
    Part,
    /// A parameter of the query.
    Parameter,
    /// A field of JSON.
    Field,
}

/// Prefix of the messages of [`refused_field`]. The path of such an error ends above the field.
pub(super) const BELOW: &str = "in the object: ";

/// Returns the error about a field that is rejected after the whole object was read.
#[must_use]
pub(crate) fn refused_field<E: de::Error>(name: &str, known: &[&str]) -> E {
    let known = known.iter().map(|&known| known.to_owned()).collect();
    let unknown = UnknownName { sort: NameSort::Field, name: name.to_owned(), known };
    E::custom(format_args!("{BELOW}{unknown}"))
}

impl UnknownName {
    /// Returns the error about a part of a form that is not one of `known`.
    #[must_use]
    pub fn part(name: &str, known: &[impl AsRef<str>]) -> UnknownName {
        let known = known.iter().map(|known| known.as_ref().to_owned()).collect();
        UnknownName { sort: NameSort::Part, name: name.to_owned(), known }
    }

    /// Parses the message of an error about an unknown field, which `serde` always writes in the
    /// same form.
    pub(crate) fn find_in_message(message: &str) -> Option<UnknownName> {
        let (name, expected) = message.strip_prefix("unknown field `")?.split_once("`, ")?;
        // Each name is between backticks, and no known name contains a backtick.
        let known = expected.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        Some(UnknownName { sort: NameSort::Field, name: name.to_owned(), known })
    }

    /// Returns the names that exist, each in backticks.
    fn names(&self) -> String {
        let names: Vec<String> = self.known.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    }
}

impl NameSort {
    /// Returns the word with an adjective.
    const fn text(self, lang: Lang) -> &'static str {
        match self {
            NameSort::Part => texts::unknown_name::part(lang),
            NameSort::Parameter => texts::unknown_name::parameter(lang),
            NameSort::Field => texts::unknown_name::field(lang),
        }
    }
}

display_english!(UnknownName);

impl Message for UnknownName {
    fn text(&self, lang: Lang) -> String {
        let UnknownName { sort, name, known } = self;
        let (what, names) = (sort.text(lang), self.names());
        texts::unknown_name::message(lang, known.len().max(1), what, name, names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_parser_are_understood() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code, reason = "only its names count")]
        struct Two {
            #[serde(default)]
            a: u8,
            #[serde(default)]
            b: u8,
        }

        let error = serde_json::from_str::<Two>(r#"{ "c": 1 }"#).expect_err("unknown");
        let unknown = UnknownName::find_in_message(&error.to_string()).expect("an unknown field");
        assert_eq!(
            (&*unknown.name, unknown.known.as_slice()),
            ("c", &["a".into(), "b".into()][..])
        );
        assert_eq!(unknown.to_string(), "unknown field `c`, expected one of `a`, `b`");
        let other = serde_json::from_str::<Two>(r#"{ "a": "x" }"#).expect_err("no number");
        assert_eq!(UnknownName::find_in_message(&other.to_string()), None);
    }
}
