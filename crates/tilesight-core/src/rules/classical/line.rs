//! The lines of the classical game: code, paragraph, worth, and sets of them.
//!
//! Paragraphs are those of `docs/classical.md`: 1 points of every player, 2 points of the winner, 3
//! doubles of every player, 4 doubles of the winner, 5 special hands, 6 hands that count nothing.
//! Invariant: the variants are in this order, which is the order of an explained score.

use crate::rules::{FormedBy, Halves, Paragraph, Rule, Worth};
use crate::texts;

macro_rules! lines {
    ($($(#[$doc:meta])* $name:ident = ($section:literal, $code:literal, $worth:expr, $formation:ident),)*) => {
        /// A line of the classical game.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Line {
            $($(#[$doc])* $name,)*
        }

        impl Line {
            /// All lines, in the order of the rules.
            pub const ALL: [Line; Line::COUNT] = [$(Line::$name,)*];
        }

        /// Rule of each line, by position.
        static RULES: [Rule; Line::COUNT] = [$(Rule {
            code: $code,
            paragraph: Paragraph::Section($section),
            worth: $worth,
            formed_by: FormedBy::$formation,
            texts: texts::classical::find_line($code),
        },)*];
    };
}

const fn points(points: u32) -> Worth {
    Worth::Points(points)
}

const fn doubles(count: u32) -> Worth {
    Worth::Doublings(Halves::whole(count))
}

/// Worth of a special hand unless an option says otherwise.
const ONE_LIMIT: Worth = Worth::Limits(Halves::whole(1));
const HALF_A_LIMIT: Worth = Worth::Limits(Halves(1));

lines! {
    /// An exposed pung of 2 to 8.
    ExposedPung = ("1.1", "exposed_pung", points(2), Tiles),
    /// An exposed pung of ones or nines.
    ExposedPungOfTerminals = ("1.2", "exposed_pung_of_terminals", points(4), Tiles),
    /// An exposed pung of winds or dragons.
    ExposedPungOfHonors = ("1.3", "exposed_pung_of_honors", points(4), Tiles),
    /// A concealed pung of 2 to 8.
    ConcealedPung = ("1.4", "concealed_pung", points(4), Tiles),
    /// A concealed pung of ones or nines.
    ConcealedPungOfTerminals = ("1.5", "concealed_pung_of_terminals", points(8), Tiles),
    /// A concealed pung of winds or dragons.
    ConcealedPungOfHonors = ("1.6", "concealed_pung_of_honors", points(8), Tiles),
    /// An exposed kong of 2 to 8.
    ExposedKong = ("1.7", "exposed_kong", points(8), Tiles),
    /// An exposed kong of ones or nines.
    ExposedKongOfTerminals = ("1.8", "exposed_kong_of_terminals", points(16), Tiles),
    /// An exposed kong of winds or dragons.
    ExposedKongOfHonors = ("1.9", "exposed_kong_of_honors", points(16), Tiles),
    /// A concealed kong of 2 to 8.
    ConcealedKong = ("1.10", "concealed_kong", points(16), Tiles),
    /// A concealed kong of ones or nines.
    ConcealedKongOfTerminals = ("1.11", "concealed_kong_of_terminals", points(32), Tiles),
    /// A concealed kong of winds or dragons.
    ConcealedKongOfHonors = ("1.12", "concealed_kong_of_honors", points(32), Tiles),
    /// A pair of dragons.
    PairOfDragons = ("1.13", "pair_of_dragons", points(2), Tiles),
    /// A pair of the player's own wind.
    PairOfOwnWind = ("1.14", "pair_of_own_wind", points(2), Tiles),
    /// A pair of the wind of the round.
    PairOfRoundWind = ("1.15", "pair_of_round_wind", points(2), Tiles),
    /// A flower, or a bonus tile of which only the number is known.
    Flower = ("1.16", "flower", points(4), WinContext),
    /// A season.
    Season = ("1.17", "season", points(4), WinContext),

    /// The hand won.
    MahJongg = ("2.1", "mah_jongg", points(20), Tiles),
    /// The winning tile was drawn.
    LastTileFromWall = ("2.2", "last_tile_from_wall", points(2), WinContext),
    /// The winning tile completed a pair of 2 to 8.
    CompletesPair = ("2.3", "completes_pair", points(2), Tiles),
    /// The winning tile completed a pair of ones, nines, winds or dragons.
    CompletesPairOfTerminalsOrHonors =
        ("2.4", "completes_pair_of_terminals_or_honors", points(4), Tiles),
    /// No other kind of tile could have won.
    OnlyPossibleTile = ("2.5", "only_possible_tile", points(2), Tiles),

    /// A pung or kong of dragons.
    DragonPung = ("3.1", "dragon_pung", doubles(1), Tiles),
    /// A pung or kong of the player's own wind.
    OwnWindPung = ("3.2", "own_wind_pung", doubles(1), Tiles),
    /// A pung or kong of the wind of the round.
    RoundWindPung = ("3.3", "round_wind_pung", doubles(1), Tiles),
    /// The flower and the season of the player's seat.
    OwnFlowerAndSeason = ("3.4", "own_flower_and_season", doubles(1), WinContext),
    /// All four flowers.
    AllFlowers = ("3.5", "all_flowers", doubles(1), WinContext),
    /// All four seasons.
    AllSeasons = ("3.6", "all_seasons", doubles(1), WinContext),
    /// At least three concealed pungs or kongs.
    ThreeConcealedPungs = ("3.7", "three_concealed_pungs", doubles(1), Tiles),
    /// Two pungs or kongs of dragons and a pair of the third.
    LittleThreeDragons = ("3.8", "little_three_dragons", doubles(1), Tiles),
    /// Three pungs or kongs of dragons.
    BigThreeDragons = ("3.9", "big_three_dragons", doubles(2), Tiles),
    /// Three pungs or kongs of winds and a pair of the fourth.
    LittleFourWinds = ("3.10", "little_four_winds", doubles(1), Tiles),
    /// Four pungs or kongs of winds.
    BigFourWinds = ("3.11", "big_four_winds", doubles(2), Tiles),

    /// Four chows and a pair that counts nothing.
    ZeroPointHand = ("4.1", "zero_point_hand", doubles(1), Tiles),
    /// No chow.
    NoChow = ("4.2", "no_chow", doubles(1), Tiles),
    /// Every set and the pair concealed.
    ConcealedHand = ("4.3", "concealed_hand", doubles(1), Tiles),
    /// A single suit with winds or dragons.
    OneSuitAndHonors = ("4.4", "one_suit_and_honors", doubles(1), Tiles),
    /// A single suit only.
    OneSuit = ("4.5", "one_suit", doubles(3), Tiles),
    /// Only ones, nines, winds and dragons.
    TerminalsAndHonors = ("4.6", "terminals_and_honors", doubles(1), Tiles),
    /// Won with the last tile of the wall.
    LastTileOfWall = ("4.7", "last_tile_of_wall", doubles(1), WinContext),
    /// Won on the discard after the last tile of the wall.
    LastDiscard = ("4.8", "last_discard", doubles(1), WinContext),
    /// Won with a tile from the dead wall.
    DeadWall = ("4.9", "dead_wall", doubles(1), WinContext),
    /// Won by robbing a kong.
    RobbingTheKong = ("4.10", "robbing_the_kong", doubles(1), WinContext),
    /// Won after an original call.
    OriginalCall = ("4.11", "original_call", doubles(1), WinContext),

    /// Each terminal and honor once, one of them twice.
    ThirteenOrphans = ("5.1", "thirteen_orphans", ONE_LIMIT, Tiles),
    /// 1112345678999 of one suit in the hand, won on any tile of it.
    NineGates = ("5.2", "nine_gates", ONE_LIMIT, Tiles),
    /// A single suit: three ones, three nines, a pair of 2, 5 or 8 and two chows.
    SquirmingSnake = ("5.3", "squirming_snake", ONE_LIMIT, Tiles),
    /// A single suit, all concealed.
    ConcealedOneSuit = ("5.4", "concealed_one_suit", ONE_LIMIT, Tiles),
    /// Only winds and dragons.
    OnlyHonors = ("5.5", "only_honors", ONE_LIMIT, Tiles),
    /// Only ones and nines.
    OnlyTerminals = ("5.6", "only_terminals", ONE_LIMIT, Tiles),
    /// Four kongs.
    FourKongs = ("5.7", "four_kongs", ONE_LIMIT, Tiles),
    /// Three pungs or kongs of dragons in a hand that won.
    ThreeDragonPungs = ("5.8", "three_dragon_pungs", ONE_LIMIT, Tiles),
    /// Four pungs or kongs of winds in a hand that won.
    FourWindPungs = ("5.9", "four_wind_pungs", ONE_LIMIT, Tiles),
    /// Only 2, 3, 4, 6, 8 of bamboo and the green dragon.
    ImperialJade = ("5.10", "imperial_jade", ONE_LIMIT, Tiles),
    /// Four concealed pungs or kongs, self-drawn.
    FourConcealedPungs = ("5.11", "four_concealed_pungs", ONE_LIMIT, Tiles),
    /// A kong after a kong, and the second replacement won.
    TwofoldFortune = ("5.12", "twofold_fortune", ONE_LIMIT, WinContext),
    /// East won with the tiles that were dealt.
    BlessingOfHeaven = ("5.13", "blessing_of_heaven", ONE_LIMIT, WinContext),
    /// Won on East's first discard.
    BlessingOfEarth = ("5.14", "blessing_of_earth", ONE_LIMIT, WinContext),
    /// East's ninth win in a row.
    NinthEastWin = ("5.15", "ninth_east_win", ONE_LIMIT, WinContext),
    /// 5 of dots from the dead wall.
    PlumBlossom = ("5.16", "plum_blossom_from_the_roof", ONE_LIMIT, WinContext),
    /// 1 of dots as the last tile of the wall.
    MoonFromTheSea = ("5.17", "moon_from_the_bottom_of_the_sea", ONE_LIMIT, WinContext),
    /// A kong of 2 of bamboo robbed.
    CarryingPole = ("5.18", "scratching_a_carrying_pole", ONE_LIMIT, WinContext),
    /// Seven pairs.
    SevenPairs = ("5.19", "seven_pairs", HALF_A_LIMIT, Tiles),

    /// Too many tiles: the hand counts nothing.
    LongHand = ("6.1", "long_hand", points(0), Tiles),
}

impl Line {
    /// Number of lines.
    pub const COUNT: usize = texts::classical::LINES;

    /// Returns the rule of the line.
    #[must_use]
    pub const fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }

    /// Returns whether the line is a special hand, worth limits.
    #[must_use]
    pub(crate) const fn is_special(self) -> bool {
        matches!(self.rule().worth, Worth::Limits(_))
    }
}
