//! Outcomes of photos whose reading a person corrected: only the scoring is repeated.
//!
//! Input: the outcome as a worker stored it, what was asked about the photo, and a [`Correction`].
//! Output: the outcome with the corrected hand and its score, `correction`, and the stored outcome
//! in `original`. Invariants: no photo is read; the stored outcome is kept completely, so that
//! withdrawing a correction restores it; a correction that can't be scored leaves the photo to be
//! reviewed, with the reason; the doubts that are left are those that `POST /v1/readings/answers`
//! leaves after the same answers.

use serde::Serialize;
use serde_json::{Map, Value, json};
use tilesight_core::contract::{
    ContextDto, HandDto, HandInput, OtherDto, OtherInRequest, Problem, ProblemKind, Scoring,
    hand_faults,
};
use tilesight_core::explain::Lang;
use tilesight_core::hand::{HandSetup, HandSize, Other};
use tilesight_core::notation::Notation;
use tilesight_core::rules::{Book, Conventions, RulesetId};
use tilesight_core::tile::{Tile, Wind};
use tilesight_vision::Status;
use tilesight_vision::contract::{
    AnsweredReadingDto, AnswersRequest, GivenAnswer, NoScoreDto, TableRequest,
};

use super::correction::Correction;
use crate::{Item, Outcome};

/// Settings with which a photo was read.
#[derive(Debug, Clone)]
pub struct PhotoQuestion<'a> {
    /// Win context.
    pub context: ContextDto,
    /// Rule sets to score by side by side.
    pub rulesets: &'a [RulesetId],
    /// Typed hands of the players who did not win; hands from photos are in the outcome.
    pub others: Vec<OtherDto>,
    /// Language of names.
    pub lang: Lang,
    /// Rule sets that the process knows.
    pub book: &'a Book,
}

impl<'a> PhotoQuestion<'a> {
    /// Returns the size of hand that the first rule set has.
    fn size(&self) -> HandSize {
        let first = self.rulesets.first().and_then(|&id| self.book.get(id).ok());
        first.unwrap_or(self.book.usual()).rules().size()
    }

    /// Returns the settings of an item's task, with names in a language; an item that was refused
    /// has none.
    #[must_use]
    pub fn from_item(item: &'a Item, lang: Lang, book: &'a Book) -> PhotoQuestion<'a> {
        match &item.task {
            Some(task) => PhotoQuestion::from_table(&task.table, lang, book),
            None => PhotoQuestion::bare(lang, book),
        }
    }

    /// Returns the settings of a request, with names in a language.
    #[must_use]
    pub fn from_table<P>(
        table: &'a TableRequest<P>,
        lang: Lang,
        book: &'a Book,
    ) -> PhotoQuestion<'a> {
        let scoring = &table.fields.scoring;
        PhotoQuestion {
            context: scoring.context,
            rulesets: scoring.rulesets.as_deref().unwrap_or_default(),
            others: table.others.iter().filter_map(OtherInRequest::as_typed).collect(),
            lang,
            book,
        }
    }
}

impl PhotoQuestion<'_> {
    /// Returns settings in which no field is given.
    #[must_use]
    pub fn bare(lang: Lang, book: &Book) -> PhotoQuestion<'_> {
        PhotoQuestion {
            context: ContextDto::default(),
            rulesets: &[],
            others: Vec::new(),
            lang,
            book,
        }
    }

    /// Returns the answer to a request about the reading of the photo, in the given win context,
    /// overridden by the corrected fields.
    fn answer(
        &self,
        request: &AnswersRequest,
        corrected: &ContextDto,
    ) -> Result<AnsweredReadingDto, Problem> {
        let context = corrected.amend(&self.context);
        let named = (!self.rulesets.is_empty()).then(|| self.rulesets.to_vec());
        let rulesets = Scoring { context, rulesets: named }.find(self.book)?;
        request.answer(&context, &rulesets, self.lang)
    }
}

