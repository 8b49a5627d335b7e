//! Unknown names in a request: parts of forms, parameters of queries, fields of JSON.
//!
//! Input: the name as it was sent, and the names that exist. Output: an [`UnknownName`], in five
//! languages. Invariant: the message is the same for every form of request.

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

impl UnknownName {
    /// Returns the error about a part of a form that is not one of `known`.
    #[must_use]
    pub fn part(name: &str, known: &[impl AsRef<str>]) -> UnknownName {
        let known = known.iter().map(|known| known.as_ref().to_owned()).collect();
        UnknownName { sort: NameSort::Part, name: name.to_owned(), known }
    }

    /// Returns the names that exist, each in backticks.
    fn names(&self, lang: Lang) -> String {
        let names: Vec<String> = self.known.iter().map(|name| format!("`{name}`")).collect();
        names.join(lang.labels().list)
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
        let what = sort.text(lang);
        let names = self.names(lang);
        texts::unknown_name::message(lang, known.len().max(1), what, name, names)
    }
}
