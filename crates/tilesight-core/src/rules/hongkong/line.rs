//! The lines of the game: code, paragraph and texts, as one table; and sets of lines.
//!
//! Paragraphs are those of `docs/hong-kong.md`: 1 sets and suits, 2 winds and dragons, 3 rare
//! hands, 4 how the hand was won, 5 bonus tiles. Invariant: the variants are in this order, which
//! is the order of an explained score. The faan of a line are in
//! [`FaanValues`](super::FaanValues).

use std::fmt;

use crate::rules::{FormedBy, Paragraph, Rule, Worth};
use crate::texts;

macro_rules! lines {
    ($($(#[$doc:meta])* $name:ident = ($section:literal, $code:ident, $formed:ident),)*) => {
        /// A line of the game.
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
            code: stringify!($code),
            paragraph: Paragraph::Section($section),
            worth: Worth::Faan(1),
            formed_by: FormedBy::$formed,
            texts: texts::hongkong::find_line(stringify!($code)),
        },)*];
    };
}

lines! {
    /// Four chows.
    AllChows = ("1.1", all_chows, Tiles),
    /// Four pungs or kongs.
    AllPungs = ("1.2", all_pungs, Tiles),
    /// Four pungs of ones, nines and honors.
    MixedTerminals = ("1.3", mixed_terminals, Tiles),
    /// Tiles of a single suit, and honors.
    HalfFlush = ("1.4", half_flush, Tiles),
    /// Tiles of a single suit.
    FullFlush = ("1.5", full_flush, Tiles),
    /// Seven different pairs.
    SevenPairs = ("1.6", seven_pairs, Tiles),
    /// A pung of a dragon; counts for each.
    Dragon = ("2.1", dragon, Tiles),
    /// A pung of the seat wind.
    SeatWind = ("2.2", seat_wind, Tiles),
    /// A pung of the prevalent wind.
    PrevalentWind = ("2.3", prevalent_wind, Tiles),
    /// Two pungs of dragons and a pair of the third.
    SmallThreeDragons = ("2.4", small_three_dragons, Tiles),
    /// Three pungs of dragons.
    BigThreeDragons = ("2.5", big_three_dragons, Tiles),
    /// Three pungs of winds and a pair of the fourth.
    SmallFourWinds = ("2.6", small_four_winds, Tiles),
    /// Four pungs of winds.
    BigFourWinds = ("2.7", big_four_winds, Tiles),
    /// Only honors.
    AllHonors = ("3.1", all_honors, Tiles),
    /// Four pungs of ones and nines.
    AllTerminals = ("3.2", all_terminals, Tiles),
    /// 1112345678999 of a suit and one more of it.
    NineGates = ("3.3", nine_gates, Tiles),
    /// Four concealed pungs, self-drawn.
    FourConcealedPungs = ("3.4", four_concealed_pungs, Tiles),
    /// Four kongs.
    AllKongs = ("3.5", all_kongs, Tiles),
    /// Each one, nine and honor, and any of them again.
    ThirteenOrphans = ("3.6", thirteen_orphans, Tiles),
    /// The winning tile was drawn.
    SelfDraw = ("4.1", self_draw, WinContext),
    /// No tile was claimed before the winning one.
    ConcealedHand = ("4.2", concealed_hand, Tiles),
    /// The tile was robbed from a kong.
    RobbingKong = ("4.3", robbing_kong, WinContext),
    /// The last tile of the wall, or the discard after it.
    LastTile = ("4.4", last_tile, WinContext),
    /// The replacement tile of a kong.
    KongReplacement = ("4.5", kong_replacement, WinContext),
    /// The replacement tile of a second kong in a row.
    DoubleKong = ("4.6", double_kong, WinContext),
    /// East wins with the dealt tiles.
    HeavenlyHand = ("4.7", heavenly_hand, WinContext),
    /// Win of another player on East's first discard.
    EarthlyHand = ("4.8", earthly_hand, WinContext),
    /// No bonus tile.
    NoFlowers = ("5.1", no_flowers, WinContext),
    /// The flower of the seat.
    OwnFlower = ("5.2", own_flower, WinContext),
    /// The season of the seat.
    OwnSeason = ("5.3", own_season, WinContext),
    /// All four flowers.
    AllFlowers = ("5.4", all_flowers, WinContext),
    /// All four seasons.
    AllSeasons = ("5.5", all_seasons, WinContext),
}

impl Line {
    /// Number of lines.
    pub const COUNT: usize = texts::hongkong::LINES;

    /// Returns the rule of the line.
    #[must_use]
    pub const fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }
}

/// A set of lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct LineSet(u32);

impl LineSet {
    pub(super) const NONE: LineSet = LineSet(0);

    pub(super) const fn new(lines: &[Line]) -> LineSet {
        let mut set = LineSet::NONE;
        let mut at = 0;
        while at < lines.len() {
            set = LineSet(set.0 | 1 << lines[at] as u32);
            at += 1;
        }
        set
    }

    pub(super) const fn contains(self, line: Line) -> bool {
        self.0 >> line as u32 & 1 == 1
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn add_if(&mut self, line: Line, condition: bool) {
        self.0 |= (condition as u32) << line as u32;
    }

    pub(super) const fn and(self, other: LineSet) -> LineSet {
        LineSet(self.0 & other.0)
    }

    pub(super) const fn or(self, other: LineSet) -> LineSet {
        LineSet(self.0 | other.0)
    }

    /// Returns the lines that are not in another set.
    pub(super) const fn difference(self, other: LineSet) -> LineSet {
        LineSet(self.0 & !other.0)
    }

    /// Returns the lines in the order of the rules.
    pub(super) fn iter(self) -> impl Iterator<Item = Line> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let line = Line::ALL.get(left.trailing_zeros() as usize).copied();
            left &= left.wrapping_sub(1);
            line
        })
    }
}

impl FromIterator<Line> for LineSet {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> LineSet {
        lines.into_iter().fold(LineSet::NONE, |set, line| set.or(LineSet::new(&[line])))
    }
}

impl fmt::Debug for LineSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn lines_are_ordered_by_paragraph() {
        assert!(Line::ALL.is_sorted_by(|one, other| one.rule().section() < other.rule().section()));
        assert!(Line::ALL.iter().enumerate().all(|(at, &line)| line as usize == at));
    }

    /// Compares names that the specification gives with codes, so a text at the wrong line fails.
    #[test]
    fn chinese_names_are_at_their_codes() {
        for (code, name) in [
            ("all_chows", "平糊"),
            ("half_flush", "混一色"),
            ("small_four_winds", "小四喜"),
            ("four_concealed_pungs", "坎坎糊"),
            ("all_kongs", "十八罗汉"),
            ("robbing_kong", "抢杠"),
            ("last_tile", "海底捞月"),
            ("no_flowers", "无花"),
        ] {
            let line = Line::ALL.into_iter().find(|line| line.rule().code == code).expect(code);
            assert_eq!(line.rule().name(Lang::Zh), name, "{code}");
        }
    }

    #[test]
    fn sets_give_back_their_lines_in_order() {
        let lines = [Line::AllChows, Line::Dragon, Line::AllSeasons];
        let set: LineSet = lines.into_iter().rev().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), lines);
        assert!(set.difference(LineSet::new(&lines)).is_empty());
        let all: LineSet = Line::ALL.into_iter().collect();
        assert_eq!(all.iter().count(), Line::COUNT);
    }
}
