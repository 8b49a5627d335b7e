//! The photos of a batch that a person should review, from the folder of its results.
//!
//! Input: `results.jsonl`, the plan with the locations of the photos, and `corrections.csv`.
//! Output: a [`ReviewSource`], which lists the photos in doubt and can correct every photo.
//! Invariants: the queue is made of what was *read*, so that taking back a correction restores the
//! earlier state; every correction is in the file before the request is answered; the file is read
//! anew for each, so that rows written by others meanwhile are kept.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::rules::Book;
use tilesight_jobs::Outcome;
use tilesight_jobs::batch::result_files::RESULTS;
use tilesight_jobs::batch::{BatchRow, ReviewItem};
use tilesight_jobs::corrections::{
    CorrectionRow, Corrections, FILE_NAME, PhotoQuestion, stored_outcome,
};
use tilesight_jobs::plan::{EntryWork, PLAN, PlanEntry, STATE, SourceLoader};
use tilesight_jobs::review::{
    QueuePart, QueuedPhoto, ReviewAnswer, ReviewError, ReviewPhoto, ReviewQueue, ReviewSource,
    ReviewedPhoto,
};

use crate::cli::commands::batch::RunNote;

/// Name of the lock file against a second review of the folder: two would overwrite each other's
/// rows.
const LOCK: &str = "review.lock";

/// Position of a photo's line in the file of results.
#[derive(Debug, Clone, Copy)]
struct LineSpan {
    index: u64,
    offset: u64,
    length: usize,
}

/// A photo with a line in the results, in doubt or not.
struct ReadPhoto {
    item: ReviewItem,
    /// The stored outcome, without any correction.
    outcome: Outcome,
}

/// The queue of a folder.
#[derive(Debug)]
pub(super) struct FolderQueue {
    out: PathBuf,
    note: RunNote,
    reviewer: String,
    book: Book,
    results: Mutex<File>,
    /// Lock of the file of corrections: only one thread writes it at a time.
    writing: Mutex<()>,
    /// Lock that keeps other reviews out while this one is open.
    _lock: File,
    /// Photos in doubt, in the order of review.
    photos: Vec<ReviewItem>,
    /// Lines of all photos, by index.
    lines: Vec<LineSpan>,
    /// Offsets of the photos' lines in the plan.
    plan: Vec<u64>,
}

/// The fields of a line of the results that are used here.
#[derive(Deserialize)]
struct ResultLine<'a> {
    id: String,
    index: u64,
    #[serde(borrow)]
    original: Option<&'a RawValue>,
}

impl FolderQueue {
    /// Opens the queue of a folder with results.
    ///
    /// # Errors
    /// When there are no results, or they can't be read.
    pub(super) fn open(out: &Path, reviewer: String, book: Book) -> anyhow::Result<FolderQueue> {
        let results = File::open(out.join(RESULTS)).with_context(|| no_results(out))?;
        // Not truncated, even if it is a link to another file.
        let lock = File::options()
            .create(true)
            .append(true)
            .open(out.join(STATE).join(LOCK))
            .with_context(|| no_results(out))?;
        lock.try_lock().with_context(|| format!("another review of {} is open", out.display()))?;
        let note = RunNote::read(out).with_context(|| no_results(out))?;
        let (photos, lines) = read_results(&results)?;
        let plan = lines_of(&out.join(STATE).join(PLAN)).with_context(|| no_results(out))?;
        let file = out.join(FILE_NAME);
        Corrections::read(&file, &book).with_context(|| file.display().to_string())?;
        Ok(FolderQueue {
            out: out.to_owned(),
            note,
            reviewer,
            book,
            results: Mutex::new(results),
            writing: Mutex::new(()),
            _lock: lock,
            photos,
            lines,
            plan,
        })
    }

    /// Returns the number of photos to review.
    pub(super) fn len(&self) -> usize {
        self.photos.len()
    }

    fn corrections(&self) -> Result<Corrections, ReviewError> {
        Corrections::read(&self.out.join(FILE_NAME), &self.book).map_err(file_error)
    }

