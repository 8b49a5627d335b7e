//! Cells of tables that people edit with spreadsheets.
//!
//! Input: one cell and the name of its column. Output: the value as JSON represents it, or what is
//! wrong with it. Invariant: a text written by [`tilesight_core::spreadsheet::text`] is read back
//! unchanged.

use serde_json::{Value, json};
use tilesight_core::context::{ContextSetup, ContextValue, FieldDescriber, FieldEntry, Spelling};
use tilesight_core::contract::{FieldError, Problem, ProblemKind};

use tilesight_vision::contract::GivenAnswer;

use super::correction::Correction;

/// Spellings of yes by spreadsheets and people: in every language of the program.
const YES: [&str; 19] = [
    "true", "wahr", "sand", "sandt", "sant", "真", "yes", "y", "ja", "j", "是", "对", "對", "はい",
    "x", "✓", "✔", "☑", "1",
];
/// Spellings of no.
const NO: [&str; 14] = [
    "false",
    "falsch",
    "falsk",
    "falskt",
    "假",
    "no",
    "n",
    "nein",
    "nej",
    "否",
    "不",
    "いいえ",
    "☐",
    "0",
];
/// Values that an error message suggests.
const EXPECTED: &str = "expected yes or no: TRUE, WAHR, SAND, SANT, 是, yes, ja, x or 1; FALSE, FALSCH, FALSK, FALSKT, 否, no, nein, nej or 0";
/// Prefix of the win context's fields in a problem; column names omit it.
const CONTEXT: &str = "context.";

/// Returns a text without the apostrophe that keeps a spreadsheet from evaluating it.
pub(super) fn plain(cell: &str) -> &str {
    cell.strip_prefix('\'')
        .filter(|rest| tilesight_core::spreadsheet::text(rest) == cell)
        .unwrap_or(cell)
}

/// Parses yes or no in the spellings that people and spreadsheets use; returns `None` for
/// everything else.
fn ticked(cell: &str) -> Option<bool> {
    let cell = cell.to_lowercase();
    if YES.contains(&cell.as_str()) {
        Some(true)
    } else if NO.contains(&cell.as_str()) {
        Some(false)
    } else {
        None
    }
}

/// Returns the value of a non-empty cell, in the column of a correction's field or of a field of
/// the win context.
///
/// # Errors
/// A [`Problem`] with the column, if the cell should say yes or no and does not.
pub fn cell_value(column: &str, cell: &str) -> Result<Value, Problem> {
    if column == Correction::ANSWERS {
        return Ok(json!(parse_answers(cell)));
    }
    if !is_flag(column) {
        return Ok(Value::from(cell));
    }
    ticked(cell).map(Value::from).ok_or_else(|| {
        let errors = vec![FieldError::new(column, format!("{cell:?} is neither: {EXPECTED}"))];
        Problem::with_errors(ProblemKind::MalformedRequest, errors)
    })
}

/// Returns answers as one cell: `tile-11=F; winning_tile=1m`. A doubt without an answer confirms
/// the hand as it is.
pub(super) fn answers_cell(answers: &[GivenAnswer]) -> String {
    let parts = answers.iter().map(|GivenAnswer { doubt, answer }| match answer {
        Some(answer) => format!("{doubt}={answer}"),
        None => doubt.clone(),
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// Reads the answers in a cell.
fn parse_answers(cell: &str) -> Vec<GivenAnswer> {
    let parts = cell.split(';').map(str::trim).filter(|part| !part.is_empty());
    parts.map(parse_answer).collect()
}

fn parse_answer(part: &str) -> GivenAnswer {
    match part.split_once('=') {
        Some((doubt, answer)) => {
            GivenAnswer { doubt: doubt.trim().to_owned(), answer: Some(answer.trim().to_owned()) }
        }
        None => GivenAnswer { doubt: part.to_owned(), answer: None },
    }
}

/// Returns whether the cells of a column say yes or no.
fn is_flag(column: &str) -> bool {
    struct FlagCells<'a>(&'a str, bool);

    impl FieldDescriber for FlagCells<'_> {
        fn field<T: ContextValue>(&mut self, field: &FieldEntry) {
            self.1 |= field.name == self.0 && T::SPELLING == Spelling::Flag;
        }
    }

    let mut flags = FlagCells(column, Correction::FLAGS.contains(&column));
    ContextSetup::describe(&mut flags);
    flags.1
}

/// Describes the fault of a row, with its line and its columns.
#[must_use]
pub fn fault_in_line(line: u64, problem: &Problem) -> String {
    let in_columns = problem.errors.iter().map(|error| {
        let column = error.field.strip_prefix(CONTEXT).unwrap_or(&error.field);
        format!("column {column}: {}", error.detail)
    });
    let mut faults: Vec<String> = in_columns.collect();
    if faults.is_empty() {
        faults.push(problem.detail.to_string());
    }
    format!("line {line}: {}", faults.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_were_written() {
        for text in ["=1.jpg", "+3m", "a.jpg", "'a.jpg", "'", "'=1", "''=1", "'''@A", "'-"] {
            assert_eq!(plain(&tilesight_core::spreadsheet::text(text)), text);
        }
    }

    #[test]
    fn answers_are_read_as_they_were_written() {
        let answer = |doubt: &str, answer: Option<&str>| GivenAnswer {
            doubt: doubt.to_owned(),
            answer: answer.map(str::to_owned),
        };
        let answers = [
            answer("exposed_set-3-4-5", Some("claimed")),
            answer("winning_tile", Some("2m of 2m 3m 4m")),
            answer("indicator-20", Some("3m,4m")),
            answer("tile-1.2", None),
        ];
        let cell = answers_cell(&answers);
        assert_eq!(
            cell,
            "exposed_set-3-4-5=claimed; winning_tile=2m of 2m 3m 4m; indicator-20=3m,4m; tile-1.2"
        );
        assert_eq!(parse_answers(&cell), answers);
        assert_eq!(parse_answers(""), []);
    }

    #[test]
    fn cells_are_ticked_in_many_ways() {
        for (cells, expected) in [
            ("TRUE true WAHR Sand SANDT SANT 是 yes ja x X 1 ✓", Some(true)),
            ("FALSE FALSCH FALSK falskt 否 No nein NEJ 0", Some(false)),
            ("maybe 2 truee - wahrscheinlich", None),
        ] {
            for cell in cells.split(' ') {
                assert_eq!(ticked(cell), expected, "{cell}");
            }
        }
    }

    #[test]
    fn only_columns_of_yes_and_no_are_ticked() {
        for column in ["no_hand", "accepted", "last_of_kind", "last_wall_tile", "won"] {
            assert_eq!(cell_value(column, "WAHR"), Ok(Value::Bool(true)), "{column}");
            let problem = cell_value(column, "maybe").expect_err("neither");
            let fault = fault_in_line(7, &problem);
            let beginning = format!("line 7: column {column}: \"maybe\" is neither: expected yes");
            assert!(fault.starts_with(&beginning), "{fault}");
        }
        for column in ["seat", "hand", "declared", "winning_tile"] {
            assert_eq!(cell_value(column, "x"), Ok(Value::from("x")), "{column}");
        }
    }
}
