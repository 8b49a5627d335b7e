//! Win contexts from a table: a CSV file with one row per photo.
//!
//! Input: a file whose first row names the columns: `file` and any of `custom_id`, `ruleset`,
//! `rulesets` (separated by spaces), `seat`, `prevalent`, `win`, `from`, `last_wall_tile`,
//! `last_of_kind`, `declared`, `completes`, `feeder`, `won`, `focus` (`412,300`, in quotes if
//! commas separate the cells), `region` (`96,310 1460,610`, likewise), `set`, for the players who
//! did not win `photo_E` to `photo_N` (files, relative to the same folder as `file`) or `hand_E` to
//! `hand_N`, and corrections of the photo: `accepted`, `hand`, `winning_tile`, `no_hand`, `game`.
//! Cells may be empty; commas, semicolons or tabs separate them, as spreadsheets write them.
//! Output: what the row of a photo states. A row belongs to the photo whose path ends with its
//! `file`. Invariants: nothing in a table is overlooked: unknown columns are refused (unless their
//! names begin with `#`), and rows that matched no photo are reported at the end; a row is about
//! one photo.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::{Map, Value, json};
use tilesight_core::contract::{ContextDto, FieldError, PhotoFields, Problem, ProblemKind};
use tilesight_core::rules::Book;
use tilesight_files::input;

use super::ManifestLine;
use crate::corrections::{Correction, cell_value, fault_in_line};
use crate::sheet::{ColumnError, OwnColumns, Sheet, SheetError, SheetRow, is_own};

/// Maximum size of a table, in bytes: enough for a million photos with a hundred bytes each.
const MAX_BYTES: usize = 256 << 20;
/// Name of the column with the photo's file.
const FILE: &str = "file";
/// Columns in addition to those of the context and of the photo's fields.
const COLUMNS: [&str; 11] = [
    FILE,
    "custom_id",
    "rulesets",
    "photo_E",
    "photo_S",
    "photo_W",
    "photo_N",
    "hand_E",
    "hand_S",
    "hand_W",
    "hand_N",
];

/// Prefix of the columns with a typed hand of another player; the seat follows.
const HAND_OF: &str = "hand_";

/// Rows of the table, by the file that each names.
#[derive(Debug, Clone, Default)]
pub struct ContextTable {
    rows: HashMap<String, ContextRow>,
    /// Photos of other players' hands, which have no rows of their own.
    others: HashSet<String>,
}

#[derive(Debug, Clone)]
struct ContextRow {
    line: u64,
    content: ManifestLine,
    /// Path of the photo that the row is about, once it was matched.
    photo: Option<String>,
}

/// Error when a table can't be used. Its author can fix it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContextTableError {
    /// Error when the file is no table.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// Error when the file can't be read.
    #[error("it can't be read: {0}")]
    Io(std::io::Error),
    /// Error when the columns can't be used.
    #[error(transparent)]
    Columns(#[from] ColumnError),
    /// Error when a row can't be used.
    #[error("{}", fault_in_line(*line, problem))]
    Row {
        /// Line of the row.
        line: u64,
        /// Fault of the row.
        problem: Problem,
    },
    /// Error when two rows name the same photo.
    #[error("line {line} names {file} again, which line {before} names")]
    RowTwice {
        /// Line of the second row.
        line: u64,
        /// Line of the first row.
        before: u64,
        /// File that both name.
        file: String,
    },
    /// Error when two rows have the same id.
    #[error(
        "line {line} has the `custom_id` {id} again, which line {before} has: give each photo its own"
    )]
    IdTwice {
        /// Line of the second row.
        line: u64,
        /// Line of the first row.
        before: u64,
        /// Id of both.
        id: String,
    },
}

impl ContextTable {
    /// Reads a table.
    ///
    /// # Errors
    /// [`ContextTableError`] names the line or the column.
    pub fn read(file: &Path, book: &Book) -> Result<ContextTable, ContextTableError> {
        let bytes =
            input::read(file, MAX_BYTES).map_err(|error| ContextTableError::Io(error.into()))?;
        ContextTable::parse(&bytes, book)
    }

