//! The lines of riichi: yaku, yakuman and dora, each with its han in a closed and in an open hand.
//!
//! Invariant: the variants are in the order of the rules: yaku, then yakuman, then dora. The codes
//! are the romaji names that score sheets of riichi programs use.

use crate::rules::{FormedBy, Paragraph, Rule, Worth};
use crate::texts;

macro_rules! lines {
    ($($(#[$doc:meta])* $name:ident = ($section:literal, $closed:literal, $open:literal, $formed:ident, $code:literal),)*) => {
        /// A line of riichi.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Line {
            $($(#[$doc])* $name,)*
        }

        impl Line {
            /// All lines, in the order of the rules.
            pub const ALL: &'static [Line; Line::COUNT] = &[$(Line::$name,)*];
        }

        /// Han in a closed hand, by position.
        const CLOSED: [u8; Line::COUNT] = [$($closed,)*];

        /// Han in an open hand, by position; 0 for a line of closed hands alone.
        const OPEN: [u8; Line::COUNT] = [$($open,)*];

        /// Rule of each line, by position.
        static RULES: [Rule; Line::COUNT] = [$(Rule {
            code: $code,
            paragraph: Paragraph::Section($section),
            worth: Worth::Han($closed),
            formed_by: FormedBy::$formed,
            texts: texts::riichi::find_line($code),
        },)*];
    };
}

lines! {
    /// Riichi was declared.
    Riichi = ("2.1", 1, 0, WinContext, "riichi"),
    /// Riichi was declared on the first discard.
    DoubleRiichi = ("2.2", 2, 0, WinContext, "double_riichi"),
    /// Won within one go-around after riichi.
    Ippatsu = ("2.3", 1, 0, WinContext, "ippatsu"),
    /// A closed hand, self-drawn.
    MenzenTsumo = ("2.4", 1, 0, WinContext, "menzen_tsumo"),
    /// Four chows, a worthless pair and an open wait.
    Pinfu = ("2.5", 1, 0, Tiles, "pinfu"),
    /// Neither terminals nor honors.
    Tanyao = ("2.6", 1, 1, Tiles, "tanyao"),
    /// Two equal chows.
    Iipeikou = ("2.7", 1, 0, Tiles, "iipeikou"),
    /// A pung or kong of white dragons.
    WhiteDragon = ("2.8", 1, 1, Tiles, "white_dragon"),
    /// A pung or kong of green dragons.
    GreenDragon = ("2.9", 1, 1, Tiles, "green_dragon"),
    /// A pung or kong of red dragons.
    RedDragon = ("2.10", 1, 1, Tiles, "red_dragon"),
    /// A pung or kong of the seat wind.
    SeatWind = ("2.11", 1, 1, Tiles, "seat_wind"),
    /// A pung or kong of the prevalent wind.
    PrevalentWind = ("2.12", 1, 1, Tiles, "prevalent_wind"),
    /// Self-drawn with the last tile of the wall.
    Haitei = ("2.13", 1, 1, WinContext, "haitei"),
    /// Won on the discard after the last tile of the wall.
    Houtei = ("2.14", 1, 1, WinContext, "houtei"),
    /// Won on the replacement tile of a kong.
    Rinshan = ("2.15", 1, 1, WinContext, "rinshan"),
    /// Won on the tile that another player adds to a pung.
    Chankan = ("2.16", 1, 1, WinContext, "chankan"),
    /// Three chows of the same numbers, one in each suit.
    SanshokuDoujun = ("2.17", 2, 1, Tiles, "sanshoku_doujun"),
    /// 123, 456 and 789 of a suit.
    Ittsu = ("2.18", 2, 1, Tiles, "ittsu"),
    /// A terminal or honor in every set and the pair.
    Chanta = ("2.19", 2, 1, Tiles, "chanta"),
    /// Seven different pairs.
    Chiitoitsu = ("2.20", 2, 0, Tiles, "chiitoitsu"),
    /// Four pungs or kongs.
    Toitoi = ("2.21", 2, 2, Tiles, "toitoi"),
    /// Three concealed pungs or kongs.
    Sanankou = ("2.22", 2, 2, Tiles, "sanankou"),
    /// Three pungs of the same number, one in each suit.
    SanshokuDoukou = ("2.23", 2, 2, Tiles, "sanshoku_doukou"),
    /// Three kongs.
    Sankantsu = ("2.24", 2, 2, Tiles, "sankantsu"),
    /// Only terminals and honors.
    Honroutou = ("2.25", 2, 2, Tiles, "honroutou"),
    /// Two pungs of dragons and a pair of the third.
    Shousangen = ("2.26", 2, 2, Tiles, "shousangen"),
    /// A terminal in every set and the pair.
    Junchan = ("2.27", 3, 2, Tiles, "junchan"),
    /// Tiles of a single suit, and honors.
    Honitsu = ("2.28", 3, 2, Tiles, "honitsu"),
    /// Two pairs of equal chows.
    Ryanpeikou = ("2.29", 3, 0, Tiles, "ryanpeikou"),
    /// Tiles of a single suit.
    Chinitsu = ("2.30", 6, 5, Tiles, "chinitsu"),
    /// Thirteen orphans.
    Kokushi = ("3.1", 13, 0, Tiles, "kokushi"),
    /// Thirteen orphans on a wait for all thirteen.
    Kokushi13 = ("3.2", 13, 0, Tiles, "kokushi_13"),
    /// Four concealed pungs or kongs.
    Suuankou = ("3.3", 13, 0, Tiles, "suuankou"),
    /// Four concealed pungs or kongs, the pair completed last.
    SuuankouTanki = ("3.4", 13, 0, Tiles, "suuankou_tanki"),
    /// Pungs or kongs of all dragons.
    Daisangen = ("3.5", 13, 13, Tiles, "daisangen"),
    /// Pungs or kongs of three winds and a pair of the fourth.
    Shousuushii = ("3.6", 13, 13, Tiles, "shousuushii"),
    /// Pungs or kongs of all winds.
    Daisuushii = ("3.7", 13, 13, Tiles, "daisuushii"),
    /// Only honors.
    Tsuuiisou = ("3.8", 13, 13, Tiles, "tsuuiisou"),
    /// Only terminals.
    Chinroutou = ("3.9", 13, 13, Tiles, "chinroutou"),
    /// Only green tiles.
    Ryuuiisou = ("3.10", 13, 13, Tiles, "ryuuiisou"),
    /// 1112345678999 of a suit and one more.
    Chuuren = ("3.11", 13, 0, Tiles, "chuuren"),
    /// 1112345678999 of a suit before the winning tile.
    JunseiChuuren = ("3.12", 13, 0, Tiles, "junsei_chuuren"),
    /// Four kongs.
    Suukantsu = ("3.13", 13, 13, Tiles, "suukantsu"),
    /// East's win with the tiles that were dealt.
    Tenhou = ("3.14", 13, 0, WinContext, "tenhou"),
    /// A win of another player on the first draw.
    Chiihou = ("3.15", 13, 0, WinContext, "chiihou"),
    /// Tiles that a face-up indicator names.
    Dora = ("4.1", 1, 1, Tiles, "dora"),
    /// Tiles that an indicator under these names.
    UraDora = ("4.2", 1, 1, Tiles, "ura_dora"),
    /// Red fives.
    RedDora = ("4.3", 1, 1, Tiles, "red_dora"),
    /// Norths that were set aside.
    NorthDora = ("4.4", 1, 1, WinContext, "north_dora"),
}

/// Yakuman that are worth two where double yakuman are played.
const DOUBLE: LineSet = LineSet::NONE
    .with(Line::Kokushi13)
    .with(Line::SuuankouTanki)
    .with(Line::JunseiChuuren)
    .with(Line::Daisuushii);

impl Line {
    /// Number of lines.
    pub const COUNT: usize = texts::riichi::LINES;

    /// Returns the rule of the line.
    #[must_use]
    pub const fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }

    /// Returns the line of a rule; `None` for a line of another game.
    #[must_use]
    pub fn from_rule(rule: &Rule) -> Option<Line> {
        Line::ALL.iter().copied().find(|line| line.rule() == rule)
    }

    /// Returns the han in a closed or an open hand; 0 if an open hand can't have the line.
    pub(super) const fn han(self, closed: bool) -> u32 {
        (if closed { CLOSED } else { OPEN })[self as usize] as u32
    }

    pub(super) const fn is_yakuman(self) -> bool {
        CLOSED[self as usize] == 13
    }

    /// Returns the number of yakuman that the line is worth.
    pub(super) const fn yakuman(self, double: bool) -> u32 {
        if double && DOUBLE.contains(self) { 2 } else { 1 }
    }
}

/// A set of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineSet(u64);

impl LineSet {
    pub(super) const NONE: LineSet = LineSet(0);

    pub(super) const fn with(self, line: Line) -> LineSet {
        LineSet(self.0 | 1 << line as u8)
    }

    pub(super) const fn add_if(&mut self, line: Line, condition: bool) {
        self.0 |= (condition as u64) << line as u8;
    }

    pub(super) const fn contains(self, line: Line) -> bool {
        self.0 >> line as u8 & 1 == 1
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the lines of the set, in the order of the rules.
    pub(super) fn iter(self) -> impl Iterator<Item = Line> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let at = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(Line::ALL[at])
        })
    }

    /// Returns the sum of the han of the lines.
    pub(super) fn han(self, closed: bool) -> u32 {
        self.iter().map(|line| line.han(closed)).sum()
    }

    /// Returns the number of yakuman that the lines are worth: all of them together, or the one
    /// that is worth most.
    pub(super) fn yakuman(self, double: bool, stacked: bool) -> u32 {
        let worths = self.iter().map(|line| line.yakuman(double));
        if stacked { worths.sum() } else { worths.max().unwrap_or(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn lines_are_ordered_by_paragraph() {
        assert!(Line::ALL.is_sorted_by_key(|line| line.rule().section()));
        for (at, &line) in Line::ALL.iter().enumerate() {
            assert_eq!(line as usize, at);
            assert_eq!(Line::from_rule(line.rule()), Some(line));
            assert_eq!(line.is_yakuman(), line.rule().section()[0] == 3, "{line:?}");
        }
    }

    #[test]
    fn an_open_hand_is_worth_as_much_or_less() {
        for &line in Line::ALL {
            let (closed, open) = (line.han(true), line.han(false));
            assert!(open == 0 || open == closed || open + 1 == closed, "{line:?}");
        }
    }

    /// Compares the characters of some lines, so a text at the wrong line fails. Traditional
    /// Chinese has its own; all other languages have the kanji.
    #[test]
    fn every_language_has_the_characters_of_the_name() {
        for (line, kanji, traditional) in [
            (Line::Pinfu, "平和", "平和"),
            (Line::Tanyao, "断么九", "斷么九"),
            (Line::SanshokuDoujun, "三色同順", "三色同順"),
            (Line::Chiitoitsu, "七対子", "七對子"),
            (Line::Junchan, "純全帯么九", "純全帶么九"),
            (Line::Kokushi, "国士無双", "國士無雙"),
            (Line::Daisangen, "大三元", "大三元"),
            (Line::Chiihou, "地和", "地和"),
            (Line::UraDora, "裏ドラ", "裏寶牌"),
        ] {
            for lang in Lang::ALL {
                let name = line.rule().name(lang);
                let characters = if lang == Lang::ZhHant { traditional } else { kanji };
                assert!(name.contains(characters), "{lang} {line:?}: {name}");
            }
        }
    }

    #[test]
    fn a_set_of_lines_counts_its_han() {
        let set = LineSet::NONE.with(Line::Pinfu).with(Line::Ittsu).with(Line::Dora);
        assert_eq!((set.han(true), set.len()), (4, 3));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Line::Pinfu, Line::Ittsu, Line::Dora]);
        let two = LineSet::NONE.with(Line::Daisuushii).with(Line::Tsuuiisou);
        assert_eq!(two.yakuman(true, true), 3);
        assert_eq!(two.yakuman(false, true), 2);
        assert_eq!(two.yakuman(false, false), 1);
    }
}
