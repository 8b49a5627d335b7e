//! Outcomes of photos whose reading a person corrected: only the scoring is repeated.
//!
//! Input: the outcome as a worker stored it, what was asked about the photo, and a [`Correction`].
//! Output: the outcome with the corrected hand and its score, `correction`, and the stored outcome
//! in `as_read`. Invariants: no photo is read; the stored outcome is kept completely, so that
//! withdrawing a correction restores it; a correction that can't be scored leaves the photo to be
//! reviewed, with the reason.

use serde_json::{Map, Value, json};
use tilesight_core::context::WinKind;
use tilesight_core::contract::{
    ContextDto, HandDto, HandInput, HandSource, OtherDto, Problem, ProblemKind, RulesetScoreDto,
    ScoreDto, ScoreRequest, find_rulesets, side_by_side,
};
use tilesight_core::explain::Lang;
use tilesight_core::hand::{HandSetup, Other};
use tilesight_core::rules::{Book, Conventions, RulesetId};
use tilesight_core::tile::{Tile, Wind};

use super::correction::Correction;
use crate::{Ask, Outcome};

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
    /// Returns the settings of a task, with names in a language.
    #[must_use]
    pub fn from_ask(ask: &'a Ask, lang: Lang, book: &'a Book) -> PhotoQuestion<'a> {
        let typed = ask.others.iter().filter_map(|other| match &other.hand {
            HandSource::Typed(hand) => Some(Other { seat: other.seat, hand: hand.clone() }),
            HandSource::Photo(_) => None,
        });
        let others = typed.collect();
        PhotoQuestion { context: ask.context, rulesets: &ask.rulesets, others, lang, book }
    }
}

impl PhotoQuestion<'_> {
    /// Returns settings in which no field is given.
    #[doc(hidden)]
    #[must_use]
    pub fn bare(book: &Book) -> PhotoQuestion<'_> {
        let (context, others) = (ContextDto::default(), Vec::new());
        PhotoQuestion { context, rulesets: &[], others, lang: Lang::En, book }
    }

    /// Returns the hands of all other players: the typed ones, and those from photos, which the
    /// outcome holds.
    #[must_use]
    pub(crate) fn all_others(&self, outcome: &Outcome) -> Vec<OtherDto> {
        let stored = serde_json::from_str::<Map<String, Value>>(outcome.json()).unwrap_or_default();
        self.others.iter().cloned().chain(others_in_photos(&stored)).collect()
    }

    /// Returns the given win context, overridden by the corrected fields. If the correction makes
    /// the winning tile self-drawn, the discarder is dropped.
    #[must_use]
    pub(crate) fn context_with(&self, corrected: &ContextDto) -> ContextDto {
        let mut context = corrected.or(&self.context);
        let drawn =
            matches!(corrected.setup.win, Some(WinKind::SelfDrawn | WinKind::KongReplacement));
        if drawn && corrected.setup.from.is_none() {
            context.setup.from = None;
        }
        context
    }
}

/// Score, and the scores side by side if several rule sets were requested.
type Scores = (ScoreDto, Option<Vec<RulesetScoreDto>>);

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
            match score(reading, &stored, self, asked) {
                Ok((hand, (score, scores))) => {
                    settle(&mut now, self, &hand, &score);
                    let scores = scores.and_then(|scores| serde_json::to_value(scores).ok());
                    answer.remove("scores");
                    answer.extend(scores.map(|scores| ("scores".to_owned(), scores)));
                }
                Err(problem) => {
                    now.insert("status".to_owned(), json!("needs_review"));
                    now.insert("score".to_owned(), Value::Null);
                    said["problem"] = json!(problem);
                }
            }
        }
        // The reading comes first because every outcome begins with it.
        let mut whole = json!({ "reading": now }).to_string();
        whole.pop();
        answer.remove("reading");
        answer.insert("correction".to_owned(), said);
        answer.insert("as_read".to_owned(), Value::Object(stored));
        whole.push(',');
        whole.push_str(&Value::Object(answer).to_string()[1..]);
        Outcome::from_json(whole).unwrap_or_else(|_| outcome.clone())
    }
}

