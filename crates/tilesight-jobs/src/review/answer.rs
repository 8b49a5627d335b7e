//! Application of a reviewer's answers to the reading of one photo.
//!
//! Input: the stored outcome, the question that was asked about the photo, and a [`ReviewAnswer`].
//! Output: the photo as the queue shows it, and the [`Correction`] that results from the answers.
//! Every source of a queue uses this module. Invariants: nothing is stored here, and no photo is
//! read; an answer that can't be scored is refused with the reason.

use std::time::SystemTime;

use serde_json::{Map, Value, json};
use tilesight_core::contract::{ContextDto, FieldError, Problem, ProblemKind, RequestFault};
use tilesight_core::printable::unprintable;
use tilesight_vision::Status;
use tilesight_vision::contract::GivenAnswer;

use super::{QueuedPhoto, ReviewAnswer, ReviewError, ReviewPhoto};
use crate::Outcome;
use crate::batch::ReviewItem;
use crate::corrections::{Correction, CorrectionRow, PhotoQuestion};

/// Photo under review: its outcome, and the question that was asked about it.
#[derive(Debug, Clone, Copy)]
pub struct ReviewedPhoto<'a> {
    /// Outcome before any correction.
    pub outcome: &'a Outcome,
    /// Question that was asked about the photo.
    pub asked: &'a PhotoQuestion<'a>,
}

impl ReviewedPhoto<'_> {
    /// Returns the photo with an answer that is not stored, and with the stored row.
    ///
    /// # Errors
    /// [`ReviewError::Answer`] if the answer is invalid; [`ReviewError::Files`] if the stored
    /// outcome can't be parsed.
    pub fn view(
        &self,
        item: &ReviewItem,
        answer: &ReviewAnswer,
        row: Option<&CorrectionRow>,
    ) -> Result<ReviewPhoto, ReviewError> {
        let original = serde_json::from_str(self.outcome.json()).map_err(broken)?;
        let now = self.current_reading(answer)?;
        let queued = QueuedPhoto::new(item, self.is_done(row));
        let photo = ReviewPhoto::new(queued, self.asked.context, original, now);
        let Some(row) = row else { return Ok(photo) };
        let outcome = row.correction.apply(self.outcome, self.asked);
        let mut corrected: Value = serde_json::from_str(outcome.json()).map_err(broken)?;
        Ok(photo.with_correction(row, corrected["reading"].take()))
    }

    /// Returns whether a row leaves nothing open that changes the score.
    #[must_use]
    pub fn is_done(&self, row: Option<&CorrectionRow>) -> bool {
        let Some(CorrectionRow { correction, .. }) = row else { return false };
        let now = correction.answer_doubts(&self.stored_fields(), self.asked);
        now.is_ok_and(|now| now.status != Status::NeedsReview)
    }

    /// Returns the row of an answer, with its author and time.
    ///
    /// # Errors
    /// [`ReviewError::Answer`] if the answer can't be scored.
    pub fn row(
        &self,
        id: &str,
        answer: &ReviewAnswer,
        reviewer: &str,
    ) -> Result<CorrectionRow, ReviewError> {
        let correction = self.correction(answer).map_err(refuse)?;
        if !correction.is_empty() {
            let now =
                correction.answer_doubts(&self.stored_fields(), self.asked).map_err(refuse)?;
            if let Some(problem) = now.problem {
                return Err(refuse(problem));
            }
        }
        let mut row = CorrectionRow::new(id, correction);
        reviewer.clone_into(&mut row.reviewer);
        row.time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        answer.note.trim().clone_into(&mut row.note);
        Ok(row)
    }

    /// Returns the reading with answers; `null` if the reading is not a hand.
    fn current_reading(&self, answer: &ReviewAnswer) -> Result<Value, ReviewError> {
        let correction = self.correction(answer).map_err(refuse)?;
        match correction.answer_doubts(&self.stored_fields(), self.asked) {
            Ok(now) => Ok(json!(now)),
            // The reading need not be a hand; an answer to it must be one.
            Err(_) if correction.is_empty() => Ok(Value::Null),
            Err(problem) => Err(refuse(problem)),
        }
    }

    /// Returns the correction that an answer makes. Answers to doubts are kept unless they say no
    /// more than the rest: who gives the hand or accepts the reading has settled its doubts.
    fn correction(&self, answer: &ReviewAnswer) -> Result<Correction, Problem> {
        check(answer)?;
        let answers = answer.answers.iter().chain(&answer.correction.answers).cloned().collect();
        let mut correction = Correction { answers, ..answer.correction.clone() };
        let is_typed = answer.correction.has_typed_hand();
        if !is_typed && !answer.answers.is_empty() {
            // A hand that earlier answers made is made again, with all answers.
            correction.hand = None;
        }
        if correction.answers.is_empty() || correction.leaves_out() {
            correction.answers.clear();
            return Ok(correction);
        }
        let stored = self.stored_fields();
        let reading = stored.get("reading").unwrap_or(&Value::Null);
        let given = context_fields(reading, &correction.answers)?;
        correction.context = correction.context.or(&given);
        let by_answers = Correction { accepted: false, winning_tile: None, ..correction.clone() };
        let now = by_answers.answer_exactly(&stored, self.asked)?;
        if correction.hand.is_none() && reading["hand"]["notation"] != json!(now.hand.notation) {
            correction.hand = Some(now.hand.notation);
        }
        if correction.accepted && correction.hand.is_some() {
            let supposed = now.supposed_winning_tile.and_then(|tile| tile.parse().ok());
            correction.winning_tile = correction.winning_tile.or(supposed);
        }
        if is_typed || correction.accepted {
            correction.answers.clear();
        }
        Ok(correction)
    }

    fn stored_fields(&self) -> Map<String, Value> {
        serde_json::from_str(self.outcome.json()).unwrap_or_default()
    }
}

