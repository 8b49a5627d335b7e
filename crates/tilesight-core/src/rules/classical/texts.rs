//! Texts of the classical game in five languages: names and explanations of the lines, and meanings
//! of the options.
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
pub(super) const LINES: usize = 64;

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
    use crate::rules::classical::Line;

    #[test]
    fn every_line_has_its_own_name_and_an_explanation_in_every_language() {
        for lang in Lang::ALL {
            let mut names = HashSet::new();
            for line in Line::ALL {
                let text = of_line(line as usize)[lang as usize];
                assert!(
                    names.insert(text.name),
                    "{lang} {}: {} twice",
                    line.rule().code,
                    text.name
                );
                assert!(text.explanation.ends_with(['.', '。']), "{lang} {}", line.rule().code);
            }
        }
    }

    /// Compares each text with the line that its file names above it, so a text at the wrong line
    /// fails.
    #[test]
    fn texts_are_in_the_order_of_the_lines() {
        for (lang, file) in [
            ("en", include_str!("texts/en.rs")),
            ("de", include_str!("texts/de.rs")),
            ("da", include_str!("texts/da.rs")),
            ("sv", include_str!("texts/sv.rs")),
            ("zh", include_str!("texts/zh.rs")),
        ] {
            let comments = file.lines().filter_map(|line| line.trim().strip_prefix("// "));
            let codes: Vec<&str> = comments.collect();
            assert_eq!(codes, Line::ALL.map(|line| line.rule().code), "{lang}");
        }
    }
}
