//! The faan of each line: what the tables of the game differ in most.
//!
//! Input: `[values]` of a profile, a number of faan or `"limit"` by the code of a line; 0 where the
//! line is not played. Output: [`FaanValues`]. The defaults are the commonest numbers of public
//! tables (`docs/hong-kong.md`). Invariant: a code that no line has is refused.

use std::fmt;

use serde::de::{Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::line::Line;

/// Maximum number of faan of a line: far more than any limit, and low enough that sums of all lines
/// fit anything.
const MAX_FAAN: u8 = 100;

/// The word for the limit in a profile.
const LIMIT: &str = "limit";

/// The worth of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineValue {
    /// Faan that are added up; 0 if the line is not played.
    Faan(u8),
    /// The limit, regardless of other lines.
    Limit,
}

impl LineValue {
    /// Returns whether the line is worth anything.
    #[must_use]
    pub const fn is_worth_anything(self) -> bool {
        !matches!(self, LineValue::Faan(0))
    }
}

macro_rules! values {
    ($($line:ident => $code:ident = $default:expr,)*) => {
        /// The worth of each line, by its code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct FaanValues {
            $(
                #[doc = concat!("What the line `", stringify!($code), "` is worth.")]
                pub $code: LineValue,
            )*
        }

        impl FaanValues {
            /// The commonest numbers of public tables.
            pub const COMMON: FaanValues = FaanValues { $($code: $default,)* };

            /// Returns the worth of a line.
            #[must_use]
            pub const fn value(&self, line: Line) -> LineValue {
                match line {
                    $(Line::$line => self.$code,)*
                }
            }
        }
    };
}

const fn faan(faan: u8) -> LineValue {
    LineValue::Faan(faan)
}

values! {
    AllChows => all_chows = faan(1),
    AllPungs => all_pungs = faan(3),
    MixedTerminals => mixed_terminals = faan(1),
    HalfFlush => half_flush = faan(3),
    FullFlush => full_flush = faan(7),
    SevenPairs => seven_pairs = faan(4),
    Dragon => dragon = faan(1),
    SeatWind => seat_wind = faan(1),
    PrevalentWind => prevalent_wind = faan(1),
    SmallThreeDragons => small_three_dragons = faan(5),
    BigThreeDragons => big_three_dragons = faan(8),
    SmallFourWinds => small_four_winds = faan(6),
    BigFourWinds => big_four_winds = LineValue::Limit,
    AllHonors => all_honors = faan(10),
    AllTerminals => all_terminals = faan(10),
    NineGates => nine_gates = faan(10),
    FourConcealedPungs => four_concealed_pungs = faan(8),
    AllKongs => all_kongs = LineValue::Limit,
    ThirteenOrphans => thirteen_orphans = LineValue::Limit,
    SelfDraw => self_draw = faan(1),
    ConcealedHand => concealed_hand = faan(1),
    RobbingKong => robbing_kong = faan(1),
    LastTile => last_tile = faan(1),
    KongReplacement => kong_replacement = faan(1),
    DoubleKong => double_kong = faan(8),
    HeavenlyHand => heavenly_hand = LineValue::Limit,
    EarthlyHand => earthly_hand = LineValue::Limit,
    NoFlowers => no_flowers = faan(1),
    OwnFlower => own_flower = faan(1),
    OwnSeason => own_season = faan(1),
    AllFlowers => all_flowers = faan(2),
    AllSeasons => all_seasons = faan(2),
}

impl FaanValues {
    /// Checks that no line is worth more than a table could count.
    ///
    /// # Errors
    /// The code of the first line that is worth too much, and the reason.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        for line in Line::ALL {
            if matches!(self.value(line), LineValue::Faan(faan) if faan > MAX_FAAN) {
                let reason = format!("a line is worth at most {MAX_FAAN} faan, or \"{LIMIT}\"");
                return Err((line.rule().code, reason));
            }
        }
        Ok(())
    }
}

impl Default for FaanValues {
    fn default() -> FaanValues {
        FaanValues::COMMON
    }
}

impl Serialize for LineValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            LineValue::Faan(faan) => serializer.serialize_u8(*faan),
            LineValue::Limit => serializer.serialize_str(LIMIT),
        }
    }
}

impl<'de> Deserialize<'de> for LineValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LineValue, D::Error> {
        deserializer.deserialize_any(LineValueVisitor)
    }
}

struct LineValueVisitor;

impl Visitor<'_> for LineValueVisitor {
    type Value = LineValue;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a number of faan or \"{LIMIT}\"")
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<LineValue, E> {
        u8::try_from(number)
            .map(LineValue::Faan)
            .map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<LineValue, E> {
        u8::try_from(number)
            .map(LineValue::Faan)
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<LineValue, E> {
        (text == LIMIT)
            .then_some(LineValue::Limit)
            .ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_value_under_its_code() {
        let names = serde_json::to_value(FaanValues::COMMON).expect("a struct of values");
        let names: Vec<&String> = names.as_object().expect("an object").keys().collect();
        assert_eq!(names.len(), Line::COUNT);
        for line in Line::ALL {
            let code = line.rule().code;
            let alone: FaanValues = toml::from_str(&format!("{code} = 77")).expect(code);
            assert_eq!(alone.value(line), LineValue::Faan(77), "{code}");
            let others = Line::ALL.into_iter().filter(|&other| other != line);
            assert!(
                others.clone().all(|other| alone.value(other) == FaanValues::COMMON.value(other))
            );
        }
    }

    #[test]
    fn a_value_is_a_number_or_the_limit() {
        let read = |text: &str| toml::from_str::<FaanValues>(text);
        assert_eq!(read("nine_gates = \"limit\"").expect("the limit").nine_gates, LineValue::Limit);
        for wrong in ["nine_gates = \"much\"", "nine_gates = -1", "nine_gates = 1.5", "gates = 1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let much = FaanValues { dragon: LineValue::Faan(101), ..FaanValues::COMMON };
        assert_eq!(much.check().expect_err("too much").0, "dragon");
        assert_eq!(FaanValues::COMMON.check(), Ok(()));
    }
}
