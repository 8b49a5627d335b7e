//! The photos of a batch that a person should look at, from the folder of its results.
//!
//! Input: `results.jsonl`, the plan with the places of the photos, and `corrections.csv`. Output: a
//! [`ReviewSource`]. Invariants: the queue is made of what was *read*, so that a correction which
//! is taken back leaves everything as it was; every answer is in the file before it is answered;
//! the file is read anew for each, so that rows that others write meanwhile stay.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::batch::{CORRECTIONS, Entry, PLAN, RESULTS, RunNote, STATE, Shelf, Work, asked};
use crate::batch::{
    Correction, CorrectionRow, Corrections, ReviewGroup, ReviewItem, Row, corrected,
};
use crate::contract::{FieldError, HandDto, Problem, ProblemKind};
use crate::hand::{HandDelta, HandSetup};
use crate::http::{QueuedPhoto, ReviewAnswer, ReviewError, ReviewPhoto, ReviewQueue, ReviewSource};
use crate::jobs::{Ask, Outcome};
use crate::notation::Notation;
use crate::pipeline::DecodeLimits;
use crate::printable::{complaint, unprintable};
use crate::rules::Book;

/// A photo of the queue, and where its line is in the file of results.
#[derive(Debug)]
struct Queued {
    item: ReviewItem,
    offset: u64,
    length: usize,
}

/// The queue of a folder.
#[derive(Debug)]
pub(super) struct FolderQueue {
    out: PathBuf,
    note: RunNote,
    reviewer: String,
    book: Book,
    results: Mutex<File>,
    /// One writes the file of corrections at a time.
    writing: Mutex<()>,
    photos: Vec<Queued>,
    /// The photos' places in the plan.
    plan: Vec<u64>,
}

/// What is looked at in a line of the results.
#[derive(Deserialize)]
struct Line<'a> {
    id: String,
    index: u64,
    #[serde(borrow)]
    as_read: Option<&'a RawValue>,
}

impl FolderQueue {
    /// The queue of a folder with results.
    ///
    /// # Errors
    /// When there are no results, or they can't be read.
    pub(super) fn open(out: &Path, reviewer: String, book: Book) -> anyhow::Result<FolderQueue> {
        let missing = || {
            let out = out.display();
            format!("{out} has no results: run `tilesight batch ... --out {out}` first")
        };
        let results = File::open(out.join(RESULTS)).with_context(missing)?;
        let note = RunNote::read(out).with_context(missing)?;
        let photos = listed(&results)?;
        let plan = lines_of(&out.join(STATE).join(PLAN)).with_context(missing)?;
        let file = out.join(CORRECTIONS);
        Corrections::read(&file, &book).with_context(|| file.display().to_string())?;
        let (results, writing) = (Mutex::new(results), Mutex::new(()));
        let out = out.to_owned();
        Ok(FolderQueue { out, note, reviewer, book, results, writing, photos, plan })
    }

    /// How many photos there are to look at.
    pub(super) fn len(&self) -> usize {
        self.photos.len()
    }

    fn corrections(&self) -> Result<Corrections, ReviewError> {
        Corrections::read(&self.out.join(CORRECTIONS), &self.book).map_err(broken)
    }

    fn queued(&self, index: u64) -> Result<&Queued, ReviewError> {
        self.photos.iter().find(|one| one.item.index == index).ok_or(ReviewError::Unknown)
    }