/// Returns the outcome in a line of the results, as it was before any correction. Takes it out of
/// the line.
///
/// # Errors
/// A text, when the line has no outcome.
pub fn stored_outcome(line: &mut Value) -> Result<Outcome, String> {
    let stored = match line.get_mut("as_read").map(Value::take) {
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

/// Writes the hand and its score into the reading, and removes the doubts that the correction
/// answers.
fn settle(
    reading: &mut Map<String, Value>,
    correction: &Correction,
    hand: &HandSetup,
    score: &ScoreDto,
) {
    let doubts = reading.get("doubts").and_then(Value::as_array).cloned().unwrap_or_default();
    let open: Vec<Value> = doubts.into_iter().filter(|doubt| !answers(correction, doubt)).collect();
    let sure = !open.iter().any(|doubt| doubt["affects_score"] == json!(true));
    reading.insert("hand".to_owned(), json!(HandDto::from(hand)));
    reading.insert("score".to_owned(), json!(score));
    reading.insert("doubts".to_owned(), Value::Array(open));
    reading.remove("supposed_winning_tile");
    if sure && (correction.accepted || correction.hand.is_some()) {
        for name in ["probability", "tiles_probability", "score_probability"] {
            reading.insert(name.to_owned(), json!(1.0));
        }
    }
    if sure {
        reading.insert("status".to_owned(), json!("ok"));
    }
}

/// Returns whether a correction answers a doubt.
fn answers(correction: &Correction, doubt: &Value) -> bool {
    let field = doubt["field"].as_str().and_then(|field| field.strip_prefix("context."));
    let given = |field: &str| {
        let context = serde_json::to_value(correction.context).unwrap_or_default();
        context.get(field).is_some_and(|value| !value.is_null())
    };
    match field {
        _ if correction.accepted => true,
        Some(field) => given(field),
        None if correction.hand.is_some() => true,
        None => correction.winning_tile.is_some() && doubt["kind"] == json!("winning_tile"),
    }
}

/// Returns the corrected hand and its score.
fn score(
    reading: Option<&Map<String, Value>>,
    stored: &Map<String, Value>,
    correction: &Correction,
    asked: &PhotoQuestion,
) -> Result<(HandSetup, Scores), Problem> {
    let hand = hand(reading, correction)?;
    let mut others = asked.others.clone();
    others.extend(others_in_photos(stored));
    let context = asked.context_with(&correction.context);
    let notation = tilesight_core::notation::Notation::from_hand(hand.clone()).to_string();
    let request = ScoreRequest { hand: HandInput::Notation(notation), context, others };
    let prepared = request.prepare(asked.book)?;
    let rulesets = (!asked.rulesets.is_empty())
        .then(|| find_rulesets(asked.book, asked.rulesets))
        .transpose()?;
    let scores = rulesets.map(|rulesets| side_by_side(&prepared, &rulesets, asked.lang));
    Ok((hand, (prepared.score()?.to_dto(asked.lang), scores)))
}

/// Returns the corrected hand, or else the hand as it was read, with its winning tile.
fn hand(
    reading: Option<&Map<String, Value>>,
    correction: &Correction,
) -> Result<HandSetup, Problem> {
    let mut hand = match (&correction.hand, reading) {
        (Some(text), _) => HandInput::Notation(text.clone()).setup()?,
        (None, Some(reading)) => hand_of(reading)?,
        (None, None) => {
            let detail = "the photo could not be read: give the hand";
            return Err(Problem::new(ProblemKind::NoHand, detail));
        }
    };
    let supposed = reading
        .filter(|_| correction.hand.is_none())
        .and_then(|reading| reading.get("supposed_winning_tile")?.as_str()?.parse().ok());
    if let Some(tile) = correction.winning_tile.or(supposed.filter(|_| hand.winning.is_none())) {
        win_by(&mut hand, tile)?;
    }
    Ok(hand)
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
            "doubts": [{ "kind": "winning_tile", "question": "Which?", "alternatives": [], "affects_score": true }],
        });
        for (name, value) in extra.as_object().expect("fields") {
            reading[name] = value.clone();
        }
        Outcome::from_json(json!({ "reading": reading }).to_string()).expect("an outcome")
    }

    fn with(outcome: &Outcome, correction: &str) -> Value {
        let correction = Correction::from_json(correction.as_bytes()).expect(correction);
        let book = Book::shipped();
        serde_json::from_str(correction.apply(outcome, &PhotoQuestion::bare(&book)).json())
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
            now["as_read"].to_string(),
            serde_json::from_str::<Value>(read.json()).expect("JSON").to_string()
        );
        assert_eq!(now["reading"]["probability"], 0.6, "of the tiles nobody said anything");
    }

    #[test]
    fn what_is_not_answered_stays_open() {
        let more = json!([
            { "kind": "winning_tile", "question": "Which?", "alternatives": [], "affects_score": true },
            { "kind": "tile", "question": "9m?", "alternatives": [], "affects_score": true },
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
        let asked = PhotoQuestion { context: given, ..PhotoQuestion::bare(&book) };
        assert_eq!(asked.context_with(&drawn), drawn);
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
        assert_eq!(typed["as_read"]["error"]["detail"], "broken");
        assert_eq!(with(&failed, r#"{"accepted":true}"#)["reading"]["score"], Value::Null);
        let empty = Correction::default();
        let book = Book::shipped();
        assert_eq!(empty.apply(&failed, &PhotoQuestion::bare(&book)), failed);
    }

    #[test]
    fn the_outcome_of_a_line_is_what_was_read() {
        let mut line = json!({ "id": "a", "index": 3, "reading": { "x": 1 }, "image": 2 });
        let plain = stored_outcome(&mut line.clone()).expect("an outcome");
        assert_eq!(plain.json(), r#"{"reading":{"x":1},"image":2}"#);
        line["as_read"] = json!({ "error": { "detail": "broken" } });
        let before = stored_outcome(&mut line).expect("an outcome");
        assert!(before.is_failure() && before.json().contains("broken"));
    }
}
