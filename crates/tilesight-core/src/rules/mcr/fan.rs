//! The fans of MCR: number, code, points, name, and sets of them.
//!
//! Numbers 1 to 81 are those of the World Mahjong Organization (2006); 82 stands for "one melded
//! and one concealed kong", which the lists score without a number. Invariant: the variants are
//! ordered by falling points, and by number among equals, so that every fan comes after all fans
//! that exclude it: one pass in this order applies all exclusions (see
//! [`exclusion`](super::exclusion)).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rules::{FormedBy, Paragraph, Rule, Worth};
use crate::texts;

macro_rules! fans {
    ($($(#[$doc:meta])* $name:ident = ($number:literal, $points:literal, $code:literal, $title:literal),)*) => {
        /// A fan; fans are ordered by falling points.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Fan {
            $($(#[$doc])* $name,)*
        }

        /// Number, points, code and name of each fan, by position.
        const FANS: [(u8, u8, &str, &str); Fan::COUNT] = [$(($number, $points, $code, $title),)*];

        /// Rule of each fan, by position.
        static RULES: [Rule; Fan::COUNT] = [$(rule($number, $points, $code, Fan::$name),)*];

        impl Fan {
            /// All fans, by falling points.
            pub const ALL: [Fan; Fan::COUNT] = [$(Fan::$name,)*];
        }
    };
}

fans! {
    /// Pungs or kongs of all four winds.
    BigFourWinds = (1, 88, "big_four_winds", "Big Four Winds"),
    /// Pungs or kongs of all three dragons.
    BigThreeDragons = (2, 88, "big_three_dragons", "Big Three Dragons"),
    /// Only 2, 3, 4, 6, 8 of bamboo and the green dragon.
    AllGreen = (3, 88, "all_green", "All Green"),
    /// 1112345678999 of one suit in the hand, won on any tile of that suit.
    NineGates = (4, 88, "nine_gates", "Nine Gates"),
    /// Four kongs, melded or concealed.
    FourKongs = (5, 88, "four_kongs", "Four Kongs"),
    /// Seven consecutive pairs of one suit.
    SevenShiftedPairs = (6, 88, "seven_shifted_pairs", "Seven Shifted Pairs"),
    /// Each terminal and honor once, one of them twice.
    ThirteenOrphans = (7, 88, "thirteen_orphans", "Thirteen Orphans"),
    /// Only ones and nines.
    AllTerminals = (8, 64, "all_terminals", "All Terminals"),
    /// Pungs of three winds and a pair of the fourth.
    LittleFourWinds = (9, 64, "little_four_winds", "Little Four Winds"),
    /// Pungs of two dragons and a pair of the third.
    LittleThreeDragons = (10, 64, "little_three_dragons", "Little Three Dragons"),
    /// Only winds and dragons.
    AllHonors = (11, 64, "all_honors", "All Honors"),
    /// Four pungs or kongs made without a claimed tile.
    FourConcealedPungs = (12, 64, "four_concealed_pungs", "Four Concealed Pungs"),
    /// 123 and 789 twice and a pair of fives, all of one suit.
    PureTerminalChows = (13, 64, "pure_terminal_chows", "Pure Terminal Chows"),
    /// Four identical chows.
    QuadrupleChow = (14, 48, "quadruple_chow", "Quadruple Chow"),
    /// Four pungs of one suit, each one number higher.
    FourPureShiftedPungs = (15, 48, "four_pure_shifted_pungs", "Four Pure Shifted Pungs"),
    /// Four chows of one suit, each one number higher, or each two.
    FourPureShiftedChows = (16, 32, "four_pure_shifted_chows", "Four Pure Shifted Chows"),
    /// Three kongs, melded or concealed.
    ThreeKongs = (17, 32, "three_kongs", "Three Kongs"),
    /// Only ones, nines and honors.
    AllTerminalsAndHonors = (18, 32, "all_terminals_and_honors", "All Terminals and Honors"),
    /// Seven pairs; four of a kind are two pairs.
    SevenPairs = (19, 24, "seven_pairs", "Seven Pairs"),
    /// All seven honors and seven tiles of a knitted straight.
    GreaterHonorsAndKnittedTiles = (20, 24, "greater_honors_and_knitted_tiles", "Greater Honors and Knitted Tiles"),
    /// Pungs and a pair of even numbers.
    AllEvenPungs = (21, 24, "all_even_pungs", "All Even Pungs"),
    /// Only one suit.
    FullFlush = (22, 24, "full_flush", "Full Flush"),
    /// Three identical chows.
    PureTripleChow = (23, 24, "pure_triple_chow", "Pure Triple Chow"),
    /// Three pungs of one suit, each one number higher.
    PureShiftedPungs = (24, 24, "pure_shifted_pungs", "Pure Shifted Pungs"),
    /// Only 7, 8 and 9.
    UpperTiles = (25, 24, "upper_tiles", "Upper Tiles"),
    /// Only 4, 5 and 6.
    MiddleTiles = (26, 24, "middle_tiles", "Middle Tiles"),
    /// Only 1, 2 and 3.
    LowerTiles = (27, 24, "lower_tiles", "Lower Tiles"),
    /// 123, 456 and 789 of one suit.
    PureStraight = (28, 16, "pure_straight", "Pure Straight"),
    /// 123 and 789 of two suits and a pair of fives of the third.
    ThreeSuitedTerminalChows = (29, 16, "three_suited_terminal_chows", "Three-Suited Terminal Chows"),
    /// Three chows of one suit, each one number higher, or each two.
    PureShiftedChows = (30, 16, "pure_shifted_chows", "Pure Shifted Chows"),
    /// A five in every set and in the pair.
    AllFives = (31, 16, "all_fives", "All Fives"),
    /// Pungs of one number in all three suits.
    TriplePung = (32, 16, "triple_pung", "Triple Pung"),
    /// Three pungs or kongs made without a claimed tile.
    ThreeConcealedPungs = (33, 16, "three_concealed_pungs", "Three Concealed Pungs"),
    /// Different honors and tiles of a knitted straight, 14 in all.
    LesserHonorsAndKnittedTiles = (34, 12, "lesser_honors_and_knitted_tiles", "Lesser Honors and Knitted Tiles"),
    /// 147, 258 and 369, each of another suit.
    KnittedStraight = (35, 12, "knitted_straight", "Knitted Straight"),
    /// Only 6 to 9.
    UpperFour = (36, 12, "upper_four", "Upper Four"),
    /// Only 1 to 4.
    LowerFour = (37, 12, "lower_four", "Lower Four"),
    /// Pungs of three winds.
    BigThreeWinds = (38, 12, "big_three_winds", "Big Three Winds"),
    /// 123, 456 and 789, each of another suit.
    MixedStraight = (39, 8, "mixed_straight", "Mixed Straight"),
    /// Only tiles that look the same upside down.
    ReversibleTiles = (40, 8, "reversible_tiles", "Reversible Tiles"),
    /// A chow of the same numbers in all three suits.
    MixedTripleChow = (41, 8, "mixed_triple_chow", "Mixed Triple Chow"),
    /// Three pungs of three suits, each one number higher.
    MixedShiftedPungs = (42, 8, "mixed_shifted_pungs", "Mixed Shifted Pungs"),
    /// A winning hand without any other fan.
    ChickenHand = (43, 8, "chicken_hand", "Chicken Hand"),
    /// Won by drawing the last tile of the wall.
    LastTileDraw = (44, 8, "last_tile_draw", "Last Tile Draw"),
    /// Won on the last discard of the game.
    LastTileClaim = (45, 8, "last_tile_claim", "Last Tile Claim"),
    /// Won on the tile drawn to replace a kong.
    OutWithReplacementTile = (46, 8, "out_with_replacement_tile", "Out with Replacement Tile"),
    /// Won on the tile that another player adds to a pung.
    RobbingTheKong = (47, 8, "robbing_the_kong", "Robbing the Kong"),
    /// Two concealed kongs.
    TwoConcealedKongs = (48, 8, "two_concealed_kongs", "Two Concealed Kongs"),
    /// Four pungs or kongs.
    AllPungs = (49, 6, "all_pungs", "All Pungs"),
    /// A single suit and honors.
    HalfFlush = (50, 6, "half_flush", "Half Flush"),
    /// Three chows of three suits, each one number higher.
    MixedShiftedChows = (51, 6, "mixed_shifted_chows", "Mixed Shifted Chows"),
    /// All three suits, winds and dragons.
    AllTypes = (52, 6, "all_types", "All Types"),
    /// Four melded sets, won on a discard.
    MeldedHand = (53, 6, "melded_hand", "Melded Hand"),
    /// Pungs of two dragons.
    TwoDragonPungs = (54, 6, "two_dragon_pungs", "Two Dragon Pungs"),
    /// A melded and a concealed kong.
    MeldedAndConcealedKong = (82, 6, "melded_and_concealed_kong", "Melded and Concealed Kong"),
    /// A terminal or an honor in every set and in the pair.
    OutsideHand = (55, 4, "outside_hand", "Outside Hand"),
    /// No tile claimed, and the winning tile self-drawn.
    FullyConcealedHand = (56, 4, "fully_concealed_hand", "Fully Concealed Hand"),
    /// Two melded kongs.
    TwoMeldedKongs = (57, 4, "two_melded_kongs", "Two Melded Kongs"),
    /// Won on a tile whose three other copies lie open.
    LastTile = (58, 4, "last_tile", "Last Tile"),
    /// A pung of dragons.
    DragonPung = (59, 2, "dragon_pung", "Dragon Pung"),
    /// A pung of the prevalent wind.
    PrevalentWind = (60, 2, "prevalent_wind", "Prevalent Wind"),
    /// A pung of the seat wind.
    SeatWind = (61, 2, "seat_wind", "Seat Wind"),
    /// No tile claimed before the winning discard.
    ConcealedHand = (62, 2, "concealed_hand", "Concealed Hand"),
    /// Four chows and a pair of a suit.
    AllChows = (63, 2, "all_chows", "All Chows"),
    /// All four copies of a tile without a kong.
    TileHog = (64, 2, "tile_hog", "Tile Hog"),
    /// Pungs of one number in two suits.
    DoublePung = (65, 2, "double_pung", "Double Pung"),
    /// Two pungs or kongs made without a claimed tile.
    TwoConcealedPungs = (66, 2, "two_concealed_pungs", "Two Concealed Pungs"),
    /// A kong of four drawn tiles.
    ConcealedKong = (67, 2, "concealed_kong", "Concealed Kong"),
    /// Neither terminals nor honors.
    AllSimples = (68, 2, "all_simples", "All Simples"),
    /// Two identical chows.
    PureDoubleChow = (69, 1, "pure_double_chow", "Pure Double Chow"),
    /// A chow of the same numbers in two suits.
    MixedDoubleChow = (70, 1, "mixed_double_chow", "Mixed Double Chow"),
    /// Two consecutive chows of one suit.
    ShortStraight = (71, 1, "short_straight", "Short Straight"),
    /// 123 and 789 of one suit.
    TwoTerminalChows = (72, 1, "two_terminal_chows", "Two Terminal Chows"),
    /// A pung of ones, nines or winds.
    PungOfTerminalsOrHonors = (73, 1, "pung_of_terminals_or_honors", "Pung of Terminals or Honors"),
    /// A kong with a claimed tile.
    MeldedKong = (74, 1, "melded_kong", "Melded Kong"),
    /// Exactly one suit is missing.
    OneVoidedSuit = (75, 1, "one_voided_suit", "One Voided Suit"),
    /// Neither winds nor dragons.
    NoHonors = (76, 1, "no_honors", "No Honors"),
    /// Waited only for the 3 of 123 or the 7 of 789.
    EdgeWait = (77, 1, "edge_wait", "Edge Wait"),
    /// Waited only for the middle tile of a chow.
    ClosedWait = (78, 1, "closed_wait", "Closed Wait"),
    /// Waited only for a tile of the pair.
    SingleWait = (79, 1, "single_wait", "Single Wait"),
    /// The winning tile was drawn.
    SelfDrawn = (80, 1, "self_drawn", "Self-Drawn"),
    /// A point for each flower or season.
    FlowerTiles = (81, 1, "flower_tiles", "Flower Tiles"),
}

const fn rule(number: u8, points: u8, code: &'static str, fan: Fan) -> Rule {
    Rule {
        code,
        paragraph: Paragraph::Number(number),
        worth: Worth::Points(points as u32),
        formed_by: if fan.is_of_win_context() { FormedBy::WinContext } else { FormedBy::Tiles },
        texts: texts::mcr::find_line(code),
    }
}

impl Fan {
    /// Number of fans.
    pub const COUNT: usize = texts::mcr::LINES;

    /// Returns the WMO number, 1 to 81; 82 for one melded and one concealed kong.
    #[must_use]
    pub const fn number(self) -> u8 {
        FANS[self as usize].0
    }

    /// Returns the points in the WMO list of 2006. Options can change two of them; an award has the
    /// points that a fan scored.
    #[must_use]
    pub const fn points(self) -> u8 {
        FANS[self as usize].1
    }

    /// Returns the code in the contract: the English name in snake case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        FANS[self as usize].2
    }

    /// Returns the English name of the WMO.
    #[must_use]
    pub const fn name(self) -> &'static str {
        FANS[self as usize].3
    }

    /// Returns the rule of the fan, with name and explanation in every language.
    #[must_use]
    pub const fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }

    /// Returns whether the fan depends on how the hand was won, or on flowers, so that no tiles
    /// form it.
    const fn is_of_win_context(self) -> bool {
        matches!(
            self,
            Fan::LastTileDraw
                | Fan::LastTileClaim
                | Fan::OutWithReplacementTile
                | Fan::RobbingTheKong
                | Fan::LastTile
                | Fan::SelfDrawn
                | Fan::FlowerTiles
        )
    }

    /// Returns the fan with a number of 1 to 82.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Fan> {
        Fan::ALL.into_iter().find(|fan| fan.number() == number)
    }
}

