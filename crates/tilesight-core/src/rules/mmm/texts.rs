//! Texts of MMM in five languages: names and explanations of the lines, and meanings of the
//! options.
//!
//! Data only. Invariant: every table has a text for every line, in the order of the lines, and no
//! two lines share a name in any language.

mod da;
mod de;
mod en;
mod options;
mod sv;
mod zh;

use crate::rules::Text;

pub(super) use options::option;

/// Number of lines. The table of lines reads this number of texts, and a table of texts with more
/// or fewer does not compile.
pub(super) const LINES: usize = 54;

const TABLES: [&[Text; LINES]; 5] = [&en::TEXTS, &de::TEXTS, &da::TEXTS, &sv::TEXTS, &zh::TEXTS];

/// Returns the name and explanation of the line at a position, in every language.
pub(super) const fn of_line(at: usize) -> [Text; 5] {
    [TABLES[0][at], TABLES[1][at], TABLES[2][at], TABLES[3][at], TABLES[4][at]]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::lang::Lang;
    use crate::rules::mmm::{Line, Options};

    #[test]
    fn every_line_has_its_own_name_in_every_language() {
        for lang in Lang::ALL {
            let names: HashSet<_> = Line::ALL.iter().map(|line| line.rule().name(lang)).collect();
            assert_eq!(names.len(), LINES, "{lang}");
            for line in Line::ALL {
                let text = line.rule().explanation(lang);
                assert!(
                    text.chars().count() >= 5 && text.ends_with(['.', '。']),
                    "{lang} {line:?}"
                );
            }
        }
    }

    /// Compares names that the supplement gives with a number, so a text at the wrong line fails.
    #[test]
    fn danish_names_are_at_their_paragraphs() {
        for (section, name) in [
            ("1.2.1", "Fuldstændig skjult hånd"),
            ("1.2.6", "At stjæle en kong"),
            ("1.2.10", "Ingen officerer"),
            ("1.2.16", "Ens punger i tre rækker"),
            ("1.2.19", "Lille dragehånd"),
            ("1.2.21", "Syv par"),
            ("1.2.24", "Stor vindhånd"),
            ("1.2.29", "Ni lanterner"),
            ("1.2.30", "Jadehånd"),
        ] {
            let named = |line: &&Line| line.rule().name(Lang::Da) == name;
            let line = Line::ALL.iter().find(named).expect(name);
            assert_eq!(line.rule().paragraph.to_string(), section, "{name}");
        }
    }

    /// Checks that each English name shares a word with its code, so a text at the wrong line
    /// fails.
    #[test]
    fn codes_share_a_word_with_their_names() {
        for line in Line::ALL {
            let words = |text: &str| -> HashSet<String> {
                text.to_lowercase().split([' ', '_', '-', ',']).map(str::to_owned).collect()
            };
            let (code, name) = (words(line.rule().code), words(line.rule().name(Lang::En)));
            assert!(code.intersection(&name).count() >= 1, "{line:?}: {name:?}");
        }
    }

    #[test]
    fn every_option_is_explained() {
        let options = serde_json::to_value(Options::DEFAULT).expect("JSON");
        for name in options.as_object().expect("a struct").keys() {
            assert!(Lang::ALL.iter().all(|&lang| option(name, lang).is_some()), "{name}");
        }
        assert_eq!(option("riichi", Lang::En), None);
    }
}