    fn parse(bytes: &[u8], book: &Book) -> Result<ContextTable, ContextTableError> {
        let sheet = Sheet::read(bytes)?;
        sheet.check_columns(FILE, &column_names(), OwnColumns::Skipped)?;
        let mut rows: HashMap<String, ContextRow> = HashMap::new();
        let mut others = HashSet::new();
        let mut ids = HashMap::new();
        for SheetRow { line, cells } in sheet.rows {
            let content = parse_row(&sheet.columns, &cells, book)
                .map_err(|problem| ContextTableError::Row { line, problem })?;
            if let Some(id) = content.custom_id.clone()
                && let Some(before) = ids.insert(id.clone(), line)
            {
                return Err(ContextTableError::IdTwice { line, before, id });
            }
            let file = normalize_path(&content.file);
            if let Some(before) = rows.get(&file) {
                let before = before.line;
                return Err(ContextTableError::RowTwice { line, before, file: content.file });
            }
            others.extend(content.photos_of_others().map(|(_, photo)| normalize_path(photo)));
            rows.insert(file, ContextRow { line, content, photo: None });
        }
        Ok(ContextTable { rows, others })
    }

    /// Returns the row for the photo at a path: the one with the longest match. Also returns the
    /// prefix that the row's paths are relative to.
    ///
    /// # Errors
    /// A [`Problem`] if the row was matched to another photo already.
    pub fn find(&mut self, path: &str) -> Result<Option<(&ManifestLine, String)>, Problem> {
        let path = normalize_path(path);
        let found = ends(&path).find(|&at| self.rows.contains_key(&path[at..]));
        let Some((found, row)) = found.and_then(|at| Some((at, self.rows.get_mut(&path[at..])?)))
        else {
            return Ok(None);
        };
        let photo = row.photo.get_or_insert_with(|| path.clone());
        if *photo != path {
            let line = row.line;
            let named = &row.content.file;
            let detail = format!(
                "line {line} of the context table names {named}, which is {photo} too: write more of the path there"
            );
            let errors = vec![FieldError::new("file", detail)];
            return Err(Problem::with_errors(ProblemKind::MalformedRequest, errors));
        }
        Ok(Some((&row.content, path[..found].to_owned())))
    }

    /// Returns whether the photo at a path shows another player's hand and has no row of its own.
    #[must_use]
    pub fn is_of_other(&self, path: &str) -> bool {
        let path = normalize_path(path);
        let is_named = ends(&path).any(|at| self.others.contains(&path[at..]));
        is_named && !ends(&path).any(|at| self.rows.contains_key(&path[at..]))
    }

    /// Returns the files of the rows that matched no photo, in the order of the table.
    #[must_use]
    pub fn unused_files(&self) -> Vec<&str> {
        let mut unused: Vec<_> = self.rows.values().filter(|row| row.photo.is_none()).collect();
        unused.sort_by_key(|row| row.line);
        unused.into_iter().map(|row| row.content.file.as_str()).collect()
    }
}

/// Returns the indices at which the parts of a path begin.
fn ends(path: &str) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1))
}

/// Returns the names of all columns.
fn column_names() -> Vec<&'static str> {
    let fields = PhotoFields::FIELDS.iter().map(|field| field.name);
    let columns = COLUMNS.into_iter().chain(fields).chain(Correction::NAMES);
    columns.chain(ContextDto::names()).collect()
}

/// Returns a row as the line of a manifest: columns and fields have the same names and meanings.
fn parse_row(columns: &[String], cells: &[String], book: &Book) -> Result<ManifestLine, Problem> {
    let mut line = Map::new();
    let mut context = Map::new();
    let mut others = Vec::new();
    for (column, cell) in columns.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
        match column.as_str() {
            name if is_own(name) => {}
            "rulesets" => {
                let list = cell.split_whitespace().map(Value::from).collect();
                line.insert(column.clone(), Value::Array(list));
            }
            name if name.starts_with(HAND_OF) => {
                others.push(json!({ "seat": &name[HAND_OF.len()..], "hand": cell }));
            }
            name if ContextDto::names().any(|field| field == name) => {
                context.insert(column.clone(), cell_value(name, cell)?);
            }
            name => {
                line.insert(column.clone(), cell_value(name, cell)?);
            }
        }
    }
    line.insert("context".to_owned(), Value::Object(context));
    line.insert("others".to_owned(), Value::Array(others));
    ManifestLine::parse(Value::Object(line).to_string().as_bytes(), book)
}

/// Returns a path with `/` between its parts and no leading `./`.
#[must_use]
pub fn normalize_path(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    path.trim_start_matches("./").to_owned()
}

#[cfg(test)]
mod tests {
    use tilesight_core::context::WinKind;
    use tilesight_core::rules::RulesetId;
    use tilesight_core::tile::Wind;

