//! Names of players that people can tell apart.
//!
//! Input: names as people typed them. Output: whether a name can be seen, and whether two look
//! alike. Two names look alike if they differ only in upper and lower case, in their Unicode form
//! (a letter with its accent as one character or as two, full-width letters), in spaces, or in
//! characters that show nothing. That is the compatibility caseless match of the Unicode Standard
//! (D146) without default-ignorable characters. Invariant: a name looks like itself.

use caseless::Caseless as _;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Returns the form in which names that look alike are equal.
pub(crate) fn fold(name: &str) -> String {
    let shown = name.chars().filter(|&letter| !is_ignorable(letter));
    let folded: String =
        shown.nfd().default_case_fold().nfkd().default_case_fold().nfkd().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a name shows a letter, a digit or a sign, rather than only spaces and marks.
pub(crate) fn is_visible(name: &str) -> bool {
    name.chars().any(|letter| {
        !letter.is_whitespace()
            && !letter.is_control()
            && !is_ignorable(letter)
            && !is_combining_mark(letter)
            && letter != BLANK_BRAILLE
    })
}

/// The Braille pattern without dots.
const BLANK_BRAILLE: char = '\u{2800}';

/// Returns whether a character shows nothing by itself: it has the property
/// Default_Ignorable_Code_Point of Unicode 17, such as joiners, direction marks and fillers.
const fn is_ignorable(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_that_look_alike_fold_to_one_form() {
        for (one, other) in [
            ("Anna", "anna"),
            ("Åse", "A\u{30a}se"),
            ("ÅSE", "a\u{30a}se"),
            ("Ａｎｎａ", "anna"),
            ("Straße", "STRASSE"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
            ("An\u{200d}na", "Anna"),
            ("Anna\u{feff}", "Anna"),
            ("Anna B", "Anna\u{a0} \u{2003}b"),
            ("Ⅸ", "ix"),
            ("ｶﾞ", "ガ"),
        ] {
            assert_eq!(fold(one), fold(other), "{one:?} {other:?}");
        }
        for (one, other) in
            [("Anna", "Anne"), ("Åse", "Ase"), ("王", "玉"), ("Bo", "Bob"), ("ö", "o")]
        {
            assert_ne!(fold(one), fold(other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_name_without_a_visible_character_is_none() {
        for name in
            ["", " ", "\u{200b}", "\u{2060}\u{feff}", "\u{3164}", "\u{2800}", "\u{200f}", "\u{301}"]
        {
            assert!(!is_visible(name), "{name:?}");
        }
        for name in ["A", "王", "🀄", "1", "?", "e\u{301}", "\u{200f}א"] {
            assert!(is_visible(name), "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn case_and_form_change_nothing(name in any::<String>()) {
            let form = fold(&name);
            prop_assert_eq!(&fold(&name.nfc().collect::<String>()), &form);
            prop_assert_eq!(&fold(&name.nfkd().collect::<String>()), &form);
            prop_assert_eq!(&fold(&form), &form);
        }
    }
}
