//! Label of a face in an own set: a face that the program knows, or a further one with a name.
//!
//! Input and output: a code such as `1m`, `f3` or `back`, or `extra:NAME`. Invariant: faces come
//! before further ones in order, and in the order of their kinds.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tilesight_core::contract::SetName;
use tilesight_core::explain::Message as _;
use tilesight_core::explain::Wording;
use tilesight_core::tile::Face;

/// Label of a face.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaceLabel {
    /// A face that every set may have.
    Face(Face),
    /// A further face, such as a joker: rule sets do not know it, so that its tiles are ignored.
    Extra(SetName),
}

/// Prefix of the label of a further face.
const EXTRA: &str = "extra:";

impl FaceLabel {
    /// Returns the face, if rule sets know it.
    #[must_use]
    pub fn face(&self) -> Option<Face> {
        match self {
            FaceLabel::Face(face) => Some(*face),
            FaceLabel::Extra(_) => None,
        }
    }
}

impl From<Face> for FaceLabel {
    fn from(face: Face) -> FaceLabel {
        FaceLabel::Face(face)
    }
}

impl fmt::Display for FaceLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaceLabel::Face(face) => face.fmt(f),
            FaceLabel::Extra(name) => write!(f, "{EXTRA}{name}"),
        }
    }
}

impl FromStr for FaceLabel {
    type Err = Wording;

    fn from_str(text: &str) -> Result<FaceLabel, Wording> {
        match text.strip_prefix(EXTRA) {
            Some(name) => name
                .parse()
                .map(FaceLabel::Extra)
                .map_err(|error: <SetName as FromStr>::Err| Wording::new(|lang| error.text(lang))),
            None => text
                .parse()
                .map(FaceLabel::Face)
                .map_err(|error: <Face as FromStr>::Err| Wording::new(|lang| error.text(lang))),
        }
    }
}

impl Serialize for FaceLabel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FaceLabel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FaceLabel, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_written_as_they_were_read() {
        for text in ["1m", "P", "f4", "s1", "back", "extra:joker", "extra:Katze 2"] {
            let label: FaceLabel = text.parse().expect(text);
            assert_eq!(label.to_string(), text);
        }
        for text in ["", "0x", "none", "extra:", "extra: x", "extra:auto", "joker"] {
            assert!(text.parse::<FaceLabel>().is_err(), "{text}");
        }
    }
}
