//! The tai of each line and of the dealer: data of a rule set, because there is no single rule
//! book.
//!
//! Input: a table `[values]` of a profile. Output: [`TaiValues`]. A line of 0 tai is not played: it
//! neither counts nor replaces others, and a special hand of 0 tai does not win. Invariant: a code
//! that no line has is refused.

use serde::{Deserialize, Serialize};

use super::line::Line;

/// Maximum number of tai of a line: far more than any table counts, and low enough that sums of all
/// lines fit anything.
const MAX_TAI: u8 = 100;

macro_rules! values {
    ($($line:ident => $code:ident = $default:expr,)*) => {
        /// The tai of each line, by its code, and those of the dealer.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct TaiValues {
            /// Tai that a player and the dealer owe each other beside those of the hand (7.2).
            pub dealer: u8,
            /// Tai besides for each deal that the dealer has stayed on (7.2).
            pub dealer_streak: u8,
            $(
                #[doc = concat!("What the line `", stringify!($code), "` is worth.")]
                pub $code: u8,
            )*
        }

        impl TaiValues {
            /// The commonest numbers of public tables.
            pub const COMMON: TaiValues =
                TaiValues { dealer: 1, dealer_streak: 2, $($code: $default,)* };

            /// Returns the tai of a line.
            #[must_use]
            pub const fn value(&self, line: Line) -> u8 {
                match line {
                    $(Line::$line => self.$code,)*
                }
            }
        }
    };
}

values! {
    SelfDraw => self_draw = 1,
    ConcealedHand => concealed_hand = 1,
    FullyConcealedHand => fully_concealed_hand = 3,
    AllMelded => all_melded = 2,
    HalfMelded => half_melded = 1,
    SingleWait => single_wait = 1,
    RobbingKong => robbing_kong = 1,
    KongReplacement => kong_replacement = 1,
    LastTileDraw => last_tile_draw = 1,
    LastTileClaim => last_tile_claim = 1,
    Ready => ready = 0,
    EarthlyReady => earthly_ready = 4,
    HeavenlyReady => heavenly_ready = 8,
    HeavenlyHand => heavenly_hand = 24,
    EarthlyHand => earthly_hand = 16,
    HumanHand => human_hand = 8,
    AllChows => all_chows = 2,
    AllPungs => all_pungs = 4,
    ThreeConcealedPungs => three_concealed_pungs = 2,
    FourConcealedPungs => four_concealed_pungs = 5,
    FiveConcealedPungs => five_concealed_pungs = 8,
    HalfFlush => half_flush = 4,
    FullFlush => full_flush = 8,
    AllHonors => all_honors = 16,
    Dragon => dragon = 1,
    SmallThreeDragons => small_three_dragons = 4,
    BigThreeDragons => big_three_dragons = 8,
    SeatWind => seat_wind = 1,
    PrevalentWind => prevalent_wind = 1,
    Wind => wind = 0,
    SmallFourWinds => small_four_winds = 8,
    BigFourWinds => big_four_winds = 16,
    ExposedKong => exposed_kong = 0,
    ConcealedKong => concealed_kong = 0,
    FourKongs => four_kongs = 0,
    FiveKongs => five_kongs = 0,
    OwnFlower => own_flower = 1,
    Flower => flower = 0,
    FlowerSet => flower_set = 2,
    NoFlowers => no_flowers = 0,
    NoFlowersNoHonors => no_flowers_no_honors = 0,
    EightFlowers => eight_flowers = 8,
    SevenFlowers => seven_flowers = 8,
    SevenPairs => seven_pairs = 0,
    ThirteenOrphans => thirteen_orphans = 0,
}

impl TaiValues {
    /// Checks that nothing is worth more than a table could count.
    ///
    /// # Errors
    /// The code of the first value that is too high, and the reason.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let dealer = [("dealer", self.dealer), ("dealer_streak", self.dealer_streak)];
        let lines = Line::ALL.into_iter().map(|line| (line.rule().code, self.value(line)));
        match dealer.into_iter().chain(lines).find(|(_, tai)| *tai > MAX_TAI) {
            Some((code, _)) => Err((code, format!("at most {MAX_TAI} tai"))),
            None => Ok(()),
        }
    }
}

impl Default for TaiValues {
    fn default() -> TaiValues {
        TaiValues::COMMON
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_value_under_its_code() {
        for line in Line::ALL {
            let code = line.rule().code;
            let alone: TaiValues = toml::from_str(&format!("{code} = 77")).expect(code);
            assert_eq!(alone.value(line), 77, "{code}");
            let mut others = Line::ALL.into_iter().filter(|&other| other != line);
            assert!(others.all(|other| alone.value(other) == TaiValues::COMMON.value(other)));
        }
        assert!(toml::from_str::<TaiValues>("gates = 1").is_err());
        let much = TaiValues { dealer_streak: 101, ..TaiValues::COMMON };
        assert_eq!(much.check().expect_err("too much").0, "dealer_streak");
        assert_eq!(TaiValues::COMMON.check(), Ok(()));
    }
}
