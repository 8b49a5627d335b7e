//! A hand in a request: one line of notation, or an object with fields.
//!
//! Input: a JSON text or object. Output: the hand with the win context of its notation, or a
//! [`Problem`] with the fields that can't be read.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::hand::HandDto;
use super::problem::Problem;
use crate::explain::Accepted;
use crate::hand::HandSetup;
use crate::notation::Notation;

/// A hand as an object or as one line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandInput {
    /// A line of notation, see [`notation`](crate::notation). It can have a win context.
    Notation(String),
    /// An object with fields.
    Object(HandDto),
}

impl HandInput {
    /// Returns the tiles as they were given. They need not be a whole hand.
    ///
    /// # Errors
    /// A [`Problem`] with the fields that can't be read.
    pub fn setup(&self) -> Result<HandSetup, Problem> {
        self.read().map(|notation| notation.hand)
    }

    /// Reads the hand and the win context of its notation.
    pub(super) fn read(&self) -> Result<Notation, Problem> {
        match self {
            HandInput::Notation(text) => {
                text.parse().map_err(|error| Problem::from_notation(text, &error))
            }
            HandInput::Object(hand) => hand.to_notation(),
        }
    }
}

impl Serialize for HandInput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            HandInput::Notation(text) => serializer.serialize_str(text),
            HandInput::Object(hand) => hand.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for HandInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HandInput, D::Error> {
        deserializer.deserialize_any(HandVisitor)
    }
}

/// Visitor for a text or an object. Serde's untagged enums lose the cause of an error.
struct HandVisitor;

impl<'de> Visitor<'de> for HandVisitor {
    type Value = HandInput;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Accepted::Hand.describe(out)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<HandInput, E> {
        Ok(HandInput::Notation(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<HandInput, A::Error> {
        HandDto::deserialize(MapAccessDeserializer::new(map)).map(HandInput::Object)
    }
}
