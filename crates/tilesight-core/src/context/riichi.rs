//! The parts of a win in riichi that the tiles do not show: the declaration of riichi, indicators,
//! and numbers of counters and sticks.
//!
//! Input: names, lists of tiles and numbers. Output: small values that are copied. Invariants:
//! there are at most five indicators, because a wall has no more; numbers are at most
//! [`MAX_COUNT`]. Rule sets without a use for a value ignore it.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::explain::Accepted;
use crate::tile::{ParseTileError, Tile};

/// Maximum number of counters or sticks; no table has as many.
pub const MAX_COUNT: u8 = 99;

/// Number of indicators under a wall with four kongs.
const MAX_INDICATORS: usize = 5;

/// Whether the winner declared riichi.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = Riichi)]
pub enum RiichiCall {
    /// No riichi.
    #[default]
    No,
    /// Riichi.
    Riichi,
    /// Riichi on the first discard, before any call or kong.
    Double,
}

/// Dora indicators, at most five.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Indicators {
    tiles: [Option<Tile>; MAX_INDICATORS],
}

/// Error when tiles can't be indicators.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IndicatorsError {
    /// A text is not a tile.
    Tile(#[from] ParseTileError),
    /// More than five indicators.
    TooMany,
}

impl Indicators {
    /// No indicators.
    pub const NONE: Indicators = Indicators { tiles: [None; MAX_INDICATORS] };

    /// Returns the indicators with one more.
    ///
    /// # Errors
    /// [`IndicatorsError::TooMany`] if there are five already.
    pub fn with(mut self, tile: Tile) -> Result<Indicators, IndicatorsError> {
        let free = self.tiles.iter_mut().find(|slot| slot.is_none());
        *free.ok_or(IndicatorsError::TooMany)? = Some(tile);
        Ok(self)
    }

    /// Returns the number of indicators.
    #[must_use]
    pub fn len(self) -> u8 {
        self.iter().count() as u8
    }

    /// Returns whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.tiles[0].is_none()
    }

    /// Returns the indicators in their order.
    pub fn iter(self) -> impl Iterator<Item = Tile> + Clone {
        self.tiles.into_iter().map_while(|tile| tile)
    }

    /// Returns the indicators with the tile of a code.
    fn and(self, code: &str) -> Result<Indicators, IndicatorsError> {
        self.with(code.trim().parse()?)
    }
}

impl fmt::Display for Indicators {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<String> = self.iter().map(|tile| tile.to_string()).collect();
        out.write_str(&codes.join(","))
    }
}

impl fmt::Debug for Indicators {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

impl FromStr for Indicators {
    type Err = IndicatorsError;

    /// Reads codes separated by commas; an empty text has none.
    fn from_str(text: &str) -> Result<Indicators, IndicatorsError> {
        let codes = text.split(',').filter(|code| !code.trim().is_empty());
        codes.into_iter().try_fold(Indicators::NONE, Indicators::and)
    }
}

impl Serialize for Indicators {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Indicators {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Indicators, D::Error> {
        deserializer.deserialize_any(Codes)
    }
}

struct Codes;

impl<'de> Visitor<'de> for Codes {
    type Value = Indicators;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Accepted::Tiles.describe(out)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Indicators, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut codes: A) -> Result<Indicators, A::Error> {
        let mut all = Indicators::NONE;
        while let Some(code) = codes.next_element::<String>()? {
            all = all.and(&code).map_err(A::Error::custom)?;
        }
        Ok(all)
    }
}

/// A number of counters or of riichi sticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Count(u8);

/// Error when a number is too large.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct CountError(pub String);

impl Count {
    /// The number zero.
    pub const ZERO: Count = Count(0);

    /// Returns a number of at most [`MAX_COUNT`]; `None` for a larger one.
    #[must_use]
    pub const fn new(count: u8) -> Option<Count> {
        if count <= MAX_COUNT { Some(Count(count)) } else { None }
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl From<Count> for u32 {
    fn from(count: Count) -> u32 {
        u32::from(count.0)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl FromStr for Count {
    type Err = CountError;

    fn from_str(text: &str) -> Result<Count, CountError> {
        let count = text.trim().parse().ok().and_then(Count::new);
        count.ok_or_else(|| CountError(text.to_owned()))
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        deserializer.deserialize_any(Number)
    }
}

struct Number;

impl Visitor<'_> for Number {
    type Value = Count;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Accepted::Whole { min: 0, max: MAX_COUNT.into() }.describe(out)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Count, E> {
        let count = u8::try_from(number).ok().and_then(Count::new);
        count.ok_or_else(|| E::custom(CountError(number.to_string())))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Count, E> {
        let count = u8::try_from(number).ok().and_then(Count::new);
        count.ok_or_else(|| E::custom(CountError(number.to_string())))
    }

    // JSON may write a whole number with a point.
    fn visit_f64<E: Error>(self, number: f64) -> Result<Count, E> {
        let is_count = number.fract() == 0.0 && (0.0..=f64::from(MAX_COUNT)).contains(&number);
        let count = is_count.then_some(number as u8).and_then(Count::new);
        count.ok_or_else(|| E::custom(CountError(number.to_string())))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Count, E> {
        text.parse().map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_may_be_written_as_any_number_that_is_one() {
        let read = |json: &str| serde_json::from_str::<Count>(json).ok().map(Count::get);
        for (json, expected) in [("0", 0), ("77", 77), ("77.0", 77), ("99", 99), ("\"3\"", 3)] {
            assert_eq!(read(json), Some(expected), "{json}");
        }
        for json in ["-1", "-1.0", "2.5", "100", "100.0", "1e300", "\"x\"", "null"] {
            assert_eq!(read(json), None, "{json}");
        }
    }

    #[test]
    fn indicators_read_back() {
        let indicators: Indicators = "5p, E,0s".parse().expect("three tiles");
        assert_eq!((indicators.to_string().as_str(), indicators.len()), ("5p,E,5s", 3));
        let json = serde_json::to_string(&indicators).expect("JSON");
        assert_eq!(json, r#"["5p","E","5s"]"#);
        assert_eq!(serde_json::from_str(&json).ok(), Some(indicators));
        assert_eq!("".parse(), Ok(Indicators::NONE));
    }

    #[test]
    fn invalid_indicators_are_refused() {
        assert_eq!("1m,1m,1m,1m,1p,1p".parse::<Indicators>(), Err(IndicatorsError::TooMany));
        assert!("1m,x".parse::<Indicators>().is_err());
        assert!(serde_json::from_str::<Indicators>("[\"1m\",3]").is_err());
    }

    #[test]
    fn numbers_come_as_numbers_or_texts() {
        for json in ["12", "\"12\""] {
            assert_eq!(serde_json::from_str::<Count>(json).ok().map(Count::get), Some(12));
        }
        for wrong in ["100", "-1", "1.5", "\"x\"", "null"] {
            assert!(serde_json::from_str::<Count>(wrong).is_err(), "{wrong}");
        }
    }
}
