//! The focus: a point in the photo that selects one of several hands.
//!
//! Input: `"412,300"` (queries, forms, flags, tables) or `{ "x": 412, "y": 300 }` (JSON), in pixels
//! of the upright photo, like polygons. Output: the same as an object; in an answer that is sent
//! back, only that form is accepted. Invariant: coordinates are whole pixels, so that the same
//! point is the same task; fractions are rounded.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::fault::RequestFault;
use super::object::{Object, whole};
use crate::explain::{Lang, Message, display_english};
use crate::texts;

/// A point in a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, utoipa::ToSchema)]
#[schema(as = Focus)]
pub struct FocusDto {
    /// Pixels from the left edge.
    pub x: u32,
    /// Pixels from the upper edge.
    pub y: u32,
}

/// Error when a text is not a point.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FocusError(String);

display_english!(FocusError);

impl Message for FocusError {
    fn text(&self, lang: Lang) -> String {
        let FocusError(text) = self;
        texts::invalid::point(lang, text)
    }
}

impl fmt::Display for FocusDto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for FocusDto {
    type Err = FocusError;

    fn from_str(text: &str) -> Result<FocusDto, FocusError> {
        let [x, y] = parse_point(text).ok_or_else(|| FocusError(text.to_owned()))?;
        Ok(FocusDto { x, y })
    }
}

/// Reads `x,y`.
pub(super) fn parse_point(text: &str) -> Option<[u32; 2]> {
    let (x, y) = text.split_once(',')?;
    Some([parse_pixels(x)?, parse_pixels(y)?])
}

fn parse_pixels(text: &str) -> Option<u32> {
    pixels(text.trim().parse().ok()?)
}

/// Returns a number rounded to whole pixels; `None` if it is negative or too large.
pub(super) fn pixels(number: f64) -> Option<u32> {
    (0.0..f64::from(u32::MAX)).contains(&number).then(|| number.round() as u32)
}

/// Deserializes a point of an answer that is sent back: an object of whole pixels, as the schema of
/// answers says.
pub fn deserialize_answered<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<FocusDto, D::Error> {
    #[derive(Deserialize)]
    struct AnswerPoint {
        #[serde(deserialize_with = "whole")]
        x: u32,
        #[serde(deserialize_with = "whole")]
        y: u32,
    }

    Object::deserialize(deserializer).map(|Object(AnswerPoint { x, y })| FocusDto { x, y })
}

/// Accepted forms of a focus in JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum FocusForm {
    Text(String),
    Object(Object<Coordinates>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Coordinates {
    x: f64,
    y: f64,
}

impl<'de> Deserialize<'de> for FocusDto {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FocusDto, D::Error> {
        let form = FocusForm::deserialize(deserializer)
            .map_err(|_| D::Error::custom(RequestFault::NotAPoint))?;
        match form {
            FocusForm::Text(text) => text.parse().map_err(D::Error::custom),
            FocusForm::Object(Object(Coordinates { x, y })) => {
                let point = pixels(x).zip(pixels(y)).map(|(x, y)| FocusDto { x, y });
                point.ok_or_else(|| D::Error::custom(RequestFault::NotAPoint))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_read_in_every_form_and_written_in_one() {
        let point = FocusDto { x: 412, y: 300 };
        for text in ["412,300", " 412 , 300", "411.6,300.4"] {
            assert_eq!(text.parse(), Ok(point), "{text}");
        }
        for json in [r#"{"x":412,"y":300}"#, r#"{"x":411.6,"y":300.0}"#, r#""412,300""#] {
            assert_eq!(serde_json::from_str::<FocusDto>(json).expect(json), point);
        }
        assert_eq!(serde_json::to_string(&point).expect("JSON"), r#"{"x":412,"y":300}"#);
        assert_eq!(point.to_string().parse(), Ok(point));
    }

    #[test]
    fn an_answers_point_comes_back_as_it_was_written() {
        #[derive(Deserialize)]
        struct Body(#[serde(deserialize_with = "deserialize_answered")] FocusDto);

        let read = |json: &str| serde_json::from_str::<Body>(json).ok().map(|Body(point)| point);
        assert_eq!(read(r#"{"x":412,"y":300}"#), Some(FocusDto { x: 412, y: 300 }));
        for json in
            [r#"{"x":0,"y":0.5}"#, r#"{"x":1}"#, r#"{"x":-1,"y":0}"#, r#""412,300""#, "[1,2]"]
        {
            assert_eq!(read(json), None, "{json}");
        }
    }

    #[test]
    fn an_invalid_point_is_refused() {
        for text in ["", "1", "1,", "1,2,3", "-1,2", "a,b", "NaN,1", "inf,1", "1e99,1", "1;2"] {
            let error = text.parse::<FocusDto>().expect_err(text);
            assert!(error.to_string().contains("412,300"), "{error}");
        }
        for json in [r#"{"x":1}"#, r#"{"x":-1,"y":0}"#, r#"{"x":1,"y":2,"z":3}"#, "7", "[1,2]"] {
            assert!(serde_json::from_str::<FocusDto>(json).is_err(), "{json}");
        }
    }
}