impl Correction {
    /// Returns the outcome with this correction applied. An empty correction changes nothing.
    #[must_use]
    pub fn apply(&self, outcome: &Outcome, asked: &PhotoQuestion) -> Outcome {
        if self.is_empty() {
            return outcome.clone();
        }
        let Ok(Value::Object(stored)) = serde_json::from_str::<Value>(outcome.json()) else {
            return outcome.clone();
        };
        let reading = stored.get("reading").and_then(Value::as_object);
        let mut answer = stored.clone();
        answer.remove("error");
        let mut now = reading.cloned().unwrap_or_else(unread);
        let mut said = serde_json::to_value(self).unwrap_or_default();
        if self.leaves_out() {
            leave_out(&mut now);
            answer.remove("scores");
        } else {
            match self.answer_doubts(&stored, asked).and_then(scored) {
                Ok(mut answered) => {
                    let scores = answered.scores.take();
                    answer.remove("scores");
                    answer.extend(scores.map(|scores| ("scores".to_owned(), json!(scores))));
                    self.settle(&mut now, answered);
                }
                Err(problem) => {
                    now.insert("status".to_owned(), json!(Status::NeedsReview));
                    now.insert("score".to_owned(), Value::Null);
                    now.insert("no_score".to_owned(), json!(NoScoreDto::from(&problem)));
                    said["problem"] = json!(problem);
                }
            }
        }
        // The reading comes first because every outcome begins with it.
        let mut whole = json!({ "reading": now }).to_string();
        whole.pop();
        answer.remove("reading");
        answer.insert("correction".to_owned(), said);
        answer.insert("original".to_owned(), Value::Object(stored));
        whole.push(',');
        whole.push_str(&Value::Object(answer).to_string()[1..]);
        Outcome::from_json(whole).unwrap_or_else(|_| outcome.clone())
    }

    /// Returns the reading of a stored outcome with this correction: the hand, its score or the
    /// reason why it has none, and the doubts that are left. Answers to doubts that the reading
    /// does not have are ignored: another version of the program may have read the photo again.
    ///
    /// # Errors
    /// A [`Problem`] with the part that can't be read.
    pub(crate) fn answer_doubts(
        &self,
        stored: &Map<String, Value>,
        asked: &PhotoQuestion,
    ) -> Result<AnsweredReadingDto, Problem> {
        let reading = stored.get("reading").and_then(Value::as_object);
        let known = self.answers.iter().filter(|given| is_known(given, reading)).cloned();
        Correction { answers: known.collect(), ..self.clone() }.answer_exactly(stored, asked)
    }

    /// Like [`answer_doubts`](Correction::answer_doubts), for a person who has just seen the
    /// reading.
    ///
    /// # Errors
    /// As there, and with an answer to a doubt that the reading does not have.
    pub(crate) fn answer_exactly(
        &self,
        stored: &Map<String, Value>,
        asked: &PhotoQuestion,
    ) -> Result<AnsweredReadingDto, Problem> {
        if self.leaves_out() {
            return Ok(left_out(asked.context));
        }
        let mut answered = asked.answer(&self.request(stored, asked)?, &self.context)?;
        let asked_before = answered.doubts.len();
        answered.doubts.retain(|doubt| !self.settles(doubt));
        if answered.doubts.len() < asked_before {
            // What a person settled leaves only the win context open.
            answered.possible = answered.score.as_ref().and_then(|score| score.range.clone());
        }
        let is_settled = answered.doubts.iter().all(|doubt| !doubt.affects_score);
        answered.status = match answered.score {
            Some(_) if is_settled => Status::Ok,
            _ => Status::NeedsReview,
        };
        Ok(answered)
    }

    /// Returns the request that gives the answers of this correction to the stored reading.
    fn request(
        &self,
        stored: &Map<String, Value>,
        asked: &PhotoQuestion,
    ) -> Result<AnswersRequest, Problem> {
        let reading = stored.get("reading").and_then(Value::as_object);
        let hand = self.corrected_hand(reading, asked)?;
        let (read, doubts) = match reading {
            Some(reading) => (reading.get("hand").cloned(), reading.get("doubts").cloned()),
            None => (None, None),
        };
        let request = json!({
            "reading": { "hand": read.unwrap_or_else(|| json!({})), "doubts": doubts.unwrap_or_else(|| json!([])) },
            "answers": self.answers,
            "hand": hand.map(|hand| Notation::from_hand(hand).to_string()),
            "others": asked.others.iter().cloned().chain(others_in_photos(stored)).collect::<Vec<_>>(),
        });
        AnswersRequest::from_json(request.to_string().as_bytes())
    }

