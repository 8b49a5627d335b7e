//! The lines of the rules: paragraph, code and worth, as one table.
//!
//! Points (1.1) come first, then doublings (1.2) by paragraph; a paragraph with parts has one line
//! for each part. Invariant: the variants are in the order of the rules, and the worth of a line
//! counts as many times as its number in [`LineCounts`].

use crate::rules::{FormedBy, Halves, Paragraph, Rule, Worth};
use crate::texts;

macro_rules! lines {
    ($($(#[$doc:meta])* $name:ident = ($section:literal, $worth:expr, $formed:ident, $code:literal),)*) => {
        /// A line of the rules.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Line {
            $($(#[$doc])* $name,)*
        }

        impl Line {
            /// All lines, in the order of the rules.
            pub const ALL: &'static [Line; Line::COUNT] = &[$(Line::$name,)*];
        }

        /// Worth of one count of each line, by position.
        const WORTHS: [Worth; Line::COUNT] = [$($worth,)*];

        /// Rule of each line, by position.
        static RULES: [Rule; Line::COUNT] = [$(Rule {
            code: $code,
            paragraph: Paragraph::Section($section),
            worth: $worth,
            formed_by: FormedBy::$formed,
            texts: texts::mmm::find_line($code),
        },)*];
    };
}

const fn points(points: u32) -> Worth {
    Worth::Points(points)
}

const fn doublings(count: u32) -> Worth {
    Worth::Doublings(Halves::whole(count))
}

/// Doublings of a line of the most valuable hands: the maximum that counts.
const HIGHEST: u32 = 12;

lines! {
    /// A called pung of 2 to 8.
    OpenPung = ("1.1", points(2), Tiles, "open_pung"),
    /// A concealed pung of 2 to 8.
    ConcealedPung = ("1.1", points(4), Tiles, "concealed_pung"),
    /// A called pung of officers.
    OpenOfficerPung = ("1.1", points(4), Tiles, "open_officer_pung"),
    /// A concealed pung of officers.
    ConcealedOfficerPung = ("1.1", points(6), Tiles, "concealed_officer_pung"),
    /// A called kong of 2 to 8.
    OpenKong = ("1.1", points(8), Tiles, "open_kong"),
    /// A concealed kong of 2 to 8.
    ConcealedKong = ("1.1", points(16), Tiles, "concealed_kong"),
    /// A called kong of officers.
    OpenOfficerKong = ("1.1", points(16), Tiles, "open_officer_kong"),
    /// A concealed kong of officers.
    ConcealedOfficerKong = ("1.1", points(24), Tiles, "concealed_officer_kong"),
    /// A pair of dragons.
    DragonPair = ("1.1", points(2), Tiles, "dragon_pair"),
    /// A pair of the winner's own wind.
    OwnWindPair = ("1.1", points(2), Tiles, "own_wind_pair"),
    /// A pair of the wind of the round.
    RoundWindPair = ("1.1", points(2), Tiles, "round_wind_pair"),
    /// Won on a self-draw.
    SelfDraw = ("1.1", points(10), WinContext, "self_draw"),
    /// Every set concealed, and won on a self-draw.
    FullyConcealed = ("1.2.1", doublings(1), Tiles, "fully_concealed"),
    /// Only chows, concealed.
    OnlyChows = ("1.2.2", doublings(1), Tiles, "only_chows"),
    /// The last tile of the wall, self-drawn.
    UnderTheSea = ("1.2.3", doublings(1), WinContext, "under_the_sea"),
    /// A discard after the last tile of the wall.
    UnderTheRiver = ("1.2.4", doublings(1), WinContext, "under_the_river"),
    /// Won on the replacement tile of a kong.
    AfterAKong = ("1.2.5", doublings(1), WinContext, "after_a_kong"),
    /// Won on a tile that another player adds to a pung.
    RobbingAKong = ("1.2.6", doublings(1), WinContext, "robbing_a_kong"),
    /// All four sets and the pair called.
    FullyOpen = ("1.2.7", doublings(1), Tiles, "fully_open"),
    /// A pung or kong of dragons; counts for each.
    Dragons = ("1.2.8", doublings(1), Tiles, "dragons"),
    /// A pung or kong of the own wind.
    OwnWind = ("1.2.9", doublings(1), Tiles, "own_wind"),
    /// A pung or kong of the wind of the round.
    RoundWind = ("1.2.9", doublings(1), Tiles, "round_wind"),
    /// No officers.
    NoOfficers = ("1.2.10", doublings(1), Tiles, "no_officers"),
    /// Two identical chows in a concealed hand.
    IdenticalChows = ("1.2.11", doublings(1), Tiles, "identical_chows"),
    /// A third identical chow.
    ThreeIdenticalChows = ("1.2.11", doublings(1), Tiles, "three_identical_chows"),
    /// Two sets of two identical chows.
    TwoSetsOfIdenticalChows = ("1.2.11", doublings(1), Tiles, "two_sets_of_identical_chows"),
    /// A chow of the same numbers in three suits.
    SameChowInThreeSuits = ("1.2.12", doublings(1), Tiles, "same_chow_in_three_suits"),
    /// A chow of the same numbers in three suits, in a concealed hand.
    SameChowConcealed = ("1.2.12", doublings(1), Tiles, "same_chow_concealed"),
    /// 1 to 9 of one suit in three chows.
    Straight = ("1.2.13", doublings(1), Tiles, "straight"),
    /// A straight in a concealed hand.
    StraightConcealed = ("1.2.13", doublings(1), Tiles, "straight_concealed"),
    /// An officer in every set and in the pair.
    OnlyOfficers = ("1.2.14", doublings(1), Tiles, "only_officers"),
    /// Only officers in a concealed hand.
    OnlyOfficersConcealed = ("1.2.14", doublings(1), Tiles, "only_officers_concealed"),
    /// Only officers without chows.
    OnlyOfficersWithoutChows = ("1.2.14", doublings(1), Tiles, "only_officers_without_chows"),
    /// Only officers without honors.
    OnlyOfficersWithoutHonours = ("1.2.14", doublings(1), Tiles, "only_officers_without_honours"),
    /// Only pungs and kongs.
    OnlyPungs = ("1.2.15", doublings(2), Tiles, "only_pungs"),
    /// A pung of the same number in three suits.
    SamePungInThreeSuits = ("1.2.16", doublings(2), Tiles, "same_pung_in_three_suits"),
    /// At least three kongs.
    ThreeKongs = ("1.2.17", doublings(2), Tiles, "three_kongs"),
    /// At least three concealed pungs or kongs.
    ThreeConcealedPungs = ("1.2.18", doublings(2), Tiles, "three_concealed_pungs"),
    /// Two pungs of dragons and a pair of the third.
    SmallDragons = ("1.2.19", doublings(2), Tiles, "small_dragons"),
    /// A single suit, with or without honors.
    OneSuit = ("1.2.20", doublings(2), Tiles, "one_suit"),
    /// A single suit without honors.
    OneSuitWithoutHonours = ("1.2.20", doublings(3), Tiles, "one_suit_without_honours"),
    /// A single suit in a concealed hand.
    OneSuitConcealed = ("1.2.20", doublings(1), Tiles, "one_suit_concealed"),
    /// Seven pairs.
    SevenPairs = ("1.2.21", doublings(3), Tiles, "seven_pairs"),
    /// Pungs of all three dragons.
    BigDragons = ("1.2.22", doublings(HIGHEST), Tiles, "big_dragons"),
    /// Pungs of three winds and a pair of the fourth.
    SmallWinds = ("1.2.23", doublings(HIGHEST), Tiles, "small_winds"),
    /// Pungs of all four winds.
    BigWinds = ("1.2.24", doublings(HIGHEST), Tiles, "big_winds"),
    /// Only ones and nines.
    OnlyOnesAndNines = ("1.2.25", doublings(HIGHEST), Tiles, "only_ones_and_nines"),
    /// Only winds and dragons.
    OnlyHonours = ("1.2.26", doublings(HIGHEST), Tiles, "only_honours"),
    /// Four kongs.
    FourKongs = ("1.2.27", doublings(HIGHEST), Tiles, "four_kongs"),
    /// Four concealed pungs or kongs.
    FourConcealedPungs = ("1.2.28", doublings(HIGHEST), Tiles, "four_concealed_pungs"),
    /// 1112345678999 of one suit and one more of it, concealed.
    NineLanterns = ("1.2.29", doublings(HIGHEST), Tiles, "nine_lanterns"),
    /// Only green tiles.
    Jade = ("1.2.30", doublings(HIGHEST), Tiles, "jade"),
    /// 20 to 39 points.
    ExtraHalf = ("1.2.31", Worth::Doublings(Halves(1)), WinContext, "extra_half"),
    /// 40 points or more.
    ExtraWhole = ("1.2.31", doublings(1), WinContext, "extra_whole"),
}

impl Line {
    /// Number of lines.
    pub const COUNT: usize = texts::mmm::LINES;

    /// Returns the rule of the line.
    #[must_use]
    pub const fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }

    /// Returns the amount that one count of the line adds: points, or halves of doublings.
    pub(super) const fn adds(self) -> u32 {
        ADDS[self as usize]
    }
}

/// Position of the first doubling; the lines before it are points.
pub(super) const FIRST_DOUBLING: usize = Line::FullyConcealed as usize;

/// Position of the first line of the extra score; the doublings before it count towards the
/// minimum.
pub(super) const FIRST_EXTRA: usize = Line::ExtraHalf as usize;

/// Amount that one count of each line adds: points, or halves of doublings.
const ADDS: [u32; Line::COUNT] = {
    let mut adds = [0; Line::COUNT];
    let mut at = 0;
    while at < Line::COUNT {
        adds[at] = match WORTHS[at] {
            Worth::Points(points) => points,
            Worth::Doublings(Halves(halves)) => halves,
            _ => panic!("every line of these rules is points or doublings"),
        };
        at += 1;
    }
    adds
};

/// The count of each line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineCounts([u8; Line::COUNT]);

impl LineCounts {
    pub(super) const NONE: LineCounts = LineCounts([0; Line::COUNT]);

    pub(super) const fn get(&self, line: Line) -> u32 {
        self.0[line as usize] as u32
    }

    pub(super) const fn set(&mut self, line: Line, count: u32) {
        self.0[line as usize] = count as u8;
    }

    /// Sets the count of a line to 1 if a condition holds, otherwise to 0.
    pub(super) const fn set_if(&mut self, line: Line, condition: bool) {
        self.0[line as usize] = condition as u8;
    }

    /// Returns the points of the lines that count.
    pub(super) fn points(&self) -> u32 {
        self.sum(0, FIRST_DOUBLING)
    }

    /// Returns the doublings that count towards the minimum.
    pub(super) fn doublings(&self) -> u32 {
        self.sum(FIRST_DOUBLING, FIRST_EXTRA) / 2
    }

    /// Returns the extra score (1.2.31).
    pub(super) fn extra(&self) -> Halves {
        Halves(self.sum(FIRST_EXTRA, Line::COUNT))
    }

    fn sum(&self, from: usize, to: usize) -> u32 {
        let counted = self.0[from..to].iter().zip(&ADDS[from..to]);
        counted.map(|(&count, &adds)| u32::from(count) * adds).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::lang::Lang;

    #[test]
    fn lines_are_ordered_by_paragraph() {
        assert!(Line::ALL.is_sorted_by_key(|line| line.rule().section()));
        for (at, &line) in Line::ALL.iter().enumerate() {
            assert_eq!(line as usize, at);
            let is_point = matches!(line.rule().worth, Worth::Points(_));
            assert_eq!(is_point, at < FIRST_DOUBLING, "{line:?}");
        }
    }

    #[test]
    fn only_extra_score_is_worth_halves() {
        let half = Line::ALL.iter().find(|&&line| ADDS[line as usize] % 2 == 1);
        assert_eq!(half, Some(&Line::ExtraHalf));
    }

    #[test]
    fn points_doublings_and_extra_score_are_summed_apart() {
        let mut counts = LineCounts::NONE;
        counts.set(Line::ConcealedPung, 3);
        counts.set_if(Line::SelfDraw, true);
        counts.set(Line::Dragons, 2);
        counts.set_if(Line::OneSuitWithoutHonours, true);
        counts.set_if(Line::ExtraHalf, true);
        assert_eq!((counts.points(), counts.doublings(), counts.extra()), (22, 5, Halves(1)));
    }

    /// Compares names that the supplement gives with a number, so a text at the wrong line fails.
    #[test]
    fn danish_names_are_at_their_paragraphs() {
        for (section, name) in [
            ("1.2.1", "Fuldstændig skjult hånd"),
            ("1.2.6", "At stjæle en kong"),
            ("1.2.10", "Ingen officerer"),
            ("1.2.16", "Ens punger i tre rækker"),
            ("1.2.19", "Lille dragehånd"),
            ("1.2.21", "Syv par"),
            ("1.2.24", "Stor vindhånd"),
            ("1.2.29", "Ni lanterner"),
            ("1.2.30", "Jadehånd"),
        ] {
            let named = |line: &&Line| line.rule().name(Lang::Da) == name;
            let line = Line::ALL.iter().find(named).expect(name);
            assert_eq!(line.rule().paragraph.to_string(), section, "{name}");
        }
    }

    /// Checks that each English name shares a word with its code, so a text at the wrong line
    /// fails.
    #[test]
    fn codes_share_a_word_with_their_names() {
        for line in Line::ALL {
            let words = |text: &str| -> HashSet<String> {
                text.to_lowercase().split([' ', '_', '-', ',']).map(str::to_owned).collect()
            };
            let (code, name) = (words(line.rule().code), words(line.rule().name(Lang::En)));
            assert!(code.intersection(&name).count() >= 1, "{line:?}: {name:?}");
        }
    }
}