    /// The stored outcome of a photo, without any correction.
    fn outcome(&self, queued: &Queued) -> Result<Outcome, ReviewError> {
        let mut line = vec![0; queued.length];
        let mut read = || -> io::Result<()> {
            let mut file = self.results.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(queued.offset))?;
            file.read_exact(&mut line)
        };
        read().map_err(broken)?;
        let mut line: Value = serde_json::from_slice(&line).map_err(broken)?;
        outcome_of(&mut line).map_err(ReviewError::Files)
    }

    /// Where a photo is and what was asked of it.
    fn entry(&self, index: u64) -> Result<Entry, ReviewError> {
        let at = usize::try_from(index).ok().and_then(|index| self.plan.get(index));
        let read = || -> io::Result<Entry> {
            let mut file = File::open(self.out.join(STATE).join(PLAN))?;
            file.seek(SeekFrom::Start(*at.ok_or(io::ErrorKind::NotFound)?))?;
            let mut line = String::new();
            BufReader::new(file).read_line(&mut line)?;
            Ok(serde_json::from_str(&line)?)
        };
        read().map_err(broken)
    }

    /// The outcome with a correction.
    fn corrected(
        &self,
        index: u64,
        outcome: &Outcome,
        correction: &Correction,
    ) -> Result<Value, ReviewError> {
        let ask = match self.entry(index)?.work {
            Work::Photo(photo) => Ask {
                context: photo.context,
                rulesets: photo.rulesets.clone(),
                others: photo.typed_others(),
                ..Ask::default()
            },
            Work::Refused(_) => Ask::default(),
        };
        let outcome = corrected(outcome, correction, &asked(&ask, self.note.lang, &self.book));
        serde_json::from_str(outcome.json()).map_err(broken)
    }

    /// A photo with what is said of it.
    fn shown(
        &self,
        queued: &Queued,
        row: Option<&CorrectionRow>,
    ) -> Result<ReviewPhoto, ReviewError> {
        let outcome = self.outcome(queued)?;
        let as_read = serde_json::from_str(outcome.json()).map_err(broken)?;
        let photo = ReviewPhoto::new(in_queue(&queued.item, row.is_some()), as_read);
        let Some(row) = row else { return Ok(photo) };
        let now = self.corrected(queued.item.index, &outcome, &row.correction)?;
        Ok(photo.with(row, now["reading"].clone()))
    }

    /// The file of corrections, for as long as nobody else writes it.
    fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReviewSource for FolderQueue {
    fn list(&self) -> Result<ReviewQueue, ReviewError> {
        let corrections = self.corrections()?;
        let said = corrections.by_id();
        let photos = self
            .photos
            .iter()
            .map(|queued| in_queue(&queued.item, said.contains_key(queued.item.id.as_str())));
        Ok(ReviewQueue {
            name: self.out.display().to_string(),
            command: self.note.command(),
            reviewer: self.reviewer.clone(),
            photos: photos.collect(),
        })
    }

    fn photo(&self, index: u64) -> Result<ReviewPhoto, ReviewError> {
        let queued = self.queued(index)?;
        self.shown(queued, self.corrections()?.of(&queued.item.id))
    }

    fn picture(&self, index: u64) -> Result<Vec<u8>, ReviewError> {
        self.queued(index)?;
        let Work::Photo(photo) = self.entry(index)?.work else { return Err(ReviewError::Unknown) };
        let mut shelf = Shelf::new(DecodeLimits::default().bytes);
        shelf.bytes(&photo.source).map_err(|problem| ReviewError::Answer(Box::new(problem)))
    }

    fn answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        let queued = self.queued(index)?;
        let outcome = self.outcome(queued)?;
        let refused = |problem| ReviewError::Answer(Box::new(problem));
        let correction = with_answers(&outcome, &answer).map_err(refused)?;
        let now = self.corrected(index, &outcome, &correction)?;
        if let Ok(problem) = Problem::deserialize(&now["correction"]["problem"]) {
            return Err(refused(problem));
        }
        let mut row = CorrectionRow::new(&queued.item.id, correction);
        self.reviewer.clone_into(&mut row.reviewer);
        row.time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        row.note = answer.note.trim().to_owned();
        let _one = self.writing();
        let mut corrections = self.corrections()?;
        corrections.put(row);
        corrections.write(&self.out.join(CORRECTIONS)).map_err(broken)?;
        self.shown(queued, corrections.of(&queued.item.id))
    }

    fn take_back(&self, index: u64) -> Result<ReviewPhoto, ReviewError> {
        let queued = self.queued(index)?;
        let _one = self.writing();
        let mut corrections = self.corrections()?;
        if corrections.remove(&queued.item.id, &self.reviewer) {
            corrections.write(&self.out.join(CORRECTIONS)).map_err(broken)?;
        }
        self.shown(queued, corrections.of(&queued.item.id))
    }
}