/// Converts the error of an unusable stored outcome; the log has the reason.
fn broken(error: impl std::error::Error) -> ReviewError {
    ReviewError::Files(error.to_string())
}

/// Converts the problem of an answer that can't be stored.
fn refuse(problem: Problem) -> ReviewError {
    ReviewError::Answer(Box::new(problem))
}

/// Refuses invalid or unprintable fields.
fn check(answer: &ReviewAnswer) -> Result<(), Problem> {
    answer.correction.check()?;
    check_words(&answer.note, "note")?;
    check_words(answer.correction.game.as_deref().unwrap_or_default(), "correction.game")
}

fn check_words(words: &str, field: &str) -> Result<(), Problem> {
    let Some(letter) = unprintable(words) else {
        return Ok(());
    };
    let fault = RequestFault::Unprintable { letter };
    let errors = vec![FieldError::from_message(field, &fault)];
    Err(Problem::with_errors(ProblemKind::MalformedRequest, errors))
}

/// Returns the fields of the win context that answers give.
fn context_fields(reading: &Value, answers: &[GivenAnswer]) -> Result<ContextDto, Problem> {
    let mut context = ContextDto::default();
    let doubts = reading["doubts"].as_array().map(Vec::as_slice).unwrap_or_default();
    for GivenAnswer { doubt, answer } in answers {
        let Some(doubt) = doubts.iter().find(|one| one["id"] == json!(doubt)) else {
            continue;
        };
        let field = doubt["field"].as_str().and_then(|field| field.strip_prefix("context."));
        let alternatives = doubt["alternatives"].as_array().into_iter().flatten();
        let mut given = alternatives.filter(|one| one["answer"] == json!(answer));
        let makes_a_hand = given.any(|one| one["hand"].is_string());
        if let (Some(field), Some(value), false) = (field, answer, makes_a_hand) {
            let given = ContextDto::from_json(json!({ field: value }).to_string().as_bytes())?;
            context = context.or(&given);
        }
    }
    Ok(context)
}

#[cfg(test)]
mod tests {
    use tilesight_core::contract::HandDto;
    use tilesight_core::explain::Lang;
    use tilesight_core::notation::Notation;
    use tilesight_core::rules::Book;

    use super::*;

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

