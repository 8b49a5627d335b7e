//! The rows as a table of comma-separated values, for spreadsheets.
//!
//! One row a photo, in the order of the photos, after one row of names. Invariant: columns keep
//! their names, their order and their meaning; new ones come last. What does not apply is an empty
//! cell. A text from outside is never taken for a formula.

use std::io::Write;

use csv::{Error, Writer};

use super::row::{Row, RowReading};
use crate::pipeline::Status;
use crate::spreadsheet::text;

/// The names of the columns.
pub const COLUMNS: [&str; 14] = [
    "id",
    "index",
    "status",
    "probability",
    "score_probability",
    "hand",
    "ruleset",
    "total",
    "value",
    "legal",
    "fans",
    "questions",
    "error_type",
    "error_detail",
];

/// A table that grows by a row a photo.
#[derive(Debug)]
pub struct Table<W: Write> {
    rows: Writer<W>,
}

impl<W: Write> Table<W> {
    /// A table with its row of names.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(out: W) -> Result<Table<W>, Error> {
        let mut table = Table::continued(out);
        table.rows.write_record(COLUMNS)?;
        Ok(table)
    }

    /// The same without the row of names, where that was written before.
    pub fn continued(out: W) -> Table<W> {
        Table { rows: Writer::from_writer(out) }
    }

    /// Adds the row of one photo.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn add(&mut self, id: &str, index: u64, row: &Row) -> Result<(), Error> {
        let index = index.to_string();
        match row {
            Row::Read(read) => self.rows.write_record(cells_of_reading(id, index, read)),
            Row::Failed(problem) => {
                let mut cells = empty(id, index, "failed");
                cells[12] = problem.kind.uri().to_owned();
                cells[13] = text(&problem.detail);
                self.rows.write_record(cells)
            }
        }
    }

    /// Hands on what was gathered.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn flush(&mut self) -> std::io::Result<()> {
        self.rows.flush()
    }

    /// The writer, with everything written.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(self) -> std::io::Result<W> {
        self.rows.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

fn empty(id: &str, index: String, status: &str) -> [String; COLUMNS.len()] {
    let mut cells: [String; COLUMNS.len()] = Default::default();
    cells[0] = text(id);
    cells[1] = index;
    status.clone_into(&mut cells[2]);
    cells
}

fn cells_of_reading(id: &str, index: String, read: &RowReading) -> [String; COLUMNS.len()] {
    let mut cells = empty(id, index, name(read.status));
    cells[3] = read.probability.to_string();
    cells[4] = read.score_probability.to_string();
    cells[5] = text(read.hand());
    if let Some(score) = &read.score {
        cells[6] = score.ruleset.map_or(String::new(), |ruleset| ruleset.to_string());
        cells[7] = score.total.to_string();
        cells[8] = score.value.to_string();
        cells[9] = score.legal.to_string();
        let fans = score.awards.iter().map(|fan| format!("{} x {}", fan.code, fan.count));
        cells[10] = fans.collect::<Vec<_>>().join(";");
    }
    let questions: Vec<&str> = read.open().map(|doubt| doubt.question.as_str()).collect();
    cells[11] = text(&questions.join(" / "));
    cells
}

/// A status as JSON names it.
pub(super) const fn name(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::NeedsReview => "needs_review",
        Status::NoHand => "no_hand",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::row::tests::{score, stored};
    use super::*;
    use crate::contract::{Problem, ProblemKind};

    fn table(rows: &[(&str, Row)]) -> String {
        let mut table = Table::new(Vec::new()).expect("memory");
        for (index, (id, row)) in (0..).zip(rows) {
            table.add(id, index, row).expect("memory");
        }
        String::from_utf8(table.finish().expect("memory")).expect("UTF-8")
    }

    #[test]
    fn each_photo_has_one_row_of_all_columns() {
        let doubts =
            json!([{ "question": "Which, 1m or 2m?", "affects_score": true, "alternatives": [] }]);
        let read = stored(
            "needs_review",
            &doubts,
            &score(16, &[("pure_straight", 1), ("short_straight", 2)]),
        );
        let text = table(&[
            ("a,b.jpg", Row::of(&read)),
            (
                "c.jpg",
                Row::Failed(Problem::new(
                    ProblemKind::UnreadableImage,
                    "the \"picture\" is\nbroken",
                )),
            ),
            ("d.jpg", Row::of(&stored("no_hand", &json!([]), &json!(null)))),
        ]);
        let expected = "id,index,status,probability,score_probability,hand,ruleset,total,value,legal,fans,questions,error_type,error_detail\n\
            \"a,b.jpg\",0,needs_review,0.91,0.8,123m456p789s5s5s,mcr-wmo,16,16,true,pure_straight x 1;short_straight x 2,\"Which, 1m or 2m?\",,\n\
            c.jpg,1,failed,,,,,,,,,,urn:tilesight:problem:unreadable-image,\"the \"\"picture\"\" is\nbroken\"\n\
            d.jpg,2,no_hand,0.91,0.8,123m456p789s5s5s,,,,,,,,\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn names_of_files_and_words_of_faults_are_never_computed() {
        let fault = Problem::new(ProblemKind::UnreadableImage, "@SUM(A1)");
        let text = table(&[("=HYPERLINK(\"http://x\").jpg", Row::Failed(fault))]);
        let row = text.lines().nth(1).expect("a row");
        assert!(row.starts_with("\"'=HYPERLINK("), "{row}");
        assert!(row.ends_with(",'@SUM(A1)"), "{row}");
    }

    #[test]
    fn names_of_a_status_are_those_of_the_contract() {
        for status in [Status::Ok, Status::NeedsReview, Status::NoHand] {
            assert_eq!(serde_json::to_value(status).expect("a text"), name(status));
        }
    }
}
