//! Rows of a job as they are sent: lines of JSON, compact lines, or lines of a table.
//!
//! Input: a job, and a style. Output: rows in pieces of [`PIECE`] photos. Invariants: a row that
//! has to be computed is computed once and kept, as long as there is room; that of a photo that a
//! reviewer corrected is computed for each request, from what the reviewers say then; pieces are
//! computed on workers, and clients take turns between them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use axum::body::Bytes;
use serde::Deserialize;
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_jobs::batch::{BatchRow, DECIMALS, Table, write_workbook};
use tilesight_jobs::corrections::{Correction, JobCorrections, PhotoQuestion};
use tilesight_jobs::sheet::CsvStyle;
use tilesight_jobs::{Item, Job, JobId, JobState, Outcome, StoreError, line_of};
use tilesight_vision::contract::Detail;
use utoipa::ToSchema;

use super::compact::compact_outcome;
use super::{Jobs, PIECE};
use crate::answer::failure::Failure;
use crate::guard::admission::{Turns, WorkSize};
use crate::kept::Kept;

/// Maximum size of all rows that are kept, in bytes: the compact rows of some 10,000 photos.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// Lines of JSON, with one object per line.
    Jsonl,
    /// Comma-separated values with a header row.
    Csv,
    /// Workbook of Excel.
    Xlsx,
}

/// Style in which rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum RowStyle {
    /// Lines of JSON as they are stored.
    Full,
    /// Lines of JSON as an app shows them.
    Compact,
    /// Lines of a table.
    Table(CsvStyle),
}

/// Rows that are kept.
#[derive(Debug)]
pub(super) struct KeptRows(pub(super) Kept<PieceKey, Arc<Piece>>);

/// Identity of a piece: its job, its number and its style.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct PieceKey {
    pub(super) job: JobId,
    number: u64,
    style: RowStyle,
}

/// Rows of [`PIECE`] photos, or of the last photos of a job; `None` for a photo without an outcome.
#[derive(Debug)]
pub(super) struct Piece(Vec<Option<Bytes>>);

/// Reason why a piece is not kept.
enum Unkept {
    /// Photos of the piece have no outcome yet.
    Unfinished(Arc<Piece>),
    Failed(Failure),
}

impl RowStyle {
    pub(super) fn new(format: Format, csv: CsvStyle, detail: Detail) -> RowStyle {
        match (format, detail) {
            (Format::Csv, _) => RowStyle::Table(csv),
            // A workbook is made from the rows of a table.
            (Format::Xlsx, _) => RowStyle::Table(CsvStyle::Plain),
            (Format::Jsonl, Detail::Full) => RowStyle::Full,
            (Format::Jsonl, Detail::Compact) => RowStyle::Compact,
        }
    }

    /// Returns the row of names of a table; nothing for lines.
    pub(super) fn names(self) -> Result<Bytes, Failure> {
        let RowStyle::Table(csv) = self else { return Ok(Bytes::new()) };
        let memory = "memory takes every row";
        let names = Table::new(Vec::new()).expect(memory).finish().expect(memory);
        Ok(csv.convert_columns(names, true, &DECIMALS).map_err(broken)?.into())
    }

    /// Writes the row of a photo, with its line ending.
    fn row(self, item: &Item, outcome: &Outcome) -> Result<Bytes, Failure> {
        let line = match self {
            RowStyle::Full => outcome.line(&item.id, item.index),
            RowStyle::Compact => {
                let stored = serde_json::from_str(outcome.json()).map_err(broken)?;
                line_of(&item.id, item.index, &compact_outcome(stored).to_string())
            }
            RowStyle::Table(csv) => {
                let mut table = Table::without_names(Vec::new());
                let row = BatchRow::from_stored(outcome.json().as_bytes());
                table.add(&item.id, item.index, &row, None).map_err(broken)?;
                let row = table.finish().map_err(broken)?;
                return Ok(csv.convert_columns(row, false, &DECIMALS).map_err(broken)?.into());
            }
        };
        Ok((line + "\n").into())
    }

    /// Writes the rows of photos; `None` for one without an outcome.
    fn rows(self, items: &[Item]) -> Result<Vec<Option<Bytes>>, Failure> {
        items
            .iter()
            .map(|item| item.outcome.as_ref().map(|outcome| self.row(item, outcome)).transpose())
            .collect()
    }

