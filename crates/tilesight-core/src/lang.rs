//! The languages of names, explanations and messages.
//!
//! Input: a language tag (BCP 47) or the name of a locale. Output: a [`Lang`]. Invariant: tables of
//! texts have one entry for each language, in the order of [`Lang::ALL`].

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
    /// Chinese in simplified characters.
    Zh,
    /// Chinese in traditional characters, as in Taiwan and Hong Kong.
    #[serde(rename = "zh-Hant")]
    ZhHant,
    /// Japanese.
    Ja,
}

/// Error when a language code names none of the languages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a language: expected en, de, da, sv, zh, zh-Hant or ja")]
pub struct UnknownLang(pub String);

impl Lang {
    /// Number of languages.
    pub const COUNT: usize = 7;

    /// All languages.
    pub const ALL: [Lang; Lang::COUNT] =
        [Lang::En, Lang::De, Lang::Da, Lang::Sv, Lang::Zh, Lang::ZhHant, Lang::Ja];

    /// Returns the language tag.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::De => "de",
            Lang::Da => "da",
            Lang::Sv => "sv",
            Lang::Zh => "zh",
            Lang::ZhHant => "zh-Hant",
            Lang::Ja => "ja",
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

    /// Reads a tag or a locale, which may have a script, a region and an encoding (`de-AT`,
    /// `zh-Hant-HK`, `zh_TW.UTF-8`). Chinese is in simplified characters unless the script or the
    /// region says otherwise.
    fn from_str(text: &str) -> Result<Lang, UnknownLang> {
        let tag = text.split(['.', '@']).next().unwrap_or(text);
        let mut subtags = tag.split(['-', '_']);
        let language = subtags.next().unwrap_or(tag);
        let found = Lang::ALL.into_iter().find(|lang| lang.code().eq_ignore_ascii_case(language));
        match found {
            Some(Lang::Zh) if subtags.find_map(is_traditional).unwrap_or_default() => {
                Ok(Lang::ZhHant)
            }
            found => found.ok_or_else(|| UnknownLang(text.to_owned())),
        }
    }
}

/// Returns whether a script or a region of Chinese writes traditional characters; `None` for any
/// other subtag. The script comes first in a tag, so that it outweighs the region.
fn is_traditional(subtag: &str) -> Option<bool> {
    match subtag.to_ascii_lowercase().as_str() {
        "hant" | "tw" | "hk" | "mo" => Some(true),
        "hans" | "cn" | "sg" | "my" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_read_back() {
        for lang in Lang::ALL {
            assert_eq!(lang.code().parse(), Ok(lang));
            let json = format!("\"{lang}\"");
            assert_eq!(serde_json::to_string(&lang).expect("a text"), json);
            assert_eq!(serde_json::from_str::<Lang>(&json).expect("a language"), lang);
        }
    }

    #[test]
    fn tags_and_locales_name_their_language() {
        for (text, lang) in [
            ("de-AT", Lang::De),
            ("DE", Lang::De),
            ("sv_SE.UTF-8", Lang::Sv),
            ("ja-JP", Lang::Ja),
            ("ja_JP.UTF-8", Lang::Ja),
            ("zh_CN", Lang::Zh),
            ("zh-SG", Lang::Zh),
            ("zh-Hans", Lang::Zh),
            ("zh-Hans-HK", Lang::Zh),
            ("zh-Hant", Lang::ZhHant),
            ("zh-hant-cn", Lang::ZhHant),
            ("zh-TW", Lang::ZhHant),
            ("zh-HK", Lang::ZhHant),
            ("zh-mo", Lang::ZhHant),
            ("zh_TW.UTF-8", Lang::ZhHant),
            ("zh_HK.UTF-8@latin", Lang::ZhHant),
        ] {
            assert_eq!(text.parse(), Ok(lang), "{text}");
        }
        for text in ["fr", "", "zhx", "hant", "C.UTF-8"] {
            assert!(text.parse::<Lang>().is_err(), "{text}");
        }
    }
}
