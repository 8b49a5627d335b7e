//! Win contexts from a table: a CSV file with one row a photo.
//!
//! Input: a file whose first row names the columns: `file` and any of `custom_id`, `ruleset`,
//! `rulesets` (with spaces between them), `seat`, `prevalent`, `win`, `from`, `last_wall_tile`,
//! `last_of_kind`, `declared`, `completes`, `feeder`, `won`, `focus` (`412,300`, in quotes where
//! commas are between the cells), `region` (`96,310 1460,610`, likewise), of those who did not win
//! `photo_E` to `photo_N` (files, from where `file` begins) or `hand_E` to `hand_N`, and what a
//! person says of the photo: `accepted`, `hand`, `winning_tile`, `no_hand`, `game`. Cells may be
//! empty; commas, semicolons or tabs are between them, as spreadsheets write it. Output: what the
//! row of a photo tells. A row is that of a photo whose path ends with what it names. Invariant:
//! nothing in a table is overlooked: unknown columns are refused (a name that begins with `#` keeps
//! one out), and rows that no photo matched are reported at the end.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};
use serde_json::{Map, Value, json};

use crate::batch::{Correction, ManifestLine, context_value, delimiter, ticked};
use crate::contract::{ContextDto, Problem};
use crate::hand::Other;
use crate::rules::Book;

/// Columns beside those of the context.
const COLUMNS: [&str; 13] = [
    "file",
    "custom_id",
    "rulesets",
    "focus",
    "region",
    "photo_E",
    "photo_S",
    "photo_W",
    "photo_N",
    "hand_E",
    "hand_S",
    "hand_W",
    "hand_N",
];

/// How the column with a typed hand of another player begins; the seat follows.
const HAND_OF: &str = "hand_";

/// The table by the file that each row names.
#[derive(Debug, Clone, Default)]
pub(super) struct Contexts {
    rows: HashMap<String, Row>,
    /// Photos of other players' hands, which are not rows of their own.
    others: HashSet<String>,
}

#[derive(Debug, Clone)]
struct Row {
    line: u64,
    told: ManifestLine,
    used: bool,
}

/// A table that can't be used. Its author can fix it.
#[derive(Debug, thiserror::Error)]
pub(super) enum ContextsError {
    #[error("it can't be read: {0}")]
    Csv(#[from] csv::Error),
    #[error("it can't be read: {0}")]
    Io(#[from] std::io::Error),
    #[error("the column `file` is missing")]
    NoFile,
    #[error(
        "unknown column `{0}`: expected one of {expected}; start its name with # to skip it",
        expected = known().join(", ")
    )]
    Column(String),
    #[error("the column `{0}` is given twice")]
    ColumnTwice(String),
    #[error("line {line}: {}", problem.detail)]
    Row { line: u64, problem: Problem },
    #[error("line {line} names {file} again, which line {before} names")]
    RowTwice { line: u64, before: u64, file: String },
}

impl Contexts {
    /// Reads a table.
    ///
    /// # Errors
    /// [`ContextsError`] names the line or the column.
    pub(super) fn read(file: &Path, book: &Book) -> Result<Contexts, ContextsError> {
        Contexts::parse(&std::fs::read(file)?, book)
    }

    fn parse(bytes: &[u8], book: &Book) -> Result<Contexts, ContextsError> {
        let mut table = ReaderBuilder::new();
        let table = table.delimiter(delimiter(bytes)).trim(Trim::All);
        let mut table = table.from_reader(crate::contract::without_bom(bytes));
        let columns = columns(table.headers()?)?;
        let mut rows: HashMap<String, Row> = HashMap::new();
        let mut others = HashSet::new();
        for record in table.records() {
            let record = record?;
            if record.iter().all(str::is_empty) {
                continue;
            }
            let line = record.position().map_or(0, csv::Position::line);
            let told = told(&columns, &record, book)
                .map_err(|problem| ContextsError::Row { line, problem })?;
            let file = normal(&told.file);
            if let Some(before) = rows.get(&file) {
                let (before, file) = (before.line, told.file);
                return Err(ContextsError::RowTwice { line, before, file });
            }
            others.extend(
                told.others().iter().filter_map(Other::as_photo).map(|photo| normal(photo)),
            );
            rows.insert(file, Row { line, told, used: false });
        }
        Ok(Contexts { rows, others })
    }

