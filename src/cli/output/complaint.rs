//! Prints a problem of the input, as JSON or as text: a title, a line for each field, and a caret
//! below the faulty character.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::json;
use tilesight_core::contract::{FieldError, Problem};
use tilesight_core::printable::{escaped, is_unprintable, path_text};
use unicode_width::UnicodeWidthStr;

use super::exit::Exit;
use super::terminal;
use crate::texts;

/// A problem of the input, and how to print it.
#[derive(Debug)]
pub(in crate::cli) struct Complaint {
    problem: Problem,
    /// Exit code of the command.
    exit: Exit,
    /// Whether the problem is printed on standard output, as JSON.
    json: bool,
    /// File that the problem is about.
    file: Option<String>,
    /// The hand that was typed.
    hand: String,
}

impl From<Problem> for Complaint {
    fn from(problem: Problem) -> Complaint {
        Complaint { problem, exit: Exit::BadInput, json: false, file: None, hand: String::new() }
    }
}

impl Complaint {
    /// Changes the exit code.
    pub(in crate::cli) fn with_exit(self, exit: Exit) -> Complaint {
        Complaint { exit, ..self }
    }

    /// Sets whether the problem is printed as JSON.
    pub(in crate::cli) fn with_json(self, json: bool) -> Complaint {
        Complaint { json, ..self }
    }

    /// Names the file that the problem is about.
    pub(in crate::cli) fn in_file(self, file: &Path) -> Complaint {
        Complaint { file: Some(path_text(file)), ..self }
    }

    /// Adds the hand that was typed.
    pub(in crate::cli) fn with_hand(self, hand: String) -> Complaint {
        Complaint { hand, ..self }
    }

    /// Prints the problem and returns the exit code.
    ///
    /// # Errors
    /// When the output is closed.
    pub(in crate::cli) fn print(&self) -> io::Result<Exit> {
        let Complaint { problem, exit, json, file, hand } = self;
        match file {
            Some(file) if *json => {
                writeln!(terminal::stdout(), "{}", json!({ "file": file, "error": problem }))?;
            }
            None if *json => writeln!(terminal::stdout(), "{}", json!({ "error": problem }))?,
            file => {
                write!(terminal::stderr(), "{}", complaint(file.as_deref(), hand, problem))?;
            }
        }
        Ok(*exit)
    }
}

/// The message about a file, if there is one; `text` is the hand that was typed.
fn complaint(file: Option<&str>, text: &str, problem: &Problem) -> String {
    let about = file.map_or_else(String::new, |file| format!("{}: ", escaped(file)));
    if problem.errors.is_empty() {
        return format!("error: {about}{}\n", problem.detail);
    }
    let mut lines = format!("error: {about}{}\n", problem.title());
    // Writing to a string cannot fail.
    for FieldError { field, detail, character, understood } in &problem.errors {
        let _ = writeln!(lines, "  {field}: {detail}");
        if let Some(character) = character {
            let shown = visible(text);
            let before: String = shown.chars().take(character - 1).collect();
            let _ = writeln!(lines, "    {shown}\n    {}^", " ".repeat(before.width()));
        }
        if let Some(understood) = understood.as_deref().filter(|text| !text.is_empty()) {
            let before = texts::complaint::understood(problem.lang(), understood);
            let _ = writeln!(lines, "    {before}");
        }
    }
    if problem.unlisted > 0 {
        let _ =
            writeln!(lines, "  {}", texts::complaint::and_more(problem.lang(), problem.unlisted));
    }
    lines
}

/// Returns the text on one line: each unprintable character becomes one space, so that columns line
/// up.
fn visible(text: &str) -> String {
    text.chars().map(|c| if is_unprintable(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use tilesight_core::contract::ProblemKind;
    use tilesight_core::explain::Lang;
    use tilesight_core::notation::Notation;

    use super::*;

    #[test]
    fn the_caret_stands_below_the_character_also_behind_wide_ones() {
        let hand = "1m\t2";
        let error = hand.parse::<Notation>().expect_err("no suit");
        let text = complaint(None, hand, &Problem::from_notation(hand, &error));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(&lines[2..], ["    1m 2", "        ^", "    understood up to there: 1m"]);

        let wide = Problem::with_errors(
            ProblemKind::InvalidHand,
            vec![FieldError { character: Some(3), ..FieldError::new("hand", "x") }],
        );
        assert!(complaint(None, "一万x", &wide).ends_with("    一万x\n        ^\n"));
    }

    #[test]
    fn a_complaint_does_not_repeat_its_title() {
        let errors = vec![FieldError::new("context.win", "no kong"); 20];
        let problem = Problem::with_errors(ProblemKind::InvalidContext, errors);
        let text = complaint(Some("a.jpg"), "", &problem);
        assert!(text.starts_with(
            "error: a.jpg: What is given with the hand can't be right\n  context.win: no"
        ));
        assert!(text.ends_with("  context.win: no kong\n  and 4 more\n"), "{text}");
        let plain = Problem::new(ProblemKind::NotAWin, "no win");
        assert_eq!(complaint(Some("a.jpg"), "", &plain), "error: a.jpg: no win\n");
        assert_eq!(complaint(None, "", &plain), "error: no win\n");
    }

    #[test]
    fn a_complaint_is_in_the_language_of_its_problem() {
        let error = "123x".parse::<Notation>().expect_err("no suit");
        let text =
            complaint(None, "123x", &Problem::from_notation("123x", &error).translate(Lang::De));
        assert!(
            text.starts_with("error: Der Text der Hand ist nicht lesbar\n  hand: Zeichen 4"),
            "{text}"
        );
        assert_eq!(texts::complaint::and_more(Lang::Zh, 4), "另有 4 处");
    }
}