    /// Returns the hand that this correction gives; `None` if it leaves the hand as it was read.
    fn corrected_hand(
        &self,
        reading: Option<&Map<String, Value>>,
        asked: &PhotoQuestion,
    ) -> Result<Option<HandSetup>, Problem> {
        let mut hand = match (&self.hand, reading) {
            (Some(text), _) => HandInput::Notation(text.clone()).setup()?,
            (None, Some(reading)) => hand_of(reading)?,
            (None, None) => {
                let detail = "the photo could not be read: give the hand";
                return Err(Problem::new(ProblemKind::NoHand, detail));
            }
        };
        // Who accepts the score accepts the winning tile that it supposes.
        let supposed = reading
            .filter(|_| self.accepted && hand.winning.is_none() && self.hand.is_none())
            .and_then(|reading| reading.get("supposed_winning_tile")?.as_str()?.parse().ok());
        let winning = self.winning_tile.or(supposed);
        if let Some(tile) = winning {
            win_by(&mut hand, tile)?;
        }
        let expects_a_win = !self.context.amend(&asked.context).setup.has_not_won();
        if self.has_typed_hand() && expects_a_win {
            hand.clone().into_hand_of(asked.size()).map_err(|error| {
                Problem::with_errors(ProblemKind::InvalidHand, hand_faults(&error))
            })?;
        }
        Ok((self.hand.is_some() || winning.is_some()).then_some(hand))
    }

    /// Writes the corrected reading into the stored one.
    fn settle(&self, reading: &mut Map<String, Value>, answered: AnsweredReadingDto) {
        let AnsweredReadingDto {
            status,
            hand,
            context,
            supposed_winning_tile,
            score,
            doubts,
            possible,
            ..
        } = answered;
        let says_hand = self.accepted || self.hand.is_some() || !self.answers.is_empty();
        if status == Status::Ok && says_hand {
            for name in ["probability", "tiles_probability", "score_probability"] {
                reading.insert(name.to_owned(), json!(1.0));
            }
        }
        for name in ["supposed_winning_tile", "possible", "repairs", "no_score"] {
            reading.remove(name);
        }
        reading.insert("status".to_owned(), json!(status));
        reading.insert("hand".to_owned(), json!(hand));
        reading.insert("context".to_owned(), json!(GivenFields(context)));
        reading.insert("score".to_owned(), json!(score));
        reading.insert("doubts".to_owned(), json!(doubts));
        let supposed = supposed_winning_tile.map(Value::from);
        reading.extend(supposed.map(|tile| ("supposed_winning_tile".to_owned(), tile)));
        reading.extend(possible.map(|range| ("possible".to_owned(), json!(range))));
    }
}

