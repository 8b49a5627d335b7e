//! The lines of the game: code, paragraph, texts and readings, as one table; and sets of
//! lines.
//!
//! Paragraphs are those of `docs/taiwan.md`: 1 how the hand was won, 2 what was declared, 3 sets
//! and suits, 4 honors and kongs, 5 bonus tiles, 6 special hands. Invariant: the variants are in
//! this order, which is the order of an explained score. The tai of a line are in
//! [`TaiValues`](super::TaiValues).

use std::fmt;

use crate::rules::{FormedBy, Paragraph, Rule, Worth};
use crate::texts;

macro_rules! lines {
    ($($(#[$doc:meta])* $name:ident =
        ($section:literal, $code:ident, $formed:ident, $pinyin:literal),)*) => {
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
            worth: Worth::Tai(1),
            formed_by: FormedBy::$formed,
            texts: texts::taiwan::find_line(stringify!($code)),
        },)*];

        /// Reading of each line's name in traditional Chinese, by position.
        static READINGS: [&str; Line::COUNT] = [$($pinyin,)*];
    };
}

lines! {
    /// The winning tile was drawn.
    SelfDraw = ("1.1", self_draw, WinContext, "zìmō"),
    /// A hand without claimed sets.
    ConcealedHand = ("1.2", concealed_hand, Tiles, "ménqīng"),
    /// A hand without claimed sets whose winning tile was drawn.
    FullyConcealedHand = ("1.3", fully_concealed_hand, Tiles, "ménqīng zìmō"),
    /// Five claimed sets, and a claimed winning tile.
    AllMelded = ("1.4", all_melded, Tiles, "quánqiúrén"),
    /// Five claimed sets, and a drawn winning tile.
    HalfMelded = ("1.5", half_melded, Tiles, "bànqiúrén"),
    /// Only one kind of tile completed the hand.
    SingleWait = ("1.6", single_wait, Tiles, "dútīng"),
    /// The tile was robbed from a kong.
    RobbingKong = ("1.7", robbing_kong, WinContext, "qiǎnggàng"),
    /// The replacement tile of a kong or of a bonus tile.
    KongReplacement = ("1.8", kong_replacement, WinContext, "gàngshàng kāihuā"),
    /// The last tile of the wall.
    LastTileDraw = ("1.9", last_tile_draw, WinContext, "hǎidǐ lāoyuè"),
    /// The discard after the last tile of the wall.
    LastTileClaim = ("1.10", last_tile_claim, WinContext, "hédǐ lāoyú"),
    /// A ready hand was declared.
    Ready = ("2.1", ready, WinContext, "bàotīng"),
    /// A ready hand was declared at the first discard.
    EarthlyReady = ("2.2", earthly_ready, WinContext, "dìtīng"),
    /// A ready hand was declared with the dealt tiles.
    HeavenlyReady = ("2.3", heavenly_ready, WinContext, "tiāntīng"),
    /// The dealer wins with the dealt tiles.
    HeavenlyHand = ("2.4", heavenly_hand, WinContext, "tiānhú"),
    /// A win of another player with the first draw.
    EarthlyHand = ("2.5", earthly_hand, WinContext, "dìhú"),
    /// A win on a discard of the first round.
    HumanHand = ("2.6", human_hand, WinContext, "rénhú"),
    /// Five chows and the conditions of the options.
    AllChows = ("3.1", all_chows, Tiles, "pínghú"),
    /// Five pungs or kongs.
    AllPungs = ("3.2", all_pungs, Tiles, "pèngpènghú"),
    /// Three concealed pungs or kongs.
    ThreeConcealedPungs = ("3.3", three_concealed_pungs, Tiles, "sān ànkè"),
    /// Four concealed pungs or kongs.
    FourConcealedPungs = ("3.4", four_concealed_pungs, Tiles, "sì ànkè"),
    /// Five concealed pungs or kongs.
    FiveConcealedPungs = ("3.5", five_concealed_pungs, Tiles, "wǔ ànkè"),
    /// Tiles of a single suit, and honors.
    HalfFlush = ("3.6", half_flush, Tiles, "hùnyīsè"),
    /// Tiles of a single suit.
    FullFlush = ("3.7", full_flush, Tiles, "qīngyīsè"),
    /// Only honors.
    AllHonors = ("3.8", all_honors, Tiles, "zìyīsè"),
    /// A pung of a dragon; counts for each.
    Dragon = ("4.1", dragon, Tiles, "sānyuánpái"),
    /// Two pungs of dragons and a pair of the third.
    SmallThreeDragons = ("4.2", small_three_dragons, Tiles, "xiǎosānyuán"),
    /// Three pungs of dragons.
    BigThreeDragons = ("4.3", big_three_dragons, Tiles, "dàsānyuán"),
    /// A pung of the seat wind.
    SeatWind = ("4.4", seat_wind, Tiles, "ménfēng"),
    /// A pung of the prevalent wind.
    PrevalentWind = ("4.5", prevalent_wind, Tiles, "quānfēng"),
    /// A pung of any wind; counts for each.
    Wind = ("4.6", wind, Tiles, "fēngkè"),
    /// Three pungs of winds and a pair of the fourth.
    SmallFourWinds = ("4.7", small_four_winds, Tiles, "xiǎosìxǐ"),
    /// Four pungs of winds.
    BigFourWinds = ("4.8", big_four_winds, Tiles, "dàsìxǐ"),
    /// A claimed kong; counts for each.
    ExposedKong = ("4.9", exposed_kong, Tiles, "mínggàng"),
    /// A concealed kong; counts for each.
    ConcealedKong = ("4.10", concealed_kong, Tiles, "àngàng"),
    /// Four kongs or more.
    FourKongs = ("4.11", four_kongs, Tiles, "sìgàng"),
    /// Five kongs.
    FiveKongs = ("4.12", five_kongs, Tiles, "wǔgàng"),
    /// A bonus tile of the seat; counts for each.
    OwnFlower = ("5.1", own_flower, WinContext, "zhènghuā"),
    /// A bonus tile; counts for each.
    Flower = ("5.2", flower, WinContext, "jiànhuā"),
    /// All four flowers or all four seasons; counts for each.
    FlowerSet = ("5.3", flower_set, WinContext, "huāgàng"),
    /// No bonus tile.
    NoFlowers = ("5.4", no_flowers, WinContext, "wúhuā"),
    /// Neither a bonus tile nor an honor.
    NoFlowersNoHonors = ("5.5", no_flowers_no_honors, Tiles, "wúzì wúhuā"),
    /// All eight bonus tiles.
    EightFlowers = ("5.6", eight_flowers, WinContext, "bāxiān guòhǎi"),
    /// Seven bonus tiles, and the eighth of another player.
    SevenFlowers = ("5.7", seven_flowers, WinContext, "qīqiǎngyī"),
    /// Seven pairs and a pung.
    SevenPairs = ("6.1", seven_pairs, Tiles, "lìgū lìgū"),
    /// Thirteen orphans and another set.
    ThirteenOrphans = ("6.2", thirteen_orphans, Tiles, "shísānyāo"),
}

