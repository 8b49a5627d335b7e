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
    Correction, CorrectionRow, Corrections, PhotoQuestion, ReviewGroup, ReviewItem, Row, corrected,
};
use crate::contract::{
    AnsweredReadingDto, AnswersRequest, ContextDto, FieldError, GivenAnswer, Problem, ProblemKind,
    Scoring,
};
use crate::http::{QueuedPhoto, ReviewAnswer, ReviewError, ReviewPhoto, ReviewQueue, ReviewSource};
use crate::jobs::{Ask, Outcome};
use crate::pipeline::DecodeLimits;
use crate::printable::{complaint, unprintable};
use crate::rules::Book;

/// What keeps a second review of the folder out: two would overwrite each other's rows.
const LOCK: &str = "review.lock";

/// A photo of the queue, and where its line is in the file of results.
#[derive(Debug)]
struct QueueEntry {
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
    /// What keeps other reviews out, for as long as this one is open.
    _lock: File,
    photos: Vec<QueueEntry>,
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
        let lock = File::create(out.join(STATE).join(LOCK)).with_context(missing)?;
        let in_use = || format!("another review of {} is open", out.display());
        lock.try_lock().with_context(in_use)?;
        let note = RunNote::read(out).with_context(missing)?;
        let photos = listed(&results)?;
        let plan = lines_of(&out.join(STATE).join(PLAN)).with_context(missing)?;
        let file = out.join(CORRECTIONS);
        Corrections::read(&file, &book).with_context(|| file.display().to_string())?;
        let (results, writing) = (Mutex::new(results), Mutex::new(()));
        let out = out.to_owned();
        let _lock = lock;
        Ok(FolderQueue { out, note, reviewer, book, results, writing, _lock, photos, plan })
    }

    /// How many photos there are to look at.
    pub(super) fn len(&self) -> usize {
        self.photos.len()
    }

    fn corrections(&self) -> Result<Corrections, ReviewError> {
        Corrections::read(&self.out.join(CORRECTIONS), &self.book).map_err(broken)
    }

    fn queued(&self, index: u64) -> Result<&QueueEntry, ReviewError> {
        self.photos.iter().find(|one| one.item.index == index).ok_or(ReviewError::Unknown)
    }

    /// The stored outcome of a photo, without any correction.
    fn outcome(&self, queued: &QueueEntry) -> Result<Outcome, ReviewError> {
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

    /// Where a photo is and what was asked of it. Where the batch was run again with other photos
    /// since, its plan is another one.
    fn entry(&self, index: u64) -> Result<Entry, ReviewError> {
        let queued = self.queued(index)?;
        let at = usize::try_from(index).ok().and_then(|index| self.plan.get(index));
        let read = || -> io::Result<Entry> {
            let mut file = File::open(self.out.join(STATE).join(PLAN))?;
            file.seek(SeekFrom::Start(*at.ok_or(io::ErrorKind::NotFound)?))?;
            let mut line = String::new();
            BufReader::new(file).read_line(&mut line)?;
            Ok(serde_json::from_str(&line)?)
        };
        match read() {
            Ok(entry) if entry.id == queued.item.id => Ok(entry),
            _ => {
                let detail = "the batch was run again with other photos: open the review again";
                Err(refused(Problem::new(ProblemKind::NotFound, detail)))
            }
        }
    }

    /// What was asked of a photo when it was read.
    fn with_asked<T>(
        &self,
        index: u64,
        work: impl FnOnce(&PhotoQuestion) -> Result<T, ReviewError>,
    ) -> Result<T, ReviewError> {
        let ask = match self.entry(index)?.work {
            Work::Photo(photo) => Ask {
                context: photo.context,
                rulesets: photo.rulesets.clone(),
                others: photo.typed_others(),
                ..Ask::default()
            },
            Work::Refused(_) => Ask::default(),
        };
        work(&asked(&ask, self.note.lang, &self.book))
    }

    /// A photo with answers that are not kept yet, and with what is kept of it.
    fn shown(
        &self,
        queued: &QueueEntry,
        answer: &ReviewAnswer,
        row: Option<&CorrectionRow>,
    ) -> Result<ReviewPhoto, ReviewError> {
        let outcome = self.outcome(queued)?;
        let as_read = serde_json::from_str(outcome.json()).map_err(broken)?;
        self.with_asked(queued.item.index, |asked| {
            let now = now(&outcome, answer, asked)?;
            let queued = in_queue(&queued.item, row.is_some());
            let photo = ReviewPhoto::new(queued, asked.context, as_read, now);
            let Some(row) = row else { return Ok(photo) };
            let corrected = corrected(&outcome, &row.correction, asked);
            let mut corrected: Value = serde_json::from_str(corrected.json()).map_err(broken)?;
            Ok(photo.with(row, corrected["reading"].take()))
        })
    }

    fn said(&self, queued: &QueueEntry) -> Result<ReviewPhoto, ReviewError> {
        self.shown(queued, &ReviewAnswer::default(), self.corrections()?.of(&queued.item.id))
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
        self.said(self.queued(index)?)
    }

    fn picture(&self, index: u64) -> Result<Vec<u8>, ReviewError> {
        let Work::Photo(photo) = self.entry(index)?.work else { return Err(ReviewError::Unknown) };
        let mut shelf = Shelf::new(DecodeLimits::default().bytes);
        shelf.bytes(&photo.source).map_err(refused)
    }

    fn try_answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        check(&answer).map_err(refused)?;
        let queued = self.queued(index)?;
        self.shown(queued, &answer, self.corrections()?.of(&queued.item.id))
    }

    fn answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        let queued = self.queued(index)?;
        let outcome = self.outcome(queued)?;
        let correction = self.with_asked(index, |asked| {
            let correction = with_answers(&outcome, &answer, asked).map_err(refused)?;
            let now = corrected(&outcome, &correction, asked);
            let now: Value = serde_json::from_str(now.json()).map_err(broken)?;
            match Problem::deserialize(&now["correction"]["problem"]) {
                Ok(problem) => Err(refused(problem)),
                Err(_) => Ok(correction),
            }
        })?;
        let mut row = CorrectionRow::new(&queued.item.id, correction);
        self.reviewer.clone_into(&mut row.reviewer);
        row.time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        row.note = answer.note.trim().to_owned();
        let _one = self.writing();
        let mut corrections = self.corrections()?;
        corrections.put(row);
        corrections.write(&self.out.join(CORRECTIONS)).map_err(broken)?;
        self.said(queued)
    }

    fn take_back(&self, index: u64) -> Result<ReviewPhoto, ReviewError> {
        let queued = self.queued(index)?;
        let _one = self.writing();
        let mut corrections = self.corrections()?;
        if corrections.remove(&queued.item.id, &self.reviewer) {
            corrections.write(&self.out.join(CORRECTIONS)).map_err(broken)?;
        }
        self.said(queued)
    }
}

