//! Escaping of texts for cells of a table that a spreadsheet opens.
//!
//! Input: a text from people, files or photos. Output: the text, with an apostrophe before it if a
//! spreadsheet would evaluate it: a cell that begins with `=`, `+`, `-`, `@`, a tab or a line break
//! is a formula to some programs, and formulas can fetch and send data (OWASP, "CSV Injection"; the
//! wide forms of Chinese and Japanese keyboards count too). A text that already is an apostrophe
//! followed by a formula gets one more. Invariants: no written cell begins like a formula, and
//! different texts are written differently. Numbers are not escaped: -5 stays a number.

use std::fmt::Write as _;

/// First characters of a formula.
const BEGINNINGS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Returns a text that no spreadsheet evaluates.
#[must_use]
pub fn text(value: &str) -> String {
    let inner = value.trim_start_matches('\'');
    let apostrophe = if inner.starts_with(BEGINNINGS) { "'" } else { "" };
    format!("{apostrophe}{value}")
}

/// Returns the text that [`text`] wrote as this one.
#[must_use]
pub fn original(written: &str) -> &str {
    match written.strip_prefix('\'') {
        Some(value) if value.trim_start_matches('\'').starts_with(BEGINNINGS) => value,
        _ => written,
    }
}

/// Returns a line of a table as in RFC 4180.
#[must_use]
pub fn line(cells: &[String]) -> String {
    let mut out = String::new();
    for (at, cell) in cells.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let quoted = cell.contains([',', '"', '\n', '\r']);
        // Writing to a string never fails.
        let _ = if quoted {
            write!(out, "{comma}\"{}\"", cell.replace('"', "\"\""))
        } else {
            write!(out, "{comma}{cell}")
        };
    }
    out.push_str("\r\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_like_a_formula_gets_an_apostrophe() {
        for formula in ["=1+1", "+1", "-2-3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＠A"] {
            assert_eq!(text(formula), format!("'{formula}"));
        }
        assert_eq!(["'=1", "''@A"].map(text), ["''=1", "'''@A"]);
        for plain in ["", "Anna", "a=b", "[CCC,2]123m", "'quoted", " =1"] {
            assert_eq!(text(plain), plain);
        }
        for value in ["=1", "'=1", "''@A", "'", "''", "'quoted", "Anna", "", "\n"] {
            assert_eq!(original(&text(value)), value);
        }
    }

    #[test]
    fn typed_texts_are_quoted_and_never_formulas() {
        let cells = ["=1+1", "Anna, \"the wall\"", "-5"].map(text);
        assert_eq!(line(&cells), "'=1+1,\"Anna, \"\"the wall\"\"\",'-5\r\n");
    }
}