    /// Returns the size of the work for a piece. Stored lines are only copied, which takes less
    /// time than loading them.
    fn size(self) -> WorkSize {
        if self == RowStyle::Full { WorkSize::Sheet } else { WorkSize::Large }
    }
}

fn broken(error: impl std::fmt::Display) -> Failure {
    Failure::from(StoreError::corrupt(&error))
}

impl Default for KeptRows {
    fn default() -> KeptRows {
        KeptRows(Kept::new(MAX_BYTES, |piece| piece.size()))
    }
}

impl Piece {
    /// Returns the size in bytes.
    fn size(&self) -> usize {
        let rows: usize = self.0.iter().flatten().map(Bytes::len).sum();
        rows + self.0.len() * size_of::<Option<Bytes>>()
    }
}

/// Rows of a job for one client.
#[derive(Debug, Clone)]
pub(super) struct JobRows {
    jobs: Arc<Jobs>,
    job: Arc<Job>,
    style: RowStyle,
    book: Arc<Book>,
    /// Indices of the photos that may have corrections.
    corrected: Arc<BTreeSet<u64>>,
    turns: Turns,
}

impl JobRows {
    /// Prepares the rows of a job.
    ///
    /// # Errors
    /// The errors of the store.
    pub(super) async fn new(
        jobs: Arc<Jobs>,
        job: Job,
        style: RowStyle,
        book: Arc<Book>,
        turns: Turns,
    ) -> Result<JobRows, StoreError> {
        let corrections = JobCorrections::new(jobs.backend.store.as_ref(), job.new.id);
        let corrected = Arc::new(corrections.indices().await?);
        Ok(JobRows { jobs, job: Arc::new(job), style, book, corrected, turns })
    }

    /// Returns whether the photos without an outcome will never have one.
    pub(super) fn is_cancelled(&self) -> bool {
        self.job.state() == JobState::Cancelled
    }

    /// Returns the rows of the photos of a range that lie in the piece of its first photo, at most
    /// up to the first photo that is not read yet, and the index behind them; no index at the end.
    ///
    /// # Errors
    /// The errors of the store.
    pub(super) async fn next(
        &self,
        range: Range<u64>,
    ) -> Result<(Vec<Bytes>, Option<u64>), Failure> {
        let length = PIECE as u64;
        let number = range.start / length;
        let begin = number * length;
        let piece = self.piece(number).await?;
        let end = range.end.min(begin + piece.0.len() as u64);
        let wanted = range.start..end.max(range.start);
        let mut changed = self.corrected_rows(wanted.clone()).await?;
        let mut rows = Vec::new();
        let mut next = wanted.end;
        for index in wanted {
            match (&piece.0[(index - begin) as usize], changed.remove(&index)) {
                (_, Some(row)) => rows.push(row),
                (Some(row), None) => rows.push(row.clone()),
                (None, None) if self.is_cancelled() => {}
                (None, None) => {
                    next = index;
                    break;
                }
            }
        }
        let goes_on = next == begin + length && next < range.end;
        Ok((rows, goes_on.then_some(next)))
    }

    /// Returns the rows of the photos of a range, up to the first photo that is not read yet.
    ///
    /// # Errors
    /// The errors of the store.
    pub(super) async fn all(&self, range: Range<u64>) -> Result<Vec<Bytes>, Failure> {
        let mut all = Vec::new();
        let mut begin = Some(range.start);
        while let Some(start) = begin {
            let (rows, next) = self.next(start..range.end).await?;
            all.extend(rows);
            begin = next;
        }
        Ok(all)
    }

    /// Returns the rows of a table, below their names, as a workbook.
    ///
    /// # Errors
    /// [`Failure::Internal`] if it can't be written.
    pub(super) async fn workbook(&self, rows: Vec<Bytes>) -> Result<Bytes, Failure> {
        let table = [vec![self.style.names()?], rows].concat().concat();
        let scratch = self.jobs.scratch().to_owned();
        let written = self.turns.compute(WorkSize::Large, move || {
            let mut book = Vec::new();
            write_workbook(&*table, &mut book, &HashMap::new(), &scratch).map(|()| book)
        });
        let book =
            written.await?.map_err(|error| Failure::Internal { cause: error.to_string() })?;
        Ok(book.into())
    }