impl fmt::Display for Fan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Error when a text is not the code of a fan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the code of a fan")]
pub struct ParseFanError(pub String);

impl FromStr for Fan {
    type Err = ParseFanError;

    fn from_str(code: &str) -> Result<Fan, ParseFanError> {
        let found = Fan::ALL.into_iter().find(|fan| fan.code() == code);
        found.ok_or_else(|| ParseFanError(code.to_owned()))
    }
}

impl Serialize for Fan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Fan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fan, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A set of fans, one bit each in the order of [`Fan::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct FanSet(u128);

impl FanSet {
    pub(super) const EMPTY: FanSet = FanSet(0);

    pub(super) const fn from_fans(fans: &[Fan]) -> FanSet {
        let mut set = FanSet::EMPTY;
        let mut index = 0;
        while index < fans.len() {
            set.0 |= 1 << fans[index] as u8;
            index += 1;
        }
        set
    }

    pub(super) const fn contains(self, fan: Fan) -> bool {
        self.0 >> fan as u8 & 1 == 1
    }

    pub(super) const fn union(self, other: FanSet) -> FanSet {
        FanSet(self.0 | other.0)
    }

    pub(super) const fn difference(self, other: FanSet) -> FanSet {
        FanSet(self.0 & !other.0)
    }

    /// Adds a fan if a condition holds, without a branch.
    pub(super) const fn add_if(&mut self, fan: Fan, condition: bool) {
        self.0 |= (condition as u128) << fan as u8;
    }

    /// Returns the set with one more fan if a condition holds.
    pub(super) const fn with_if(mut self, fan: Fan, condition: bool) -> FanSet {
        self.add_if(fan, condition);
        self
    }

    /// Removes and returns the fan that comes first in the order of [`Fan::ALL`].
    pub(super) const fn pop(&mut self) -> Option<Fan> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(Fan::ALL[index])
    }
}

impl Iterator for FanSet {
    type Item = Fan;

    fn next(&mut self) -> Option<Fan> {
        self.pop()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let fans = self.0.count_ones() as usize;
        (fans, Some(fans))
    }
}

impl ExactSizeIterator for FanSet {}

impl fmt::Debug for FanSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn numbers_are_complete_and_codes_read_back() {
        for number in 1..=82 {
            let fan = Fan::from_number(number).expect("every number has its fan");
            assert_eq!(fan.code().parse(), Ok(fan));
        }
        assert!("all_greens".parse::<Fan>().is_err());
    }

    #[test]
    fn fans_are_ordered_by_points_then_number() {
        for pair in Fan::ALL.windows(2) {
            assert!(pair[0].points() >= pair[1].points(), "{pair:?}");
            let in_order =
                pair[0].points() > pair[1].points() || pair[0].number() < pair[1].number();
            assert!(in_order, "{pair:?}");
        }
    }

    #[test]
    fn codes_are_the_names_in_snake_case() {
        for fan in Fan::ALL {
            assert_eq!(fan.code(), fan.name().to_lowercase().replace([' ', '-'], "_"));
        }
    }

    #[test]
    fn a_set_gives_back_its_fans_in_order() {
        let set = FanSet::from_fans(&[Fan::FlowerTiles, Fan::BigFourWinds, Fan::AllTypes]);
        assert_eq!(set.collect::<Vec<_>>(), [Fan::BigFourWinds, Fan::AllTypes, Fan::FlowerTiles]);
    }

    #[test]
    fn english_names_are_those_of_the_codes() {
        for one in Fan::ALL {
            assert_eq!(one.rule().name(Lang::En), one.name(), "{}", one.number());
        }
    }

    /// Compares names that the sources give with a number, so a text at the wrong fan fails.
    #[test]
    fn names_are_at_their_numbers() {
        let named = |number, lang| {
            let fan = Fan::ALL.into_iter().find(|fan| fan.number() == number).expect("a fan");
            fan.rule().name(lang)
        };
        for (number, name) in [
            (4, "Neun Laternen"),
            (19, "Sieben Paare"),
            (24, "Reine drei aufsteigende Drillinge"),
            (34, "Unverwandte Ziegel"),
            (38, "Drei Winde"),
            (49, "Drillinghand"),
            (56, "Völlig verdeckte Hand"),
            (63, "Folgehand"),
            (75, "Nur zwei Grundfarben"),
            (80, "Eigener Zug"),
        ] {
            assert_eq!(named(number, Lang::De), name);
        }
        for (number, name) in [
            (8, "清幺九"),
            (22, "清一色"),
            (43, "无番和"),
            (58, "和绝张"),
            (68, "断幺"),
            (80, "自摸"),
        ] {
            assert_eq!(named(number, Lang::Zh), name);
        }
        assert_eq!(named(52, Lang::Da), "Alle typer");
        assert_eq!(named(62, Lang::Sv), "Dold hand");
    }
}
