//! Messages for people, in every language.
//!
//! The texts are in the catalogues of `crates/tilesight-texts`; a build script turns them into
//! functions. A [`Message`] chooses the function, and its `Display` writes the English text
//! ([`display_english`]). A [`Wording`] keeps all translations until the reader's language is
//! known. `serde` hands the faults of a type on as things to display; their alternate form
//! (`{:#}`) keeps the translations.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Lang;

/// A message in every language.
pub trait Message: fmt::Display {
    /// Returns the message in a language; in English, the text that `Display` writes.
    fn text(&self, lang: Lang) -> String;
}

impl<M: Message + ?Sized> Message for &M {
    fn text(&self, lang: Lang) -> String {
        (**self).text(lang)
    }
}

/// A text for people: in English, with translations if it comes from a [`Message`].
#[derive(Debug, Clone)]
pub struct Wording {
    english: String,
    /// Translations in the order of [`Lang::ALL`], without English.
    translations: Option<Box<[String; Lang::COUNT - 1]>>,
}

impl Wording {
    /// Returns a message in all languages.
    pub fn from_message(message: &(impl Message + ?Sized)) -> Wording {
        Wording::new(|lang| message.text(lang))
    }

    /// Returns the text that `text` gives for each language.
    pub fn new(text: impl Fn(Lang) -> String) -> Wording {
        let [english, others @ ..] = Lang::ALL.map(text);
        Wording { english, translations: Some(Box::new(others)) }
    }

    /// Returns the message in all languages if `message` is a [`Message`] or a translated
    /// [`Wording`], which its alternate form tells.
    pub(crate) fn from_display(message: &(impl fmt::Display + ?Sized)) -> Option<Wording> {
        let texts: [String; Lang::COUNT] = serde_json::from_str(&format!("{message:#}")).ok()?;
        let [english, others @ ..] = texts;
        Some(Wording { english, translations: Some(Box::new(others)) })
    }

    /// Returns the text in a language, or in English if it has no translations.
    #[must_use]
    pub fn text(&self, lang: Lang) -> &str {
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
        match &self.translations {
            Some(_) if out.alternate() => write_all(out, |lang| self.text(lang).to_owned()),
            _ => out.pad(&self.english),
        }
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

/// Writes the text of every language as a list in JSON.
#[doc(hidden)]
pub fn write_all(out: &mut fmt::Formatter<'_>, text: impl Fn(Lang) -> String) -> fmt::Result {
    let texts = Lang::ALL.map(text);
    out.write_str(&serde_json::to_string(&texts).map_err(|_| fmt::Error)?)
}

/// Implements `Display` for messages: their English text, and in the alternate form the texts of
/// all languages.
#[macro_export]
#[doc(hidden)]
macro_rules! display_english {
    ($($message:ty),+ $(,)?) => {$(
        impl ::std::fmt::Display for $message {
            fn fmt(&self, out: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                if out.alternate() {
                    return $crate::explain::write_all(out, |lang| {
                        $crate::explain::Message::text(self, lang)
                    });
                }
                let english = $crate::explain::Lang::En;
                out.write_str(&$crate::explain::Message::text(self, english))
            }
        }
    )+};
}

pub use crate::display_english;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_translations_is_the_same_for_everybody() {
        let text = Wording::from("as it is");
        assert!(Lang::ALL.iter().all(|&lang| text.text(lang) == "as it is"));
        let translated = Wording::new(|lang| format!("in {lang}")).map(|text| format!("{text}!"));
        assert_eq!(
            Lang::ALL.map(|lang| translated.text(lang).to_owned()),
            Lang::ALL.map(|lang| format!("in {lang}!"))
        );
        assert_eq!(translated, "in en!");
    }
}