    /// Reads the line of a photo.
    fn read_photo(&self, index: u64) -> Result<ReadPhoto, ReviewError> {
        let found = self.lines.binary_search_by_key(&index, |line| line.index);
        let span = found.map(|at| self.lines[at]).map_err(|_| ReviewError::Unknown)?;
        let text = self.read_line(span).map_err(file_error)?;
        let item = item_of(&text).map_err(|error| ReviewError::Files(error.to_string()))?;
        let mut line: Value = serde_json::from_slice(&text).map_err(file_error)?;
        let outcome = stored_outcome(&mut line).map_err(ReviewError::Files)?;
        Ok(ReadPhoto { item, outcome })
    }

    fn read_line(&self, span: LineSpan) -> io::Result<Vec<u8>> {
        let mut line = vec![0; span.length];
        let mut file = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(span.offset))?;
        file.read_exact(&mut line)?;
        Ok(line)
    }

    /// Returns the location of a photo and the question about it. If the batch was run again with
    /// other photos since, its plan no longer matches.
    fn entry(&self, photo: &ReadPhoto) -> Result<PlanEntry, ReviewError> {
        match self.read_entry(photo.item.index) {
            Ok(entry) if entry.id == photo.item.id => Ok(entry),
            _ => {
                let detail = "the batch was run again with other photos: open the review again";
                Err(answer_error(Problem::new(ProblemKind::NotFound, detail)))
            }
        }
    }

    /// Reads a line of the plan.
    fn read_entry(&self, index: u64) -> io::Result<PlanEntry> {
        let place = usize::try_from(index).ok().and_then(|index| self.plan.get(index));
        let offset = place.ok_or(io::ErrorKind::NotFound)?;
        let mut file = File::open(self.out.join(STATE).join(PLAN))?;
        file.seek(SeekFrom::Start(*offset))?;
        let mut line = String::new();
        BufReader::new(file).read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }

    /// Calls a function with the outcome of a photo and the question about it.
    fn with_photo<T>(
        &self,
        photo: &ReadPhoto,
        work: impl FnOnce(ReviewedPhoto) -> Result<T, ReviewError>,
    ) -> Result<T, ReviewError> {
        let entry = self.entry(photo)?;
        let asked = match &entry.work {
            EntryWork::Photo(photo) => PhotoQuestion::from_table(photo, self.note.lang, &self.book),
            EntryWork::Refused(_) => PhotoQuestion::bare(self.note.lang, &self.book),
        };
        work(ReviewedPhoto { outcome: &photo.outcome, asked: &asked })
    }

    /// Returns a photo with answers that are not stored yet, and with its stored correction.
    fn view(
        &self,
        photo: &ReadPhoto,
        answer: &ReviewAnswer,
        row: Option<&CorrectionRow>,
    ) -> Result<ReviewPhoto, ReviewError> {
        self.with_photo(photo, |reviewed| reviewed.view(&photo.item, answer, row))
    }

    /// Returns whether nothing that changes the score of a photo is open after a row.
    fn is_done(&self, index: u64, row: Option<&CorrectionRow>) -> Result<bool, ReviewError> {
        if row.is_none() {
            return Ok(false);
        }
        self.with_photo(&self.read_photo(index)?, |photo| Ok(photo.is_done(row)))
    }

    /// Returns a photo with its stored correction.
    fn stored_view(&self, photo: &ReadPhoto) -> Result<ReviewPhoto, ReviewError> {
        self.view(photo, &ReviewAnswer::default(), self.corrections()?.get(&photo.item.id))
    }

    /// Locks the file of corrections against other threads that write it.
    fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReviewSource for FolderQueue {
    fn list(&self, part: QueuePart) -> Result<ReviewQueue, ReviewError> {
        let (items, next) = part.cut(&self.photos)?;
        let corrections = self.corrections()?;
        let said = corrections.rows_by_id();
        let mut photos = Vec::with_capacity(items.len());
        for item in items {
            let row = said.get(item.id.as_str()).copied();
            photos.push(QueuedPhoto::new(item, self.is_done(item.index, row)?));
        }
        Ok(ReviewQueue {
            name: self.out.display().to_string(),
            command: Some(self.note.command()),
            reviewer: self.reviewer.clone(),
            keep_photos: true,
            photos,
            total: self.photos.len(),
            next,
        })
    }

    fn photo(&self, index: u64) -> Result<ReviewPhoto, ReviewError> {
        self.stored_view(&self.read_photo(index)?)
    }

    fn picture(&self, index: u64) -> Result<Vec<u8>, ReviewError> {
        let entry = self.entry(&self.read_photo(index)?)?;
        let EntryWork::Photo(photo) = entry.work else { return Err(ReviewError::NoPicture) };
        let mut loader = SourceLoader::new(self.note.limits().bytes);
        loader.bytes(&photo.photo).map_err(answer_error)
    }

    fn try_answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        let photo = self.read_photo(index)?;
        self.view(&photo, &answer, self.corrections()?.get(&photo.item.id))
    }

    fn answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        let read = self.read_photo(index)?;
        let id = &read.item.id;
        let row = self.with_photo(&read, |photo| photo.row(id, &answer, &self.reviewer))?;
        let _one = self.writing();
        let mut corrections = self.corrections()?;
        corrections.put(row);
        corrections.write(&self.out.join(FILE_NAME)).map_err(file_error)?;
        self.stored_view(&read)
    }

    fn take_back(&self, index: u64) -> Result<ReviewPhoto, ReviewError> {
        let read = self.read_photo(index)?;
        let _one = self.writing();
        let mut corrections = self.corrections()?;
        if corrections.remove(&read.item.id, &self.reviewer) {
            corrections.write(&self.out.join(FILE_NAME)).map_err(file_error)?;
        }
        self.stored_view(&read)
    }
}