    /// Runs `work` on a photo that was read without any win context.
    fn with<T>(outcome: &Outcome, work: impl FnOnce(ReviewedPhoto) -> T) -> T {
        let book = Book::shipped();
        let asked = PhotoQuestion::bare(Lang::En, &book);
        work(ReviewedPhoto { outcome, asked: &asked })
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
        let correction = |given: &[_]| with(&outcome(), |photo| photo.correction(&answers(given)));
        let both = correction(&[("tile-11", "F"), ("winning_tile", "1m")]);
        let hand = both.expect("they go together").hand.expect("a hand");
        let hand = hand.parse::<Notation>().expect("a hand").hand;
        assert_eq!(hand.winning.map(|tile| tile.to_string()), Some("1m".to_owned()));
        assert_eq!(hand.concealed.iter().filter(|tile| tile.to_string() == "F").count(), 3);
        let problem = correction(&[("tile-99", "F")]).expect_err("there is no such doubt");
        assert_eq!(problem.errors[0].field, "answers[0].doubt");
    }

    /// Answers that confirm what was read are kept, and leave nothing open.
    #[test]
    fn confirming_answers_are_kept_and_finish_the_row() {
        let outcome = outcome();
        let read = |given: &[_]| {
            with(&outcome, |photo| {
                let answer = answers(given);
                let row = photo.row("a.jpg", &answer, "Kim").expect("it can be scored");
                let tried = photo.current_reading(&answer).expect("it can be tried");
                assert!(!row.correction.is_empty(), "{row:?}");
                let now = row.correction.apply(&outcome, photo.asked);
                let now: Value = serde_json::from_str(now.json()).expect("JSON");
                for field in ["status", "hand", "doubts"] {
                    assert_eq!(now["reading"][field], tried[field], "{field} of {given:?}");
                }
                (photo.is_done(Some(&row)), row.correction)
            })
        };
        let (is_done, some) = read(&[("tile-11", "F")]);
        assert!(!is_done, "the winning tile is open: {some:?}");
        assert_eq!(some.answers.len(), 1);
        let (is_done, all) = read(&[("tile-11", "F"), ("winning_tile", "1m")]);
        assert!(is_done, "{all:?}");
    }

    /// A stored correction that is sent back says the same again.
    #[test]
    fn a_stored_correction_can_be_sent_back() {
        with(&outcome(), |photo| {
            let row = photo.row("a.jpg", &answers(&[("tile-11", "F")]), "Kim").expect("a row");
            let again =
                ReviewAnswer { correction: row.correction.clone(), ..ReviewAnswer::default() };
            assert_eq!(photo.correction(&again), Ok(row.correction));
            let more =
                ReviewAnswer { answers: answers(&[("winning_tile", "1m")]).answers, ..again };
            let both = photo.correction(&more).expect("they go together");
            let hand = both.hand.expect("a hand").parse::<Notation>().expect("a hand").hand;
            assert_eq!((both.answers.len(), hand.winning.is_some()), (2, true));
        });
    }

    #[test]
    fn a_win_context_counts_at_once_and_one_that_cannot_be_says_why() {
        let try_with = |context: &str| {
            let context = ContextDto::from_json(context.as_bytes()).expect("a context");
            let correction = Correction { context, ..Correction::default() };
            let answer = ReviewAnswer { correction, ..answers(&[("tile-11", "F")]) };
            with(&outcome(), |photo| photo.current_reading(&answer))
        };
        let total = |context: &str| try_with(context).expect("it goes")["score"]["total"].as_u64();
        assert!(total(r#"{"win":"self_drawn"}"#) > total(r#"{"win":"discard"}"#));
        let never = try_with(r#"{"win":"kong_replacement"}"#).expect("it says why");
        assert_eq!((&never["score"], &never["problem"]["status"]), (&Value::Null, &json!(422)));
        let nothing = Outcome::from_problem(Problem::new(ProblemKind::UnreadableImage, "broken"));
        let unread = with(&nothing, |photo| photo.current_reading(&ReviewAnswer::default()));
        assert_eq!(unread.expect("nothing is asked"), Value::Null);
    }

    #[test]
    fn words_are_printable() {
        let answer = ReviewAnswer { note: "a\u{1b}[2J".to_owned(), ..ReviewAnswer::default() };
        let refused = with(&outcome(), |photo| photo.row("a.jpg", &answer, "Kim"));
        let Err(ReviewError::Answer(problem)) = refused else { panic!("{refused:?}") };
        assert_eq!(problem.errors[0].field, "note");
    }
}
