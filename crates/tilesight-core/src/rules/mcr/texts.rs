//! Texts of MCR in five languages: names and explanations of the fans, and meanings of the options.
//!
//! Data only. Invariant: every table has a text for every fan, in the order of the fan numbers, and
//! no two fans share a name in any language.

mod da;
mod de;
mod en;
mod options;
mod sv;
mod zh;

use crate::lang::Lang;
use crate::rules::Text as FanText;

pub(super) use options::option;

const TABLES: [&[FanText; 82]; 5] = [&en::TEXTS, &de::TEXTS, &da::TEXTS, &sv::TEXTS, &zh::TEXTS];

/// Returns the name and explanation of the fan with a number of 1 to 82, in every language.
pub(super) const fn of_number(number: u8) -> [FanText; 5] {
    let at = number as usize - 1;
    [TABLES[0][at], TABLES[1][at], TABLES[2][at], TABLES[3][at], TABLES[4][at]]
}

/// Returns the name of the fan with a number of 1 to 82.
fn name(number: u8, lang: Lang) -> &'static str {
    TABLES[lang as usize][usize::from(number) - 1].name
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rules::Fan;

    #[test]
    fn every_fan_has_its_own_name_and_an_explanation_in_every_language() {
        for lang in Lang::ALL {
            let mut names = HashSet::new();
            for number in 1..=82 {
                let text = of_number(number)[lang as usize];
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
            assert_eq!(one.rule().name(Lang::En), one.name(), "{}", one.number());
        }
    }

    /// Compares names that the sources give with a number, so a text at the wrong fan fails.
    #[test]
    fn names_are_at_their_numbers() {
        let named = name;
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
}
