//! The region: the part of a photo that contains the hand, for a photo that shows more than the
//! hand.
//!
//! Input: `[[x, y], ...]` (JSON) or `"x,y x,y ..."` (queries, forms, flags, tables), in pixels of
//! the upright photo, like polygons: 3 to 32 corners, or 2 opposite corners of a box. Output: the
//! corners as a list, and a polygon once they are checked. Invariant: coordinates are whole
//! pixels and a box has four corners, so that the same region is the same task; fractions are
//! rounded.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::focus::{parse_point, pixels};
use super::{Problem, ProblemKind, RequestFault};
use crate::explain::{Lang, Message, display_english};
use crate::texts;

/// Corners of a region, not validated yet.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct RegionDto(Vec<[u32; 2]>);

/// Error when a list of corners is not a region.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegionError {
    /// A text is not a list of points.
    NotPoints(String),
    /// The number of corners is too small or too large.
    Corners(usize),
    /// All corners lie on one line.
    Flat,
}

display_english!(RegionError);

impl Message for RegionError {
    fn text(&self, lang: Lang) -> String {
        match self {
            RegionError::NotPoints(text) => texts::region_error::not_points(lang, text),
            RegionError::Corners(found) => texts::region_error::corners(lang, found, MAX_CORNERS),
            RegionError::Flat => texts::region_error::flat(lang).to_owned(),
        }
    }
}

/// Maximum number of corners of a polygon: enough for a line drawn by hand once it is simplified.
const MAX_CORNERS: usize = 32;

impl RegionDto {
    /// Creates a region. Two corners are opposite corners of a box.
    fn from_corners(corners: Vec<[u32; 2]>) -> RegionDto {
        match corners[..] {
            [[ax, ay], [bx, by]] => {
                let left = ax.min(bx);
                let right = ax.max(bx);
                let top = ay.min(by);
                let bottom = ay.max(by);
                RegionDto(vec![[left, top], [right, top], [right, bottom], [left, bottom]])
            }
            _ => RegionDto(corners),
        }
    }

    /// Corners in pixels of the upright photo, in order.
    #[must_use]
    pub fn corners(&self) -> &[[u32; 2]] {
        &self.0
    }

    /// Checks that the corners enclose something.
    ///
    /// # Errors
    /// [`RegionError`] if there are too few or too many corners, or nothing is inside.
    pub(crate) fn check_shape(&self) -> Result<(), RegionError> {
        let RegionDto(corners) = self;
        if !(3..=MAX_CORNERS).contains(&corners.len()) {
            return Err(RegionError::Corners(corners.len()));
        }
        let [left, top] = corners[0].map(i128::from);
        let sides: Vec<(i128, i128)> =
            corners.iter().map(|&[x, y]| (i128::from(x) - left, i128::from(y) - top)).collect();
        if sides.iter().all(|a| sides.iter().all(|b| a.0 * b.1 == a.1 * b.0)) {
            return Err(RegionError::Flat);
        }
        Ok(())
    }

    /// Checks the region of a request.
    ///
    /// # Errors
    /// A [`Problem`] about `region`.
    pub fn check(region: Option<&RegionDto>) -> Result<(), Problem> {
        region.map_or(Ok(()), RegionDto::check_shape).map_err(|error| Problem::from(&error))
    }
}

impl From<&RegionError> for Problem {
    fn from(error: &RegionError) -> Problem {
        Problem::for_field(ProblemKind::MalformedRequest, "region", error)
    }
}

impl fmt::Display for RegionDto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RegionDto(corners) = self;
        let corners: Vec<String> = corners.iter().map(|[x, y]| format!("{x},{y}")).collect();
        f.write_str(&corners.join(" "))
    }
}

impl FromStr for RegionDto {
    type Err = RegionError;

    fn from_str(text: &str) -> Result<RegionDto, RegionError> {
        let points: Option<Vec<_>> = text.split_whitespace().map(parse_point).collect();
        let corners = points
            .filter(|corners| !corners.is_empty())
            .ok_or_else(|| RegionError::NotPoints(text.to_owned()))?;
        let region = RegionDto::from_corners(corners);
        region.check_shape().map(|()| region)
    }
}

/// Accepted forms of a region in JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum RegionForm {
    Text(String),
    Corners(Vec<[f64; 2]>),
}

impl<'de> Deserialize<'de> for RegionDto {
    /// Accepts any list of points. [`RegionDto::check_shape`] validates it later, so that the fault
    /// is described in the user's language.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RegionDto, D::Error> {
        let form = RegionForm::deserialize(deserializer)
            .map_err(|_| D::Error::custom(RequestFault::NotPoints))?;
        match form {
            RegionForm::Text(text) => text.parse().map_err(D::Error::custom),
            RegionForm::Corners(corners) => corners
                .into_iter()
                .map(|[x, y]| Some([pixels(x)?, pixels(y)?]))
                .collect::<Option<_>>()
                .map(RegionDto::from_corners)
                .ok_or_else(|| D::Error::custom(RequestFault::NotPoints)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: &str = "[[96,310],[1460,310],[1460,610],[96,610]]";

    #[test]
    fn a_region_is_read_in_every_form_and_written_in_one() {
        for text in ["96,310 1460,610", "1460,310  96,610", "96,310.4 1460,310 1460,610 96,610"] {
            let region: RegionDto = text.parse().expect(text);
            assert_eq!(serde_json::to_string(&region).expect("JSON"), BOX, "{text}");
            assert_eq!(region.to_string().parse(), Ok(region), "{text}");
        }
        for json in ["[[96,310],[1460,610.2]]", r#""96,310 1460,610""#, BOX] {
            let region: RegionDto = serde_json::from_str(json).expect(json);
            assert_eq!(serde_json::to_string(&region).expect("JSON"), BOX, "{json}");
        }
    }

    #[test]
    fn an_invalid_region_is_refused() {
        for text in ["", " ", "1", "1,2,3 4,5", "-1,2 3,4", "a,b", "NaN,1 2,2", "1,2;3,4"] {
            let error = text.parse::<RegionDto>().expect_err(text);
            assert_eq!(error, RegionError::NotPoints(text.to_owned()));
        }
        let many = |count: u32| (0..count).map(|x| [x, x * x]).collect::<Vec<_>>();
        for (corners, expected) in [
            (many(0), RegionError::Corners(0)),
            (many(1), RegionError::Corners(1)),
            (many(33), RegionError::Corners(33)),
            (vec![[5, 5], [5, 90]], RegionError::Flat),
            (vec![[7, 7]; 3], RegionError::Flat),
            (vec![[1, 1], [2, 2], [3, 3], [9, 9]], RegionError::Flat),
        ] {
            let json = serde_json::to_string(&corners).expect("JSON");
            let region: RegionDto = serde_json::from_str(&json).expect("points");
            assert_eq!(region.check_shape(), Err(expected), "{json}");
        }
        assert!(RegionDto(many(32)).check_shape().is_ok());
        for json in ["7", "[[1,2,3],[4,5,6]]", r#"[{"x":1,"y":2}]"#, "[[-1,2],[3,4]]", r#""left""#]
        {
            assert!(serde_json::from_str::<RegionDto>(json).is_err(), "{json}");
        }
    }
}