    use super::*;

    fn table(text: &str) -> ContextTable {
        ContextTable::parse(text.as_bytes(), &Book::shipped())
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
        let (content, root) = table.find("photos/t1/a.jpg").expect("one photo").expect("a row");
        assert_eq!(root, "photos/t1/");
        assert_eq!(
            (content.custom_id.as_deref(), content.context.setup.win),
            (Some("first"), Some(WinKind::SelfDrawn))
        );
        assert_eq!(content.rulesets, Some(vec![RulesetId::MCR_WMO, RulesetId::MCR_MIL]));
        assert_eq!(
            table.find("photos/t2/a.jpg").expect("one photo").expect("a row").0.context.setup.seat,
            Some(Wind::West)
        );
        assert_eq!(table.find("photos/aa.jpg"), Ok(None));
        let error = table.find("photos/t3/a.jpg").expect_err("two photos").to_string();
        assert!(
            error.contains("line 2 of the context table names a.jpg, which is photos/t1/a.jpg too"),
            "{error}"
        );
        assert!(table.find("photos/t1/a.jpg").is_ok(), "it may be asked about twice");
        assert_eq!(table.unused_files(), ["./c.jpg"]);
        assert!(table.find("./photos/c.jpg").is_ok_and(|row| row.is_some()));
        assert!(table.unused_files().is_empty());
    }

    #[test]
    fn a_row_names_the_hands_of_the_others() {
        let mut table = table("file,photo_S,hand_W\nt1/e.jpg,t1/s.jpg,11m\nt1/x.jpg,,\n");
        let (content, root) = table.find("photos/t1/e.jpg").expect("one photo").expect("a row");
        assert_eq!((content.clone().table().others.len(), root.as_str()), (2, "photos/"));
        assert_eq!(content.photo_s.as_deref(), Some("t1/s.jpg"));
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
        let mut said =
            |file: &str| table.find(file).expect("one photo").expect("a row").0.correction();
        assert_eq!(said("a.jpg").winning_tile.map(|tile| tile.to_string()), Some("1p".to_owned()));
        assert!(said("b.jpg").no_hand && said("d.jpg").accepted);
        assert_eq!(said("c.jpg").game.as_deref(), Some("sixteen-tile"));
    }

    #[test]
    fn tables_come_as_spreadsheets_write_them() {
        let semicolons = "\u{feff}file;#player;last_of_kind\r\n\"a, b.jpg\"; Kim ;TRUE\r\n;;\r\n";
        let tabs = "file\t#player\tlast_of_kind\na, b.jpg\tKim\ttrue\n";
        let german = "sep=;\r\nfile;#player;last_of_kind;;\r\na, b.jpg;Kim;WAHR;;\r\nc.jpg\r\n";
        for text in [semicolons, tabs, german] {
            let mut table = table(text);
            let (content, _) = table.find("a, b.jpg").expect("one photo").expect("a row");
            assert_eq!(content.context.setup.last_of_kind, Some(true), "{text}");
        }
    }

    #[test]
    fn an_invalid_table_is_refused_with_line_and_column() {
        for (text, expected) in [
            ("photo,seat\na.jpg,S\n", "unknown column `photo`"),
            ("seat\nS\n", "column `file` is missing"),
            ("file,seat,seat\na.jpg,S,S\n", "the column `seat` is given twice"),
            ("file,seat\na.jpg,S\nb.jpg,X\n", "line 3: column seat: "),
            ("file,seat\n,S\n", "line 2: "),
            (
                "file,last_of_kind\na.jpg,maybe\n",
                "line 2: column last_of_kind: \"maybe\" is neither",
            ),
            ("file;region\na.jpg;96,310\n", "line 2: column region: 1 corners"),
            ("file,seat\na.jpg,S\n./a.jpg,S\n", "line 3 names ./a.jpg again, which line 2 names"),
            ("file,no_hand\na.jpg,perhaps\n", "line 2: column no_hand: \"perhaps\" is neither"),
            (
                "file,custom_id\na.jpg,x\nb.jpg,x\n",
                "line 3 has the `custom_id` x again, which line 2 has",
            ),
            ("file,hand\na.jpg,12x\n", "line 2: "),
            ("file,seat\na.jpg,S,x\n", "line 2: \"x\" is in column 3, which has no name"),
            ("", "column `file` is missing"),
        ] {
            let error =
                ContextTable::parse(text.as_bytes(), &Book::shipped()).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
