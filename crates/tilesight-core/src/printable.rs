//! Detection and escaping of unprintable characters in texts, for terminals and lists.
//!
//! Input: texts from people, files and services. Output: whether a text has characters that can't
//! be printed, and the text with those escaped as `\u001b`. Unprintable are the control characters
//! (C0, DEL, C1), with which a text can clear the screen or change a title; the separators of lines
//! and paragraphs; and the characters that reverse the direction of writing, so that `gpj.exe`
//! looks like `exe.jpg` (Unicode Technical Report 36, "Bidirectional Text Spoofing"). Invariant: an
//! escaped text is printable, and means the same if it is JSON.

use std::borrow::Cow;
use std::fmt::Write as _;

mod path;

pub use path::path_text;
pub use path::{ESCAPE, reversible};

/// Returns whether a character has another effect than being visible.
#[must_use]
pub fn is_unprintable(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the first unprintable character of a text.
#[must_use]
pub fn unprintable(text: &str) -> Option<char> {
    text.chars().find(|&letter| is_unprintable(letter))
}

/// Returns a text in one line, with its unprintable characters escaped.
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    escaped_but(text, &[])
}

/// Returns a text with its unprintable characters escaped, except line breaks and tabs.
#[must_use]
pub fn escaped_lines(text: &str) -> Cow<'_, str> {
    escaped_but(text, &['\n', '\t'])
}

fn escaped_but<'a>(text: &'a str, kept: &[char]) -> Cow<'a, str> {
    if !text.chars().any(|letter| is_escaped(letter, kept)) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_escaped(letter, kept) {
            // Writing to a string never fails. No unprintable character needs more than four
            // digits.
            let _ = write!(plain, "\\u{:04x}", u32::from(letter));
        } else {
            plain.push(letter);
        }
    }
    Cow::Owned(plain)
}

fn is_escaped(letter: char, kept: &[char]) -> bool {
    is_unprintable(letter) && !kept.contains(&letter)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn control_characters_are_written_out() {
        for (text, one_line) in [
            ("", ""),
            ("Anna", "Anna"),
            ("Åse, 王小明 🀄", "Åse, 王小明 🀄"),
            ("\u{1b}[2Jgone", "\\u001b[2Jgone"),
            ("a\u{7f}b\u{9b}31m", "a\\u007fb\\u009b31m"),
            ("photo\u{202e}gpj.exe", "photo\\u202egpj.exe"),
            ("\u{2066}a\u{2069}", "\\u2066a\\u2069"),
            ("one\u{2028}two", "one\\u2028two"),
            ("one\r\n\ttwo\0", "one\\u000d\\u000a\\u0009two\\u0000"),
        ] {
            assert_eq!(escaped(text), one_line, "{text:?}");
        }
        assert_eq!(escaped_lines("a\tb\r\nc\n"), "a\tb\\u000d\nc\n");
    }

    #[test]
    fn marks_that_scripts_need_stay() {
        // Joiners shape Persian and emoji. The marks of direction do not reverse any text.
        for letter in ['\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{fe0f}', '\u{301}'] {
            assert!(!is_unprintable(letter), "{letter:?}");
        }
    }

    proptest! {
        /// Escaped texts are printable, and printable texts are unchanged.
        #[test]
        fn escaped_texts_are_printable(text in any::<String>(), more in "[\u{0}-\u{9f}\u{2028}-\u{202f}\u{2060}-\u{206f}]{0,9}") {
            let text = text + &more;
            let one_line = escaped(&text);
            prop_assert_eq!(unprintable(&one_line), None);
            prop_assert_eq!(one_line == text, unprintable(&text).is_none());
            prop_assert!(!escaped_lines(&text).chars().any(|c| is_unprintable(c) && c != '\n' && c != '\t'));
            prop_assert_eq!(&escaped(&one_line), &one_line);
        }

        /// A text that is written as JSON and then escaped is still the same text.
        #[test]
        fn json_means_the_same(text in any::<String>(), more in "[\u{7f}-\u{9f}\u{2028}-\u{202f}]{0,9}") {
            let text = text + &more;
            let json = serde_json::to_string(&text).expect("a text");
            let read: String = serde_json::from_str(&escaped_lines(&json)).expect("JSON");
            prop_assert_eq!(read, text);
        }
    }
}
