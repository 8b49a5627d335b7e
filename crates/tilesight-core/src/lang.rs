//! The five languages of names, explanations and messages.
//!
//! Input: an ISO 639-1 code. Output: a [`Lang`]. Invariant: tables of texts have one entry for each
//! language, in the order of [`Lang::ALL`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A language of names, explanations and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// German.
    De,
    /// Danish.
    Da,
    /// Swedish.
    Sv,
    /// Chinese.
    Zh,
}

/// Error when a language code is not one of the five.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a language: expected en, de, da, sv or zh")]
pub struct UnknownLang(pub String);

impl Lang {
    /// All five languages.
    pub const ALL: [Lang; 5] = [Lang::En, Lang::De, Lang::Da, Lang::Sv, Lang::Zh];

    /// Returns the ISO 639-1 code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::De => "de",
            Lang::Da => "da",
            Lang::Sv => "sv",
            Lang::Zh => "zh",
        }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

impl FromStr for Lang {
    type Err = UnknownLang;

    /// Reads a code, which may have a region after it (`de-AT`, `zh_CN`).
    fn from_str(text: &str) -> Result<Lang, UnknownLang> {
        let language = text.split(['-', '_']).next().unwrap_or(text);
        Lang::ALL
            .into_iter()
            .find(|lang| lang.code().eq_ignore_ascii_case(language))
            .ok_or_else(|| UnknownLang(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_read_back() {
        for lang in Lang::ALL {
            assert_eq!(lang.code().parse(), Ok(lang));
        }
        assert_eq!("zh_CN".parse(), Ok(Lang::Zh));
        assert!("fr".parse::<Lang>().is_err());
    }
}
