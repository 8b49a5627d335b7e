//! Columns of text on a terminal, where a Chinese character is two cells wide.
//!
//! Input: texts. Output: their width in cells, and texts filled up with spaces. Invariant: a text
//! that is too wide is never cut.

use unicode_width::UnicodeWidthStr;

/// Returns the width of the widest text, in cells.
pub(in crate::cli) fn widest<T: AsRef<str>>(texts: impl Iterator<Item = T>) -> usize {
    texts.map(|text| text.as_ref().width()).max().unwrap_or(0)
}

/// Returns the text with spaces after it, up to a width in cells.
pub(in crate::cli) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", missing(text, width))
}

/// Returns the text with spaces before it, up to a width in cells.
pub(in crate::cli) fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", missing(text, width))
}

fn missing(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.width()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chinese_character_takes_two_cells() {
        assert_eq!(widest(["ab", "立直", "abc"].iter()), 4);
        assert_eq!([pad("立", 4), pad_left("立", 4)], ["立  ", "  立"]);
        assert_eq!(pad("立直", 3), "立直");
    }
}