    /// What the table tells of the photo of a path, the row with the longest match; and where the
    /// paths of that row begin.
    pub(super) fn of(&mut self, path: &str) -> Option<(&ManifestLine, String)> {
        let path = normal(path);
        let found = ends(&path).find(|&at| self.rows.contains_key(&path[at..]))?;
        let row = self.rows.get_mut(&path[found..])?;
        row.used = true;
        Some((&row.told, path[..found].to_owned()))
    }

    /// Whether the photo of a path is that of another player's hand, and has no row of its own.
    pub(super) fn is_of_other(&self, path: &str) -> bool {
        let path = normal(path);
        let has = |known: &dyn Fn(&str) -> bool| ends(&path).any(|at| known(&path[at..]));
        has(&|end| self.others.contains(end)) && !has(&|end| self.rows.contains_key(end))
    }

    /// What rows name that no photo matched, in the order of the table.
    pub(super) fn unused(&self) -> Vec<&str> {
        let mut unused: Vec<_> = self.rows.values().filter(|row| !row.used).collect();
        unused.sort_by_key(|row| row.line);
        unused.into_iter().map(|row| row.told.file.as_str()).collect()
    }
}

/// Where the parts of a path begin.
fn ends(path: &str) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1))
}

/// The names of all columns.
fn known() -> Vec<&'static str> {
    COLUMNS.into_iter().chain(Correction::NAMES).chain(ContextDto::names()).collect()
}

/// The columns by name; `None` for those that are skipped.
fn columns(names: &StringRecord) -> Result<Vec<Option<String>>, ContextsError> {
    let mut columns: Vec<Option<String>> = Vec::new();
    for name in names {
        if name.starts_with('#') {
            columns.push(None);
        } else if !known().contains(&name) {
            return Err(ContextsError::Column(name.to_owned()));
        } else if columns.iter().flatten().any(|column| column == name) {
            return Err(ContextsError::ColumnTwice(name.to_owned()));
        } else {
            columns.push(Some(name.to_owned()));
        }
    }
    let has_file = columns.iter().flatten().any(|column| column == "file");
    if has_file { Ok(columns) } else { Err(ContextsError::NoFile) }
}

/// A row as the line of a manifest: the same words mean the same in both.
fn told(
    columns: &[Option<String>],
    record: &StringRecord,
    book: &Book,
) -> Result<ManifestLine, Problem> {
    let (mut line, mut context, mut others) = (Map::new(), Map::new(), Vec::new());
    for (column, cell) in columns.iter().zip(record) {
        let Some(column) = column.as_ref().filter(|_| !cell.is_empty()) else { continue };
        match column.as_str() {
            "rulesets" => {
                let list = cell.split_whitespace().map(Value::from).collect();
                line.insert(column.clone(), Value::Array(list));
            }
            name if name.starts_with(HAND_OF) => {
                others.push(json!({ "seat": &name[HAND_OF.len()..], "hand": cell }));
            }
            "accepted" | "no_hand" => {
                // What is neither yes nor no stays a text, which is then refused.
                let value = ticked(cell).map_or_else(|| Value::from(cell), Value::from);
                line.insert(column.clone(), value);
            }
            name if COLUMNS.contains(&name) || Correction::NAMES.contains(&name) => {
                line.insert(column.clone(), Value::from(cell));
            }
            _ => {
                context.insert(column.clone(), context_value(cell));
            }
        }
    }
    line.insert("context".to_owned(), Value::Object(context));
    line.insert("others".to_owned(), Value::Array(others));
    ManifestLine::parse(Value::Object(line).to_string().as_bytes(), book)
}

