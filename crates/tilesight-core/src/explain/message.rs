//! Messages for people, in every language.
//!
//! An error writes its English message with `Display`, and has a translation for every language as
//! a [`Message`]. A [`Wording`] keeps all translations until the reader's language is known.
//! Invariant: the English text of a message is what `Display` writes, so it exists only once.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Lang;

/// A message in every language.
pub trait Message: fmt::Display {
    /// Returns the message in a language; in English, the text that `Display` writes.
    fn said(&self, lang: Lang) -> String;
}

impl<M: Message + ?Sized> Message for &M {
    fn said(&self, lang: Lang) -> String {
        (**self).said(lang)
    }
}

/// A text for people: in English, with translations if it comes from a [`Message`].
#[derive(Debug, Clone)]
pub struct Wording {
    english: String,
    /// Translations in the order of [`Lang::ALL`], without English.
    translations: Option<Box<[String; 4]>>,
}

impl Wording {
    /// Returns a message in all languages.
    pub fn from_message(message: &(impl Message + ?Sized)) -> Wording {
        Wording::new(|lang| message.said(lang))
    }

    /// Returns the text that `said` gives for each language.
    pub fn new(said: impl Fn(Lang) -> String) -> Wording {
        let [english, others @ ..] = Lang::ALL.map(said);
        Wording { english, translations: Some(Box::new(others)) }
    }

    /// Returns the text in a language, or in English if it has no translations.
    #[must_use]
    pub fn said(&self, lang: Lang) -> &str {
        match (&self.translations, lang as usize) {
            (None, _) | (_, 0) => &self.english,
            (Some(translations), at) => &translations[at - 1],
        }
    }

    /// Returns the wording with every language's text changed by `change`.
    #[must_use]
    pub(crate) fn map(self, change: impl Fn(String) -> String) -> Wording {
        let translations = self.translations.map(|all| Box::new(all.map(&change)));
        Wording { english: change(self.english), translations }
    }
}

impl From<String> for Wording {
    /// Returns a text that is the same in every language.
    fn from(english: String) -> Wording {
        Wording { english, translations: None }
    }
}

impl From<&str> for Wording {
    fn from(english: &str) -> Wording {
        Wording::from(english.to_owned())
    }
}

impl Deref for Wording {
    type Target = str;

    fn deref(&self) -> &str {
        &self.english
    }
}

impl fmt::Display for Wording {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.english)
    }
}

impl PartialEq for Wording {
    /// Compares the English texts only; the translations mean the same.
    fn eq(&self, other: &Wording) -> bool {
        self.english == other.english
    }
}

impl Eq for Wording {}

impl<S: AsRef<str> + ?Sized> PartialEq<S> for Wording {
    fn eq(&self, other: &S) -> bool {
        self.english == other.as_ref()
    }
}

impl Serialize for Wording {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.english.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Wording {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Wording, D::Error> {
        String::deserialize(deserializer).map(Wording::from)
    }
}

/// A message in a language: the English text of its `Display`, or one of four translations, each
/// with the variables in scope in its braces.
#[macro_export]
#[doc(hidden)]
macro_rules! said {
    ($message:expr, $lang:expr, $de:literal, $da:literal, $sv:literal, $zh:literal $(,)?) => {
        match $lang {
            $crate::explain::Lang::En => ::std::string::ToString::to_string($message),
            $crate::explain::Lang::De => format!($de),
            $crate::explain::Lang::Da => format!($da),
            $crate::explain::Lang::Sv => format!($sv),
            $crate::explain::Lang::Zh => format!($zh),
        }
    };
}

pub use crate::said;

/// Asserts that each message has five different texts, and that every translation contains those of
/// the given parts, such as tiles and numbers, that its English text contains.
#[doc(hidden)]
#[track_caller]
pub fn check<M: Message>(messages: impl IntoIterator<Item = M>, parts: &[&str]) {
    for message in messages {
        let english = message.to_string();
        assert_eq!(message.said(Lang::En), english);
        let texts: std::collections::HashSet<String> =
            Lang::ALL.map(|lang| message.said(lang)).into();
        assert_eq!(texts.len(), Lang::ALL.len(), "{texts:?}");
        for part in parts.iter().filter(|part| english.contains(**part)) {
            for lang in Lang::ALL {
                assert!(message.said(lang).contains(part), "{part} in {}", message.said(lang));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_translations_is_the_same_for_everybody() {
        let text = Wording::from("as it is");
        assert!(Lang::ALL.iter().all(|&lang| text.said(lang) == "as it is"));
        let translated = Wording::new(|lang| format!("in {lang}")).map(|text| format!("{text}!"));
        assert_eq!(
            Lang::ALL.map(|lang| translated.said(lang).to_owned()),
            ["in en!", "in de!", "in da!", "in sv!", "in zh!",]
        );
        assert_eq!(translated, "in en!");
    }
}
