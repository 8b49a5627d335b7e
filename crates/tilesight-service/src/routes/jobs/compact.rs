//! Compact results of a job's photos, as an app shows them: `detail=compact`.
//!
//! Input: a stored outcome, or a photo of the review, as JSON. Output: the same JSON with every
//! reading in the form of the compact answer, whose fields are placed beside those of the outcome.
//! Invariant: a reading that another version of the program wrote, and that this version can't
//! parse, is left unchanged.

use serde::{Deserialize as _, Serialize};
use serde_json::{Map, Value, json};
use tilesight_core::contract::RulesetScoreDto;
use tilesight_jobs::review::ReviewPhoto;
use tilesight_vision::contract::{
    AnsweredReadingDto, CompactAnsweredDto, CompactReadingDto, ReadingDto, compact_scores,
};

/// Converts an outcome to the compact answer to a photo.
pub(super) fn compact_outcome(outcome: Value) -> Value {
    let Value::Object(outcome) = outcome else { return outcome };
    let Some(mut answer) = flattened(&outcome) else { return Value::Object(outcome) };
    answer.remove("engine");
    if let Some(scores) = answer.get("scores")
        && let Ok(scores) = Vec::<RulesetScoreDto>::deserialize(scores)
    {
        answer.insert("scores".to_owned(), json!(compact_scores(scores)));
    }
    for other in answer.get_mut("others").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(compact) = other.as_object().and_then(flattened) {
            *other = compact.into();
        }
    }
    if let Some(original) = answer.get_mut("original") {
        *original = compact_outcome(original.take());
    }
    answer.into()
}

/// Returns the fields with the fields of the compact reading in place of `reading`; `None` if there
/// is no reading that can be parsed.
fn flattened(fields: &Map<String, Value>) -> Option<Map<String, Value>> {
    let Value::Object(reading) = compact_reading(fields.get("reading")?)? else { return None };
    let rest = fields.iter().filter(|(name, _)| *name != "reading");
    Some(
        reading
            .into_iter()
            .chain(rest.map(|(name, value)| (name.clone(), value.clone())))
            .collect(),
    )
}

fn compact_reading(reading: &Value) -> Option<Value> {
    let reading = ReadingDto::deserialize(reading).ok()?;
    as_written(&CompactReadingDto::from(reading))
}

/// Serializes and parses an answer, so that a probability has as many digits as in the text.
fn as_written(answer: &impl Serialize) -> Option<Value> {
    serde_json::from_str(&serde_json::to_string(answer).ok()?).ok()
}

/// Converts a photo of the review to readings as an app shows them.
pub(super) fn compact_photo(photo: ReviewPhoto) -> ReviewPhoto {
    let now = compact_answered(&photo.now, &photo.original);
    let corrected = compact_reading(&photo.corrected);
    ReviewPhoto {
        now: now.unwrap_or(photo.now),
        corrected: corrected.unwrap_or(photo.corrected),
        original: compact_outcome(photo.original),
        ..photo
    }
}

/// Converts a reading with answers. Its doubts get the outlines of the tiles from the original
/// reading.
fn compact_answered(now: &Value, original: &Value) -> Option<Value> {
    let now = AnsweredReadingDto::deserialize(now).ok()?;
    let reading = ReadingDto::deserialize(&original["reading"]).ok()?;
    as_written(&CompactAnsweredDto::from_answered(now, &reading))
}