/// A path with `/` between its parts and no `./` before it.
fn normal(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    path.trim_start_matches("./").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WinKind;
    use crate::rules::RulesetId;
    use crate::tile::Wind;

    fn table(text: &str) -> Contexts {
        Contexts::parse(text.as_bytes(), &Book::shipped())
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_row_is_that_of_the_photo_whose_path_ends_with_it() {
        let mut table = table(
            "file,seat,win,rulesets,custom_id\n\
             a.jpg,S,self_drawn,mcr-wmo mcr-mil,first\n\
             t2/a.jpg,W,,,\n\
             ./c.jpg,,,,\n",
        );
        let (told, root) = table.of("photos/t1/a.jpg").expect("a row");
        assert_eq!(root, "photos/t1/");
        assert_eq!(
            (told.custom_id.as_deref(), told.context.setup.win),
            (Some("first"), Some(WinKind::SelfDrawn))
        );
        assert_eq!(told.rulesets, Some(vec![RulesetId::MCR_WMO, RulesetId::MCR_MIL]));
        assert_eq!(
            table.of("photos/t2/a.jpg").expect("a row").0.context.setup.seat,
            Some(Wind::West)
        );
        assert_eq!(table.of("photos/aa.jpg"), None);
        assert_eq!(table.unused(), ["./c.jpg"]);
        assert!(table.of("./photos/c.jpg").is_some());
        assert!(table.unused().is_empty());
    }

    #[test]
    fn a_row_names_the_hands_of_the_others() {
        let mut table = table("file,photo_S,hand_W\nt1/e.jpg,t1/s.jpg,11m\nt1/x.jpg,,\n");
        let (told, root) = table.of("photos/t1/e.jpg").expect("a row");
        assert_eq!((told.others().len(), root.as_str()), (2, "photos/"));
        assert_eq!(told.photo_s.as_deref(), Some("t1/s.jpg"));
        assert!(table.is_of_other("photos/t1/s.jpg"));
        for own in ["photos/t1/e.jpg", "photos/t1/x.jpg", "photos/s.jpg"] {
            assert!(!table.is_of_other(own), "{own}");
        }
    }

    #[test]
    fn a_row_has_what_a_person_says_of_the_photo() {
        let mut table = table(
            "file,hand,winning_tile,no_hand,game,accepted\n\
             a.jpg,123456789m11pFFF,1p,,,\nb.jpg,,,x,,\nc.jpg,,,,sixteen-tile,\nd.jpg,,,,,yes\n",
        );
        let mut said = |file: &str| table.of(file).expect("a row").0.correction();
        assert_eq!(said("a.jpg").winning_tile.map(|tile| tile.to_string()), Some("1p".to_owned()));
        assert!(said("b.jpg").no_hand && said("d.jpg").accepted);
        assert_eq!(said("c.jpg").game.as_deref(), Some("sixteen-tile"));
    }

    #[test]
    fn tables_come_as_spreadsheets_write_them() {
        let semicolons = "\u{feff}file;#player;last_of_kind\r\n\"a, b.jpg\"; Kim ;TRUE\r\n;;\r\n";
        let tabs = "file\t#player\tlast_of_kind\na, b.jpg\tKim\ttrue\n";
        for text in [semicolons, tabs] {
            let mut table = table(text);
            let (told, _) = table.of("a, b.jpg").expect("a row");
            assert_eq!(told.context.setup.last_of_kind, Some(true), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_told_with_its_place() {
        for (text, expected) in [
            ("photo,seat\na.jpg,S\n", "unknown column `photo`"),
            ("seat\nS\n", "column `file` is missing"),
            ("file,seat,seat\na.jpg,S,S\n", "the column `seat` is given twice"),
            ("file,seat\na.jpg,S\nb.jpg,X\n", "line 3: context.seat"),
            ("file,seat\n,S\n", "line 2: "),
            ("file,last_of_kind\na.jpg,maybe\n", "line 2: context.last_of_kind"),
            ("file;region\na.jpg;96,310\n", "line 2: region: 1 corners"),
            ("file,seat\na.jpg,S\n./a.jpg,S\n", "line 3 names ./a.jpg again, which line 2 names"),
            ("file,no_hand\na.jpg,perhaps\n", "line 2: no_hand"),
            ("file,hand\na.jpg,12x\n", "line 2: "),
            ("file,seat\na.jpg\n", "it can't be read"),
            ("", "column `file` is missing"),
        ] {
            let error =
                Contexts::parse(text.as_bytes(), &Book::shipped()).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