/// Returns the advice for a folder without the files of a batch.
fn no_results(out: &Path) -> String {
    let out = out.display();
    format!("{out} has no results: run `tilesight batch ... --out {out}` first")
}

/// Returns the error for a file that can't be used; the log says which.
fn file_error(error: impl std::error::Error) -> ReviewError {
    ReviewError::Files(error.to_string())
}

/// Returns the error for an answer that can't be stored.
fn answer_error(problem: Problem) -> ReviewError {
    ReviewError::Answer(Box::new(problem))
}

/// Returns the photos of a file of results that are in doubt, in the order of review, and the lines
/// of all photos.
fn read_results(results: &File) -> anyhow::Result<(Vec<ReviewItem>, Vec<LineSpan>)> {
    let mut photos = Vec::new();
    let mut lines = Vec::new();
    let mut offset = 0;
    for line in BufReader::new(results).split(b'\n') {
        let line = line?;
        let item = item_of(&line)?;
        lines.push(LineSpan { index: item.index, offset, length: line.len() });
        if item.needs_review() {
            photos.push(item);
        }
        offset += line.len() as u64 + 1;
    }
    photos.sort_by(ReviewItem::rank);
    lines.sort_by_key(|line| line.index);
    Ok((photos, lines))
}

/// Describes the photo of a line as it was read, before any correction.
fn item_of(line: &[u8]) -> anyhow::Result<ReviewItem> {
    let ResultLine { id, index, original } =
        serde_json::from_slice(line).context("a line of the results can't be read")?;
    let row = BatchRow::from_stored(original.map_or(line, |stored| stored.get().as_bytes()));
    Ok(ReviewItem::from_row(&id, index, &row))
}

/// Returns the offsets at which the lines of a file begin.
fn lines_of(file: &Path) -> io::Result<Vec<u64>> {
    let mut places = Vec::new();
    let mut offset = 0;
    for line in BufReader::new(File::open(file)?).split(b'\n') {
        places.push(offset);
        offset += line?.len() as u64 + 1;
    }
    Ok(places)
}