impl Line {
    /// Number of lines.
    pub const COUNT: usize = texts::taiwan::LINES;

    /// Returns the reading of the name in traditional Chinese, in pinyin.
    #[must_use]
    pub const fn pinyin(self) -> &'static str {
        READINGS[self as usize]
    }

    /// Returns the rule of the line.
    #[must_use]
    pub const fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }
}

/// A set of lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct LineSet(u64);

impl LineSet {
    pub(super) const NONE: LineSet = LineSet(0);

    pub(super) const fn new(lines: &[Line]) -> LineSet {
        let mut set = LineSet::NONE;
        let mut at = 0;
        while at < lines.len() {
            set = LineSet(set.0 | 1 << lines[at] as u64);
            at += 1;
        }
        set
    }

    pub(super) const fn contains(self, line: Line) -> bool {
        self.0 >> line as u64 & 1 == 1
    }

    pub(super) const fn add_if(&mut self, line: Line, condition: bool) {
        self.0 |= (condition as u64) << line as u64;
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
        for (code, simplified, traditional) in [
            ("all_melded", "全求人", "全求人"),
            ("robbing_kong", "抢杠", "搶槓"),
            ("last_tile_claim", "河底捞鱼", "河底撈魚"),
            ("heavenly_ready", "天听", "天聽"),
            ("human_hand", "人胡", "人胡"),
            ("all_chows", "平胡", "平胡"),
            ("small_four_winds", "小四喜", "小四喜"),
            ("flower_set", "花杠", "花槓"),
            ("seven_flowers", "七抢一", "七搶一"),
            ("seven_pairs", "八对半", "嚦咕嚦咕"),
        ] {
            let line = Line::ALL.into_iter().find(|line| line.rule().code == code).expect(code);
            assert_eq!(line.rule().name(Lang::Zh), simplified);
            assert_eq!(line.rule().name(Lang::ZhHant), traditional);
        }
    }

    #[test]
    fn sets_give_back_their_lines_in_order() {
        let lines = [Line::SelfDraw, Line::Dragon, Line::ThirteenOrphans];
        let set: LineSet = lines.into_iter().rev().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), lines);
        let all: LineSet = Line::ALL.into_iter().collect();
        assert_eq!(all.iter().count(), Line::COUNT);
    }
}