    /// Returns the rows of the photos with these indices that are still failures, by their indices.
    ///
    /// # Errors
    /// The errors of the store.
    pub(super) async fn failures(&self, failed: &[u64]) -> Result<BTreeMap<u64, Bytes>, Failure> {
        let corrections = self.corrections(failed.iter().copied()).await?;
        let items = self.items(failed).await?;
        let style = self.style;
        let book = Arc::clone(&self.book);
        let written = self.turns.compute(WorkSize::Large, move || {
            let items = items.into_iter().map(|item| match corrections.get(&item.index) {
                Some(correction) => with_correction(item, correction, &book),
                None => item,
            });
            let failed = items.filter_map(|item| {
                let outcome = item.outcome.as_ref().filter(|outcome| outcome.is_failure())?;
                Some(style.row(&item, outcome).map(|row| (item.index, row)))
            });
            failed.collect::<Result<BTreeMap<_, _>, Failure>>()
        });
        written.await?
    }

    /// Returns a piece, computed or kept.
    async fn piece(&self, number: u64) -> Result<Arc<Piece>, Failure> {
        if self.style == RowStyle::Full {
            return Ok(self.compute_piece(number).await?.0);
        }
        let key = PieceKey { job: self.job.new.id, number, style: self.style };
        let cell = self.jobs.rows.0.cell(key);
        let kept = cell.get_or_try_init(async || {
            match self.compute_piece(number).await.map_err(Unkept::Failed)? {
                (piece, true) => Ok(piece),
                (piece, false) => Err(Unkept::Unfinished(piece)),
            }
        });
        match kept.await {
            Ok(piece) => Ok(Arc::clone(piece)),
            Err(Unkept::Unfinished(piece)) => Ok(piece),
            Err(Unkept::Failed(failure)) => Err(failure),
        }
    }

    /// Returns a piece, and whether its rows will not change.
    async fn compute_piece(&self, number: u64) -> Result<(Arc<Piece>, bool), Failure> {
        let first = number.saturating_mul(PIECE as u64);
        let store = self.jobs.store();
        let items = self.turns.use_store(store.items(&self.job.new.id, first, PIECE)).await?;
        let is_full = items.len() == PIECE || self.job.state() != JobState::Open;
        let is_read = self.is_cancelled() || items.iter().all(|item| item.outcome.is_some());
        let style = self.style;
        let rows = self.turns.compute(style.size(), move || style.rows(&items)).await?;
        Ok((Arc::new(Piece(rows?)), is_full && is_read))
    }

    /// Returns the rows of the corrected photos of a range.
    async fn corrected_rows(&self, range: Range<u64>) -> Result<BTreeMap<u64, Bytes>, Failure> {
        let corrections = self.corrections(self.corrected.range(range).copied()).await?;
        if corrections.is_empty() {
            return Ok(BTreeMap::new());
        }
        let indices: Vec<u64> = corrections.keys().copied().collect();
        let items = self.items(&indices).await?;
        let style = self.style;
        let book = Arc::clone(&self.book);
        let written = self.turns.compute(WorkSize::Large, move || {
            let rows = items.into_iter().filter_map(|item| {
                let correction = corrections.get(&item.index)?;
                let item = with_correction(item, correction, &book);
                let row = item.outcome.as_ref().map(|outcome| style.row(&item, outcome))?;
                Some(row.map(|row| (item.index, row)))
            });
            rows.collect::<Result<BTreeMap<_, _>, Failure>>()
        });
        written.await?
    }

    /// Returns the photos with these indices, which are in ascending order.
    async fn items(&self, indices: &[u64]) -> Result<Vec<Item>, StoreError> {
        self.turns.use_store(self.jobs.items(&self.job.new.id, indices)).await
    }

    /// Returns the corrections that count, of the photos with these indices.
    async fn corrections(
        &self,
        indices: impl Iterator<Item = u64>,
    ) -> Result<BTreeMap<u64, Correction>, Failure> {
        let stored = JobCorrections::new(self.jobs.backend.store.as_ref(), self.job.new.id);
        let indices = indices.filter(|index| self.corrected.contains(index));
        let said = self.turns.use_store(stored.some(indices)).await?;
        let counting = said
            .into_iter()
            .filter_map(|(index, rows)| Some((index, rows.rows().last()?.correction.clone())));
        Ok(counting.collect())
    }
}

fn with_correction(mut item: Item, correction: &Correction, book: &Book) -> Item {
    if let Some(outcome) = &item.outcome {
        let lang = item.task.as_ref().map_or(Lang::default(), |task| task.lang);
        let asked = PhotoQuestion::from_item(&item, lang, book);
        item.outcome = Some(correction.apply(outcome, &asked));
    }
    item
}