/// A file that can't be used; the log says which.
fn broken(error: impl std::error::Error) -> ReviewError {
    ReviewError::Files(error.to_string())
}

/// An answer that can't be kept.
fn refused(problem: Problem) -> ReviewError {
    ReviewError::Answer(Box::new(problem))
}

fn in_queue(item: &ReviewItem, done: bool) -> QueuedPhoto {
    let ReviewItem { index, id, group, expected_change, .. } = item;
    let (index, group, expected_change) = (*index, *group, *expected_change);
    QueuedPhoto { index, id: id.clone(), group, expected_change, done }
}

/// The photos of a file of results that are not exact, the one to look at first at the beginning.
fn listed(results: &File) -> anyhow::Result<Vec<QueueEntry>> {
    let (mut photos, mut offset) = (Vec::new(), 0);
    for line in BufReader::new(results).split(b'\n') {
        let line = line?;
        let length = line.len();
        let Line { id, index, as_read } =
            serde_json::from_slice(&line).context("a line of the results can't be read")?;
        let row = Row::of(as_read.map_or(line.as_slice(), |stored| stored.get().as_bytes()));
        if let Some(item) = item_of(&id, index, &row) {
            photos.push(QueueEntry { item, offset, length });
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

/// Refuses what can't be read or printed.
fn check(answer: &ReviewAnswer) -> Result<(), Problem> {
    answer.correction.check()?;
    check_words(&answer.note, "note")?;
    check_words(answer.correction.game.as_deref().unwrap_or_default(), "correction.game")
}

/// The reading with answers; nothing where what was read is not a hand.
fn now(
    outcome: &Outcome,
    answer: &ReviewAnswer,
    asked: &PhotoQuestion,
) -> Result<Value, ReviewError> {
    match answered(outcome, answer, asked) {
        Ok(now) => Ok(json!(now)),
        // What was read need not be a hand; an answer to it has to be one.
        Err(_) if answer.answers.is_empty() => Ok(Value::Null),
        Err(problem) => Err(refused(problem)),
    }
}

/// The reading with answers, and the doubts that are left of it.
fn answered(
    outcome: &Outcome,
    answer: &ReviewAnswer,
    asked: &PhotoQuestion,
) -> Result<AnsweredReadingDto, Problem> {
    let stored: Value = serde_json::from_str(outcome.json()).unwrap_or_default();
    let reading = &stored["reading"];
    let mut request = json!({
        "reading": { "hand": reading["hand"], "doubts": reading["doubts"] },
        "answers": answer.answers,
        "others": asked.all_others(outcome),
    });
    if let Some(hand) = &answer.correction.hand {
        request["hand"] = json!(hand);
    }
    let request = AnswersRequest::from_json(request.to_string().as_bytes())?;
    let given = with_fields(reading, answer)?;
    let context = asked.context_with(&given.context);
    let rulesets = Some(asked.rulesets.to_vec()).filter(|list| !list.is_empty());
    let rulesets = Scoring { context, rulesets }.find(asked.book)?;
    request.answered(&context, &rulesets, asked.lang)
}

/// The correction with the fields of the win context that answers give.
fn with_fields(reading: &Value, answer: &ReviewAnswer) -> Result<Correction, Problem> {
    let mut correction = answer.correction.clone();
    let doubts = reading["doubts"].as_array().map(Vec::as_slice).unwrap_or_default();
    for GivenAnswer { doubt, answer } in &answer.answers {
        let Some(doubt) = doubts.iter().find(|one| one["id"] == json!(doubt)) else { continue };
        let field = doubt["field"].as_str().and_then(|field| field.strip_prefix("context."));
        let alternatives = doubt["alternatives"].as_array().into_iter().flatten();
        let mut given = alternatives.filter(|one| one["answer"] == json!(answer));
        let makes_a_hand = given.any(|one| one["hand"].is_string());
        if let (Some(field), Some(value), false) = (field, answer, makes_a_hand) {
            let given = ContextDto::from_json(json!({ field: value }).to_string().as_bytes())?;
            correction.context = correction.context.or(&given);
        }
    }
    Ok(correction)
}

/// The correction that answers come to.
fn with_answers(
    outcome: &Outcome,
    answer: &ReviewAnswer,
    asked: &PhotoQuestion,
) -> Result<Correction, Problem> {
    check(answer)?;
    if answer.answers.is_empty() || answer.correction.leaves_out() {
        return Ok(answer.correction.clone());
    }
    let stored: Value = serde_json::from_str(outcome.json()).unwrap_or_default();
    let mut correction = with_fields(&stored["reading"], answer)?;
    let now = answered(outcome, answer, asked)?;
    let was = &stored["reading"]["hand"]["notation"];
    if *was != json!(now.hand.notation) {
        correction.hand = Some(now.hand.notation);
    }
    Ok(correction)
}

fn check_words(words: &str, field: &str) -> Result<(), Problem> {
    let Some(letter) = unprintable(words) else { return Ok(()) };
    let errors = vec![FieldError::new(field, complaint(letter))];
    Err(Problem::with_errors(ProblemKind::MalformedRequest, errors))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::HandDto;
    use crate::notation::Notation;

    fn outcome() -> Outcome {
        let hand = "123456789m11p9sFF".parse::<Notation>().expect("a hand").hand;
        let one = |answer: &str, text: &str| json!({ "answer": answer, "p": 0.5, "total": 8, "hand": text });
        let doubt = |id: &str, alternatives: Value| {
            let kind = id.split('-').next();
            json!({ "id": id, "kind": kind, "tiles": [], "question": "?", "affects_score": true,
                    "alternatives": alternatives })
        };
        let reading = json!({
            "hand": HandDto::from(&hand),
            "doubts": [
                doubt("tile-11", json!([one("F", "123456789m11pFFF"), one("9s", "123456789m11p9sFF")])),
                doubt("winning_tile", json!([one("1m", "23456789m11p9sFF1m"), one("1p", "123456789m1p9sFF1p")])),
            ],
        });
        Outcome::from_json(json!({ "reading": reading }).to_string()).expect("an outcome")
    }

    fn with(answers: &[(&str, &str)], note: &str) -> Result<Correction, Problem> {
        let answer = ReviewAnswer { note: note.to_owned(), ..self::answers(answers) };
        let book = Book::shipped();
        with_answers(&outcome(), &answer, &PhotoQuestion::bare(&book))
    }

    fn answers(given: &[(&str, &str)]) -> ReviewAnswer {
        let given = given.iter().map(|&(doubt, answer)| GivenAnswer {
            doubt: doubt.to_owned(),
            answer: Some(answer.to_owned()),
        });
        ReviewAnswer { answers: given.collect(), ..ReviewAnswer::default() }
    }

    #[test]
    fn several_answers_make_one_hand() {
        let both = with(&[("tile-11", "F"), ("winning_tile", "1m")], "").expect("they go together");
        let hand = both.hand.expect("a hand").parse::<Notation>().expect("a hand").hand;
        assert_eq!(hand.winning.map(|tile| tile.to_string()), Some("1m".to_owned()));
        assert_eq!(hand.concealed.iter().filter(|tile| tile.to_string() == "F").count(), 3);
        let problem = with(&[("tile-99", "F")], "").expect_err("there is no such doubt");
        assert_eq!(problem.errors[0].field, "answers[0].doubt");
    }

    #[test]
    fn a_win_context_counts_at_once_and_one_that_cannot_be_says_why() {
        let try_with = |context: &str| {
            let context = ContextDto::from_json(context.as_bytes()).expect("a context");
            let correction = Correction { context, ..Correction::default() };
            let answer = ReviewAnswer { correction, ..answers(&[("tile-11", "F")]) };
            let book = Book::shipped();
            now(&outcome(), &answer, &PhotoQuestion::bare(&book))
        };
        let total = |context: &str| try_with(context).expect("it goes")["score"]["total"].as_u64();
        assert!(total(r#"{"win":"self_drawn"}"#) > total(r#"{"win":"discard"}"#));
        let never = try_with(r#"{"win":"kong_replacement"}"#).expect("it says why");
        assert_eq!((&never["score"], &never["problem"]["status"]), (&Value::Null, &json!(422)));
        let nothing = Outcome::refused(Problem::new(ProblemKind::UnreadableImage, "broken"));
        let book = Book::shipped();
        let unread = now(&nothing, &ReviewAnswer::default(), &PhotoQuestion::bare(&book));
        assert_eq!(unread.expect("nothing is asked"), Value::Null);
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
        let problem = with(&[], "a\u{1b}[2J").expect_err("an escape");
        assert_eq!(problem.errors[0].field, "note");
    }
}
