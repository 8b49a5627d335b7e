//! Numbers with their nouns: `1 photo`, `2 photos`.
//!
//! Input: a count, and the singular and plural of a word. Output: the form that goes with the
//! count. English, German, Danish and Swedish have the same rule for whole numbers, and Chinese and
//! Japanese have one form. Halves have rules of their own, which are with the labels of a score.

use std::fmt::Display;

/// Returns the form of a word that goes with a count.
pub fn choose_form<'a, N: PartialEq + From<u8> + Copy>(
    count: N,
    one: &'a str,
    many: &'a str,
) -> &'a str {
    if count == N::from(1) { one } else { many }
}

/// Returns a count with its noun.
pub fn format_count<N: PartialEq + From<u8> + Display + Copy>(
    count: N,
    one: &str,
    many: &str,
) -> String {
    format!("{count} {}", choose_form(count, one, many))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        let photos = |count: usize| format_count(count, "photo", "photos");
        assert_eq!([0, 1, 2, 21].map(photos), ["0 photos", "1 photo", "2 photos", "21 photos"]);
    }
}
