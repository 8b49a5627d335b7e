//! The words for people: names and explanations of all fans in five languages, and the labels of
//! the printed score.
//!
//! Everything is data: one table of 82 texts and one set of labels for each [`Lang`], nothing is
//! computed. Invariant: every table has a text for every fan, in the order of the fan numbers, and
//! no two fans share a name in any language. Codes, which are the same in all languages, belong to
//! the fans themselves.

mod da;
mod de;
mod en;
mod labels;
mod rulesets;
mod sv;
mod zh;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::rules::Fan;

pub use labels::Labels;
pub use rulesets::{RulesetText, option, ruleset};

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

    const fn texts(self) -> &'static [FanText; 82] {
        match self {
            Lang::En => &en::TEXTS,
            Lang::De => &de::TEXTS,
            Lang::Da => &da::TEXTS,
            Lang::Sv => &sv::TEXTS,
            Lang::Zh => &zh::TEXTS,
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

/// What people call a fan, and what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FanText {
    /// The name.
    pub name: &'static str,
    /// One sentence on what the hand must have.
    pub explanation: &'static str,
}

/// The name and explanation of a fan.
#[must_use]
pub fn fan(fan: Fan, lang: Lang) -> FanText {
    lang.texts()[usize::from(fan.number()) - 1]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_fan_has_its_own_name_and_an_explanation_in_every_language() {
        for lang in Lang::ALL {
            let mut names = HashSet::new();
            for number in 1..=82 {
                let text = fan(Fan::from_number(number).expect("every number has a fan"), lang);
                assert!(!text.name.trim().is_empty(), "{lang} {number}");
                assert!(names.insert(text.name), "{lang} {number}: {} twice", text.name);
                assert!(text.explanation.chars().count() >= 5, "{lang} {number}");
                assert!(text.explanation.ends_with(['.', '。']), "{lang} {number}");
            }
        }
    }

    #[test]
    fn english_names_are_those_of_the_codes() {
        for one in Fan::ALL {
            assert_eq!(fan(one, Lang::En).name, one.name(), "{}", one.number());
        }
    }

    /// A table whose lines slipped would show here: names that the sources give with a number.
    #[test]
    fn names_stand_at_their_numbers() {
        let named = |number, lang| fan(Fan::from_number(number).expect("a fan"), lang).name;
        for (number, name) in [
            (4, "Neun Laternen"),
            (19, "Sieben Paare"),
            (24, "Reine drei aufsteigende Drillinge"),
            (34, "Unverwandte Ziegel"),
            (38, "Drei Winde"),
            (49, "Drillinghand"),
            (56, "Völlig verdeckte Hand"),
            (63, "Folgehand"),
            (75, "Nur zwei Grundfarben"),
            (80, "Eigener Zug"),
        ] {
            assert_eq!(named(number, Lang::De), name);
        }
        for (number, name) in [
            (8, "清幺九"),
            (22, "清一色"),
            (43, "无番和"),
            (58, "和绝张"),
            (68, "断幺"),
            (80, "自摸"),
        ] {
            assert_eq!(named(number, Lang::Zh), name);
        }
        assert_eq!(named(52, Lang::Da), "Alle typer");
        assert_eq!(named(62, Lang::Sv), "Dold hand");
    }

    #[test]
    fn labels_that_carry_something_have_a_place_for_it() {
        for lang in Lang::ALL {
            let labels = lang.labels();
            let carrying = [labels.without_flowers, labels.minimum_met, labels.implied];
            let more = [labels.same_fan_twice, labels.account_once];
            for label in carrying.iter().chain(&more).chain(&labels.minimum_missed) {
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
