//! Support for whole answers of `/v1/hands` in requests that expect a reading.
//!
//! Input: the JSON of a request. Output: the same request with only the reading. An app may store
//! an answer and send it back unchanged. Invariant: an object with a hand is a reading and stays
//! unchanged.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// The fields of a request that distinguish a reading from an answer that contains one.
#[derive(Deserialize)]
struct RequestOutline {
    reading: AnswerOutline,
}

#[derive(Deserialize)]
struct AnswerOutline {
    hand: Option<IgnoredAny>,
    reading: Option<IgnoredAny>,
}

/// Returns the request with the reading taken out of an answer, if it contains an answer.
#[must_use]
pub fn with_reading_alone(json: &[u8]) -> Cow<'_, [u8]> {
    let outline = serde_json::from_slice::<RequestOutline>(json);
    if !outline
        .is_ok_and(|RequestOutline { reading }| reading.hand.is_none() && reading.reading.is_some())
    {
        return Cow::Borrowed(json);
    }
    let Ok(mut request) = serde_json::from_slice::<Value>(json) else { return Cow::Borrowed(json) };
    request["reading"] = request["reading"]["reading"].take();
    Cow::Owned(request.to_string().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_stays_and_one_in_an_answer_is_taken_out() {
        let reading = r#"{"reading":{"hand":{},"doubts":[]},"answers":[]}"#;
        let answer =
            r#"{"answers":[],"reading":{"reading":{"doubts":[],"hand":{}},"image":{"width":1}}}"#;
        let text = |json: &str| {
            String::from_utf8(with_reading_alone(json.as_bytes()).into_owned()).expect("text")
        };
        assert_eq!(text(reading), reading);
        let same = |one: &str, other: &str| {
            let value = |json: &str| serde_json::from_str::<Value>(json).expect("JSON");
            assert_eq!(value(one), value(other));
        };
        same(&text(answer), reading);
        for other in [
            r#"{"reading":null}"#,
            r#"{"reading":{"hand":null}}"#,
            "{",
            "[]",
            r#"{"reading":{"reading":null}}"#,
        ] {
            assert_eq!(text(other), other);
        }
    }
}