/// A file that can't be used; the log says which.
fn broken(error: impl std::error::Error) -> ReviewError {
    ReviewError::Files(error.to_string())
}

fn in_queue(item: &ReviewItem, done: bool) -> QueuedPhoto {
    let ReviewItem { index, id, group, expected_change, .. } = item;
    let (index, group, expected_change) = (*index, *group, *expected_change);
    QueuedPhoto { index, id: id.clone(), group, expected_change, done }
}

/// The photos of a file of results that are not exact, the one to look at first at the beginning.
fn listed(results: &File) -> anyhow::Result<Vec<Queued>> {
    let (mut photos, mut offset) = (Vec::new(), 0);
    for line in BufReader::new(results).split(b'\n') {
        let line = line?;
        let length = line.len();
        let Line { id, index, as_read } =
            serde_json::from_slice(&line).context("a line of the results can't be read")?;
        let row = Row::of(as_read.map_or(line.as_slice(), |stored| stored.get().as_bytes()));
        if let Some(item) = item_of(&id, index, &row) {
            photos.push(Queued { item, offset, length });
        }
        offset += length as u64 + 1;
    }
    photos.sort_by(|a, b| a.item.rank(&b.item));
    Ok(photos)
}

/// A photo of the queue, unless it is read for sure.
fn item_of(id: &str, index: u64, row: &Row) -> Option<ReviewItem> {
    match row {
        Row::Read(read) => ReviewGroup::of(read).map(|_| ReviewItem::new(id, index, read)),
        Row::Failed(_) => Some(ReviewItem {
            id: id.to_owned(),
            index,
            expected_change: 0.0,
            total: None,
            score_probability: 0.0,
            questions: Vec::new(),
            group: ReviewGroup::Failed,
            overlay: None,
        }),
    }
}

/// Where the lines of a file begin.
fn lines_of(file: &Path) -> io::Result<Vec<u64>> {
    let (mut places, mut offset) = (Vec::new(), 0);
    for line in BufReader::new(File::open(file)?).split(b'\n') {
        places.push(offset);
        offset += line?.len() as u64 + 1;
    }
    Ok(places)
}

/// The outcome in a line of the results, as it was before any correction.
pub(super) fn outcome_of(line: &mut Value) -> Result<Outcome, String> {
    let stored = match line.get_mut("as_read").map(Value::take) {
        Some(stored) => stored,
        None => line.take(),
    };
    let Value::Object(mut stored) = stored else { return Err("no outcome".to_owned()) };
    stored.retain(|name, _| name != "id" && name != "index");
    // An outcome begins with what it is.
    let name = if stored.contains_key("reading") { "reading" } else { "error" };
    let first = json!({ name: stored.remove(name) }).to_string();
    let rest = Value::Object(stored).to_string();
    let whole = match rest.as_str() {
        "{}" => first,
        rest => format!("{},{}", &first[..first.len() - 1], &rest[1..]),
    };
    Outcome::from_json(whole).map_err(|error| error.to_string())
}

/// A correction with the answers to doubts put into it.
fn with_answers(outcome: &Outcome, answer: &ReviewAnswer) -> Result<Correction, Problem> {
    let mut correction = answer.correction.clone();
    correction.check()?;
    check_words(&answer.note, "note")?;
    check_words(correction.game.as_deref().unwrap_or_default(), "correction.game")?;
    if answer.answers.is_empty() {
        return Ok(correction);
    }
    let stored: Value = serde_json::from_str(outcome.json()).unwrap_or_default();
    let reading = &stored["reading"];
    let was = setup_of(reading)?;
    let mut hand = was.clone();
    for &(doubt, place) in &answer.answers {
        let asked = &reading["doubts"][doubt];
        let given = &asked["alternatives"][place];
        let field = asked["field"].as_str().and_then(|field| field.strip_prefix("context."));
        match (given["hand"].as_str(), field, given["answer"].as_str()) {
            (Some(text), ..) => {
                let now: Notation = text.parse().map_err(|error| Problem::from(&error))?;
                let delta = HandDelta::between(&was, &now.hand);
                hand = delta.apply(&hand).ok_or_else(|| unanswerable(doubt))?;
            }
            (None, Some(field), Some(value)) => {
                let field = json!({ field: value }).to_string();
                let given = crate::contract::ContextDto::from_json(field.as_bytes())?;
                correction.context = correction.context.or(&given);
            }
            _ => return Err(unanswerable(doubt)),
        }
    }
    if hand != was {
        correction.hand = Some(Notation::of(hand).to_string());
    }
    Ok(correction)
}