/// The given fields of a win context, as a reading has them.
#[derive(Serialize)]
#[serde(transparent)]
struct GivenFields(#[serde(serialize_with = "ContextDto::serialize_given")] ContextDto);

/// Returns the reading of a photo that has nothing to score.
fn left_out(context: ContextDto) -> AnsweredReadingDto {
    AnsweredReadingDto {
        request_id: String::new(),
        status: Status::NoHand,
        hand: HandDto::default(),
        context,
        supposed_winning_tile: None,
        score: None,
        problem: None,
        scores: None,
        doubts: Vec::new(),
        possible: None,
        repairs: Vec::new(),
        changes: None,
    }
}

/// Returns a reading that has a score.
fn scored(mut answered: AnsweredReadingDto) -> Result<AnsweredReadingDto, Problem> {
    match answered.problem.take() {
        Some(problem) => Err(problem),
        None => Ok(answered),
    }
}

/// Returns whether a reading has a doubt, and the answer to it.
fn is_known(given: &GivenAnswer, reading: Option<&Map<String, Value>>) -> bool {
    let doubts = reading.and_then(|reading| reading.get("doubts")?.as_array());
    let doubt = doubts.into_iter().flatten().find(|doubt| doubt["id"] == json!(given.doubt));
    let Some(doubt) = doubt else { return false };
    let mut alternatives = doubt["alternatives"].as_array().into_iter().flatten();
    given.answer.is_none() || alternatives.any(|one| one["answer"] == json!(given.answer))
}

/// Returns the outcome in a line of the results, as it was before any correction. Takes it out of
/// the line.
///
/// # Errors
/// A text, when the line has no outcome.
pub fn stored_outcome(line: &mut Value) -> Result<Outcome, String> {
    let stored = match line.get_mut("original").map(Value::take) {
        Some(stored) => stored,
        None => line.take(),
    };
    let Value::Object(mut stored) = stored else { return Err("no outcome".to_owned()) };
    stored.retain(|name, _| name != "id" && name != "index");
    // An outcome begins with the field that names its kind.
    let name = if stored.contains_key("reading") { "reading" } else { "error" };
    let first = json!({ name: stored.remove(name) }).to_string();
    let rest = Value::Object(stored).to_string();
    let whole = match rest.as_str() {
        "{}" => first,
        rest => format!("{},{}", &first[..first.len() - 1], &rest[1..]),
    };
    Outcome::from_json(whole).map_err(|error| error.to_string())
}

/// Returns the placeholder reading of a photo that could not be read.
fn unread() -> Map<String, Value> {
    let reading = json!({
        "status": "needs_review", "hand": HandDto::default(), "probability": 0.0,
        "tiles_probability": 0.0, "score_probability": 0.0, "conventions": Conventions::default(),
        "tiles": [], "doubts": [], "score": null,
    });
    reading.as_object().cloned().unwrap_or_default()
}

/// Marks a reading as having nothing to score.
fn leave_out(reading: &mut Map<String, Value>) {
    reading.insert("status".to_owned(), json!("no_hand"));
    reading.insert("hand".to_owned(), json!(HandDto::default()));
    reading.insert("score".to_owned(), Value::Null);
    reading.insert("doubts".to_owned(), json!([]));
    reading.remove("supposed_winning_tile");
}

fn hand_of(reading: &Map<String, Value>) -> Result<HandSetup, Problem> {
    let hand: HandDto = reading
        .get("hand")
        .and_then(|hand| serde_json::from_value(hand.clone()).ok())
        .unwrap_or_default();
    hand.to_setup()
}

/// Makes one of the concealed tiles the winning tile.
fn win_by(hand: &mut HandSetup, tile: Tile) -> Result<(), Problem> {
    hand.concealed.extend(hand.winning.take());
    let Some(at) = hand.concealed.iter().position(|&other| other == tile) else {
        let detail = format!("the winning tile {tile} is not one of the concealed tiles");
        return Err(Problem::new(ProblemKind::InvalidHand, detail));
    };
    hand.winning = Some(hand.concealed.remove(at));
    Ok(())
}

/// Returns the hands of other players that were read from photos.
fn others_in_photos(stored: &Map<String, Value>) -> Vec<OtherDto> {
    let others = stored.get("others").and_then(Value::as_array).into_iter().flatten();
    let read = others.filter_map(|other| {
        let seat: Wind = serde_json::from_value(other["seat"].clone()).ok()?;
        let hand: HandDto = serde_json::from_value(other["reading"]["hand"].clone()).ok()?;
        Some(Other { seat, hand: HandInput::Object(hand) })
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(extra: &Value) -> Outcome {
        let hand = HandDto::from(
            &"123456789m11pFFF".parse::<tilesight_core::notation::Notation>().expect("a hand").hand,
        );
        let mut reading = json!({
            "status": "needs_review", "hand": hand, "probability": 0.6, "tiles_probability": 0.9,
            "score_probability": 0.5, "tiles": [], "score": null,
            "doubts": [{ "id": "winning_tile", "kind": "winning_tile", "tiles": [], "question": "Which?",
                         "alternatives": [], "affects_score": true }],
        });
        for (name, value) in extra.as_object().expect("fields") {
            reading[name] = value.clone();
        }
        Outcome::from_json(json!({ "reading": reading }).to_string()).expect("an outcome")
    }

    fn with(outcome: &Outcome, correction: &str) -> Value {
        let correction = Correction::from_json(correction.as_bytes()).expect(correction);
        let book = Book::shipped();
        serde_json::from_str(
            correction.apply(outcome, &PhotoQuestion::bare(Lang::En, &book)).json(),
        )
        .expect("JSON")
    }

    #[test]
    fn a_winning_tile_answers_the_question_for_it() {
        let read = outcome(&json!({}));
        let now = with(&read, r#"{"winning_tile":"1p"}"#);
        assert_eq!(
            (&now["reading"]["status"], &now["reading"]["doubts"]),
            (&json!("ok"), &json!([]))
        );
        assert_eq!(now["reading"]["hand"]["winning_tile"], "1p");
        let single = now["reading"]["score"]["awards"].as_array().expect("fans");
        assert!(single.iter().any(|fan| fan["code"] == "single_wait"), "{single:?}");
        assert_eq!(
            now["original"].to_string(),
            serde_json::from_str::<Value>(read.json()).expect("JSON").to_string()
        );
        assert_eq!(now["reading"]["probability"], 0.6, "of the tiles nobody said anything");
    }

    #[test]
    fn unanswered_doubts_stay_open() {
        let more = json!([
            { "id": "winning_tile", "kind": "winning_tile", "tiles": [], "question": "Which?",
              "alternatives": [], "affects_score": true },
            { "id": "tile-8", "kind": "tile", "tiles": [8], "question": "9m?", "alternatives": [],
              "affects_score": true },
        ]);
        let read = outcome(&json!({ "doubts": more }));
        let now = with(&read, r#"{"winning_tile":"1p"}"#);
        assert_eq!(now["reading"]["status"], "needs_review");
        assert_eq!(now["reading"]["doubts"].as_array().map(Vec::len), Some(1));
        let all = with(&read, r#"{"winning_tile":"1p","accepted":true}"#);
        assert_eq!(
            (&all["reading"]["status"], &all["reading"]["probability"]),
            (&json!("ok"), &json!(1.0))
        );
    }

    #[test]
    fn a_corrected_context_outranks_the_given_one() {
        let now = with(
            &outcome(&json!({})),
            r#"{"accepted":true,"context":{"win":"self_drawn","seat":"S"}}"#,
        );
        let payments = &now["reading"]["score"]["payments"];
        assert!(payments["S"].as_i64() > Some(0) && payments["E"] == payments["N"], "{payments}");
        let given =
            ContextDto::from_json(br#"{"win":"discard","from":"left"}"#).expect("a context");
        let drawn = ContextDto::from_json(br#"{"win":"self_drawn"}"#).expect("a context");
        let book = Book::shipped();
        let asked = PhotoQuestion { context: given, ..PhotoQuestion::bare(Lang::En, &book) };
        let correction = Correction { accepted: true, context: drawn, ..Correction::default() };
        let now: Value =
            serde_json::from_str(correction.apply(&outcome(&json!({})), &asked).json())
                .expect("JSON");
        assert_eq!(now["reading"]["status"], "ok", "{now}");
    }

    #[test]
    fn a_correction_that_cannot_be_scored_says_why() {
        let read = outcome(&json!({}));
        for (correction, part) in [
            (r#"{"winning_tile":"5s"}"#, "5s is not one of the concealed tiles"),
            (r#"{"hand":"123m"}"#, "concealed"),
            (r#"{"hand":"123m456p789sEESSW"}"#, ""),
        ] {
            let now = with(&read, correction);
            assert_eq!(now["reading"]["status"], "needs_review", "{correction}");
            let detail = now["correction"]["problem"]["detail"].as_str().unwrap_or_default();
            assert!(detail.contains(part) && !detail.is_empty(), "{correction}: {detail}");
        }
    }

    #[test]
    fn a_photo_can_be_left_out_and_one_that_failed_be_typed() {
        let now = with(&outcome(&json!({})), r#"{"game":"sixteen-tile"}"#);
        assert_eq!(
            (&now["reading"]["status"], &now["reading"]["score"]),
            (&json!("no_hand"), &Value::Null)
        );
        let failed = Outcome::from_problem(Problem::new(ProblemKind::UnreadableImage, "broken"));
        let typed = with(&failed, r#"{"hand":"123456789m11pFFF"}"#);
        assert_eq!(typed["reading"]["status"], "ok");
        assert_eq!(typed["original"]["error"]["detail"], "broken");
        assert_eq!(with(&failed, r#"{"accepted":true}"#)["reading"]["score"], Value::Null);
        let empty = Correction::default();
        let book = Book::shipped();
        assert_eq!(empty.apply(&failed, &PhotoQuestion::bare(Lang::En, &book)), failed);
    }

    #[test]
    fn the_outcome_of_a_line_is_what_was_read() {
        let mut line = json!({ "id": "a", "index": 3, "reading": { "x": 1 }, "image": 2 });
        let plain = stored_outcome(&mut line.clone()).expect("an outcome");
        assert_eq!(plain.json(), r#"{"reading":{"x":1},"image":2}"#);
        line["original"] = json!({ "error": { "detail": "broken" } });
        let before = stored_outcome(&mut line).expect("an outcome");
        assert!(before.is_failure() && before.json().contains("broken"));
    }
}
