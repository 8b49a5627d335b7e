//! The words for people that belong to no rule: the five languages, and the labels of the printed
//! score.
//!
//! Everything is data: one set of labels for each [`Lang`], nothing is computed. Names and
//! explanations of rules are told by the [`Rule`](crate::rules::Rule)s themselves.

mod circumstances;
mod labels;
mod message;
mod messages;
mod rivals;
mod verdict;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use labels::Labels;
#[cfg(test)]
pub(crate) use message::check;
pub(crate) use message::said;
pub use message::{Message, Wording};
pub use verdict::fill;

/// A language that fans are explained in.
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

/// A language code that is not one of the five.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a language: expected en, de, da, sv or zh")]
pub struct UnknownLang(pub String);

impl Lang {
    /// All five.
    pub const ALL: [Lang; 5] = [Lang::En, Lang::De, Lang::Da, Lang::Sv, Lang::Zh];

    /// The ISO 639-1 code.
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

    /// The labels of the printed score.
    #[must_use]
    pub const fn labels(self) -> &'static Labels {
        match self {
            Lang::En => &labels::EN,
            Lang::De => &labels::DE,
            Lang::Da => &labels::DA,
            Lang::Sv => &labels::SV,
            Lang::Zh => &labels::ZH,
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

    /// Reads a code, also with a region behind it (`de-AT`, `zh_CN`).
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
    fn labels_that_carry_something_have_a_place_for_it() {
        for lang in Lang::ALL {
            let labels = lang.labels();
            let carrying = [labels.without_flowers, labels.minimum_met, labels.implied];
            let more = [
                labels.same_fan_twice,
                labels.account_once,
                labels.counts_alone,
                labels.completes,
                labels.other,
            ];
            let told = [
                labels.minimum_points,
                labels.doublings_short,
                labels.minimum_missed,
                labels.limit_is_near,
                labels.enough,
                labels.worth_less,
                labels.without,
                labels.instead,
            ];
            let counted =
                [labels.points_told, labels.doublings_told, labels.limits_short, labels.missing];
            let all = carrying.iter().chain(&more).chain(&told);
            for label in all.chain(counted.iter().flatten()) {
                assert_eq!(label.matches("{}").count(), 1, "{lang}: {label}");
            }
        }
    }

    #[test]
    fn languages_read_back() {
        for lang in Lang::ALL {
            assert_eq!(lang.code().parse(), Ok(lang));
        }
        assert_eq!("zh_CN".parse(), Ok(Lang::Zh));
        assert!("fr".parse::<Lang>().is_err());
    }
}