fn setup_of(reading: &Value) -> Result<HandSetup, Problem> {
    let hand: HandDto = serde_json::from_value(reading["hand"].clone()).unwrap_or_default();
    hand.to_setup()
}

/// An answer that does not say which hand it makes, or can't go together with the others.
fn unanswerable(doubt: usize) -> Problem {
    let detail = "this answer can't be put into the hand: type the hand instead";
    let errors = vec![FieldError::new(format!("answers[{doubt}]"), detail)];
    Problem::with_errors(ProblemKind::MalformedRequest, errors)
}

fn check_words(words: &str, field: &str) -> Result<(), Problem> {
    let Some(letter) = unprintable(words) else { return Ok(()) };
    let errors = vec![FieldError::new(field, complaint(letter))];
    Err(Problem::with_errors(ProblemKind::MalformedRequest, errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome {
        let hand = |text: &str| text.parse::<Notation>().expect(text).hand;
        let alternative = |answer: &str, text: Option<&str>| json!({ "answer": answer, "p": 0.5, "total": 8, "hand": text });
        let reading = json!({
            "hand": HandDto::from(&hand("123456789m11p9sFF")),
            "doubts": [
                { "kind": "tile", "alternatives": [alternative("F", Some("123456789m11pFFF"))] },
                { "kind": "winning_tile", "alternatives": [alternative("1m", Some("23456789m11p9sFF1m"))] },
                { "kind": "contradiction", "field": "context.win", "alternatives": [alternative("self_drawn", None)] },
                { "kind": "not_a_win", "alternatives": [alternative("?", None)] },
            ],
        });
        Outcome::from_json(json!({ "reading": reading }).to_string()).expect("an outcome")
    }

    fn answers(answers: &[(usize, usize)]) -> Result<Correction, Problem> {
        let answers = answers.to_vec();
        with_answers(&outcome(), &ReviewAnswer { answers, ..ReviewAnswer::default() })
    }

    #[test]
    fn several_answers_make_one_hand() {
        let both = answers(&[(0, 0), (1, 0), (2, 0)]).expect("they go together");
        let hand = both.hand.expect("a hand").parse::<Notation>().expect("a hand").hand;
        assert_eq!(hand.winning.map(|tile| tile.to_string()), Some("1m".to_owned()));
        assert_eq!(hand.concealed.iter().filter(|tile| tile.to_string() == "F").count(), 3);
        assert_eq!(serde_json::to_value(both.context).expect("JSON")["win"], "self_drawn");
        let problem = answers(&[(3, 0)]).expect_err("no hand is given");
        assert_eq!(problem.errors[0].field, "answers[3]");
        assert!(answers(&[(9, 0)]).is_err());
    }

    #[test]
    fn the_outcome_of_a_line_is_what_was_read() {
        let mut line = json!({ "id": "a", "index": 3, "reading": { "x": 1 }, "image": 2 });
        let plain = outcome_of(&mut line.clone()).expect("an outcome");
        assert_eq!(plain.json(), r#"{"reading":{"x":1},"image":2}"#);
        line["as_read"] = json!({ "error": { "detail": "broken" } });
        let before = outcome_of(&mut line).expect("an outcome");
        assert!(before.failed() && before.json().contains("broken"));
    }

    #[test]
    fn words_are_printable() {
        let note = "a\u{1b}[2J".to_owned();
        let answer = ReviewAnswer { note, ..ReviewAnswer::default() };
        assert_eq!(with_answers(&outcome(), &answer).expect_err("escape").errors[0].field, "note");
    }
}
