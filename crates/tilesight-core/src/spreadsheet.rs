//! Texts as cells of a table that a spreadsheet opens.
//!
//! Input: a text that people, files or photos brought in. Output: the same, or with an apostrophe
//! before it where a spreadsheet would compute it: a cell that begins with `=`, `+`, `-`, `@`, a
//! tab or the end of a line is a formula to one program or another, and formulas can fetch and send
//! (OWASP, "CSV Injection"; the wide forms of Chinese and Japanese keyboards count as well). A text
//! that looks like one with an apostrophe already gets another. Invariants: no cell that is written
//! begins like a formula, and no two texts are written alike. Numbers never pass through here: -5
//! stays a number.

/// What a formula begins with.
const BEGINNINGS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// A text that no spreadsheet computes.
pub fn text(value: &str) -> String {
    let inner = value.trim_start_matches('\'');
    let apostrophe = if inner.starts_with(BEGINNINGS) { "'" } else { "" };
    format!("{apostrophe}{value}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_like_a_formula_gets_an_apostrophe() {
        for formula in ["=1+1", "+1", "-2-3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＠A"] {
            assert_eq!(text(formula), format!("'{formula}"));
        }
        assert_eq!(["'=1", "''@A"].map(text), ["''=1", "'''@A"]);
        for plain in ["", "Anna", "a=b", "[CCC,2]123m", "'quoted", " =1"] {
            assert_eq!(text(plain), plain);
        }
    }
}
