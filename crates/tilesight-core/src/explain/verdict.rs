//! The words beside the figures of a score: the calculation of the total, and whether the win is
//! legal.
//!
//! Input: a [`Score`] of any game and the [`Labels`] of a language. Output: words for any unit:
//! points, doublings or limits. The printed table and the picture use the same words.

use std::fmt::Display;

use crate::rules::riichi::Figures;
use crate::rules::{FaanCount, Halves, Score, TaiCount, Unit, Worth};

use super::Labels;
use crate::plural::choose_form;

impl Labels {
    /// Returns the worth of a line for a column of figures: `8`, `2 dbl.`, `½ limit`.
    #[must_use]
    pub fn worth(&self, worth: Worth) -> String {
        match worth {
            Worth::Points(points) => points.to_string(),
            Worth::Doublings(halves) => fill(self.doublings_short, "count", format_halves(halves)),
            Worth::Limits(halves) => self.format_count(self.limits_short, halves),
            Worth::Faan(faan) => self.format_faan(faan),
            Worth::Tai(tai) => fill(self.tai, "count", tai),
            Worth::FaanLimit(_) => self.format_count(self.limits_short, Halves::whole(1)),
            Worth::Han(han) => fill(self.han_short, "count", han),
        }
    }

    /// Returns a number of faan: `3 faan`.
    fn format_faan(&self, faan: u32) -> String {
        fill(self.faan, "count", faan)
    }

    /// Returns a number with its noun in the singular or the plural.
    fn format_count(&self, [one, more]: [&'static str; 2], count: Halves) -> String {
        let singular = Halves(1) <= count && count <= self.singular_up_to;
        fill(if singular { one } else { more }, "count", format_halves(count))
    }

    /// Returns a total with its unit, by the unit of the minimum: `5 tai`, `24 points`.
    #[must_use]
    pub fn total(&self, total: u32, unit: Unit) -> String {
        match unit {
            Unit::Points | Unit::Doublings | Unit::Yaku => {
                self.format_count(self.points_phrase, Halves::whole(total))
            }
            Unit::Faan | Unit::Tai => self.minimum_in(unit, total),
        }
    }

    /// Returns the head of the column of lines: "fans" in rules that only add up points.
    #[must_use]
    pub const fn line_head(&self, score: &Score) -> &'static str {
        match score {
            Score { riichi: Some(_), .. } => self.yaku,
            Score { doubling: None, .. } if matches!(score.minimum.unit, Unit::Points) => self.fan,
            _ => self.line,
        }
    }

    /// Returns the text beside the total: its calculation and the minimum. It can be empty. Flowers
    /// never count towards a minimum.
    #[must_use]
    pub fn verdict(&self, score: &Score) -> String {
        let mut words = Vec::new();
        words.extend(self.came_about(score));
        let in_reach = score.doubling.and_then(|doubling| doubling.limit_in_reach());
        words.extend(in_reach.map(|limit| fill(self.limit_is_near, "limit", limit)));
        let minimum = score.minimum;
        if let Some(figures) = score.riichi.as_ref().filter(|_| score.is_legal()) {
            return self.figures(figures);
        }
        let has_flowers_apart = score.doubling.is_none() && score.tai().is_none();
        if has_flowers_apart && score.riichi.is_none() && minimum.reached != score.total {
            words.push(fill(self.without_flowers, "total", minimum.reached));
        }
        let needed = self.minimum_in(minimum.unit, minimum.needed);
        match (minimum.needed, minimum.missing()) {
            (0, _) => {}
            (_, 0) => words.push(fill(self.minimum_met, "minimum", needed)),
            (_, short) => {
                let [one, more] = self.missing;
                let form = choose_form(short, one, more);
                let missing = fill(form, "amount", self.minimum_in(minimum.unit, short));
                let below = fill(self.minimum_missed, "minimum", needed);
                words.push(fill(below, "missing", missing));
            }
        }
        words.join(self.clauses)
    }

    /// Returns a minimum, or the amount missing to it, in its unit.
    pub(super) fn minimum_in(&self, unit: Unit, count: u32) -> String {
        match unit {
            Unit::Points => fill(self.minimum_points, "count", count),
            Unit::Doublings => fill(self.doublings_short, "count", count),
            Unit::Faan => self.format_faan(count),
            Unit::Tai => fill(self.tai, "count", count),
            Unit::Yaku => fill(self.minimum_yaku, "count", count),
        }
    }

    /// Returns the han, the fu and the limit of a hand of riichi: `4 han 30 fu`.
    fn figures(&self, figures: &Figures) -> String {
        let [.., yakuman] = self.riichi_limits;
        let mut words = match figures.yakuman {
            0 => vec![self.han_and_fu(figures.han, figures.fu.unwrap_or(0))],
            1 => vec![yakuman.to_owned()],
            count => vec![fill(self.several_yakuman, "count", count)],
        };
        if figures.counted_yakuman {
            words.push(self.counted_yakuman.to_owned());
        } else if figures.yakuman == 0 {
            words.extend(figures.limit.map(|limit| self.riichi_limits[limit as usize].to_owned()));
        }
        words.extend((figures.sticks > 0).then(|| fill(self.sticks, "points", figures.sticks)));
        words.join(self.clauses)
    }

    /// Returns han and fu: `4 han 30 fu`.
    #[must_use]
    pub fn han_and_fu(&self, han: impl Display, fu: impl Display) -> String {
        fill(fill(self.han_and_fu, "han", han), "fu", fu)
    }

    /// Returns the points and doublings of a total: `24 points, 1½ doublings`.
    fn came_about(&self, score: &Score) -> Option<String> {
        if let Some(count) = score.faan() {
            return Some(self.faan_phrase(count));
        }
        if let Some(count) = score.tai() {
            return Some(self.tai_phrase(count));
        }
        let doubling = score.doubling?;
        if doubling.limits > Halves(0) {
            return Some(self.format_count(self.limits_short, doubling.limits));
        }
        let mut words = vec![
            self.format_count(self.points_phrase, Halves::whole(doubling.points)),
            self.format_count(self.doublings_phrase, doubling.doublings),
        ];
        words.extend(doubling.capped.then(|| self.capped.to_owned()));
        Some(words.join(self.list))
    }

    /// Returns the faan of a total: `16 faan, capped`, or that the hand is worth the limit.
    fn faan_phrase(&self, count: FaanCount) -> String {
        if count.is_limit_hand {
            return self.format_count(self.limits_short, Halves::whole(1));
        }
        let mut words = vec![self.format_faan(count.raw)];
        words.extend((count.raw > count.faan).then(|| self.capped.to_owned()));
        words.join(self.list)
    }
}

impl Labels {
    /// Returns the tai of a hand and those of the dealer: `5 tai, capped; dealer 3 tai`.
    fn tai_phrase(&self, count: TaiCount) -> String {
        let mut words = vec![fill(self.tai, "count", count.raw)];
        words.extend((count.raw > count.tai).then(|| self.capped.to_owned()));
        words.extend((count.dealer > 0).then(|| fill(self.dealer_tai, "count", count.dealer)));
        words.join(self.list)
    }
}

/// Returns a number of halves in a form that needs no decimal point: `1½`.
fn format_halves(halves: Halves) -> String {
    match (halves.0 / 2, halves.0 % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    }
}

/// Puts a number or a name where a label names its place: `{count}`. Each language has it where its
/// sentence needs it.
#[must_use]
pub fn fill(label: impl AsRef<str>, place: &str, value: impl Display) -> String {
    let label = label.as_ref();
    let place = format!("{{{place}}}");
    debug_assert!(label.contains(&place), "{label:?} has no {place}");
    label.replacen(&place, &value.to_string(), 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Lang;
    use crate::notation::Notation;
    use crate::rules::Book;

    fn verdict(ruleset: &str, text: &str, lang: Lang) -> String {
        let notation: Notation = text.parse().expect(text);
        let (context, _) = notation.context.resolve().expect(text);
        let hand = notation.hand.into_hand().expect(text);
        let book = Book::shipped();
        let profile = book.get(ruleset.parse().expect(ruleset)).expect("shipped");
        lang.labels().verdict(&profile.score(&hand, &context).expect(text))
    }

    #[test]
    fn totals_are_given_in_their_own_unit() {
        for (ruleset, text, lang, expected) in [
            (
                "mcr-wmo",
                "123m456m789m234p5p5p|SE1000|2",
                Lang::En,
                "23 without flowers; the minimum of 8 is met",
            ),
            (
                "mmm",
                "[CCC,2]222p999s456m7m7m|ES1000",
                Lang::En,
                "24 points, 1½ doublings; the minimum of 1 dbl. is met",
            ),
            (
                "mmm",
                "[CCC,2]222p999s456m7m7m|ES1000",
                Lang::Da,
                "24 point, 1½ fordobling; minimum på 1 ford. er nået",
            ),
            (
                "mmm",
                "[345p,1]123m678s234sCC|EW0000",
                Lang::De,
                "2 Punkte, 0 Verdopplungen; kein gültiger Gewinn: das Minimum ist 1 Verd., es fehlt 1 Verd.",
            ),
            (
                "mmm",
                "112233m778899m9m9m|NE1000",
                Lang::Sv,
                "10 poäng, 13 dubblingar, tak nått; minimum 1 dubbl. är uppnått",
            ),
            (
                "classical-dmjl",
                "[CCC,2][FFF,1][EEE,3]234p4s4s|SE1000",
                Lang::En,
                "38 points, 3 doublings; one more doubling would reach the limit of 500",
            ),
            ("classical-dmjl", "[CCC,2][FFF,1][NNN,1][SSSS,1]PP|NE1000", Lang::De, "1 Limit"),
            ("mmm", "1112345678999m5m|EW0000", Lang::Zh, "12 点、18 倍、封顶；已达起和 1 倍"),
            (
                "hk-old",
                "[CCC,2]FFFPPP123s5s5s|ES1000|1",
                Lang::En,
                "12 faan; the minimum of 3 faan is met",
            ),
            (
                "hk-npm",
                "[CCC,2]FFFPPP123s5s5s|ES1000|1",
                Lang::De,
                "1 Limit; das Minimum von 3 Faan ist erreicht",
            ),
            (
                "hk-old",
                "123m456p789s234s5p5p|EW0000|1",
                Lang::Zh,
                "2 番；不能和牌：起和 3 番，还差 1 番",
            ),
            (
                "hk-old",
                "123m456p789s234s5p5p|EW0000|1",
                Lang::ZhHant,
                "2 番；不能胡牌：門檻為 3 番，還差 1 番",
            ),
            ("riichi-tenhou", "234m456p678s345s5p5p|SE1000", Lang::ZhHant, "2 翻 30 符"),
            (
                "hk-old",
                "123m456p789s234s5p5p|EW0000|1",
                Lang::Ja,
                "2番；和了できません：3番縛りに1番足りません",
            ),
        ] {
            assert_eq!(verdict(ruleset, text, lang), expected);
        }
    }

    /// A language may have the second number first.
    #[test]
    fn numbers_stand_where_a_label_names_them() {
        let turned = Labels { han_and_fu: "{fu}符{han}翻", ..*Lang::Ja.labels() };
        assert_eq!(turned.han_and_fu(4, 30), "30符4翻");
        assert_eq!(Lang::Ja.labels().han_and_fu(4, 30), "4翻30符");
    }

    #[test]
    fn a_worth_is_given_in_its_unit() {
        let english = Lang::En.labels();
        assert_eq!(english.worth(Worth::Points(8)), "8");
        assert_eq!(english.worth(Worth::Doublings(Halves(1))), "½ dbl.");
        assert_eq!(english.worth(Worth::Limits(Halves(2))), "1 limit");
        assert_eq!(english.worth(Worth::Limits(Halves(4))), "2 limits");
    }

    /// Danish and Swedish treat one and a half as singular.
    #[test]
    fn one_is_one_in_every_language() {
        let expected = [
            ["0 doublings", "½ doubling", "1 doubling", "1½ doublings", "2 doublings"],
            [
                "0 Verdopplungen",
                "½ Verdopplung",
                "1 Verdopplung",
                "1½ Verdopplungen",
                "2 Verdopplungen",
            ],
            ["0 fordoblinger", "½ fordobling", "1 fordobling", "1½ fordobling", "2 fordoblinger"],
            ["0 dubblingar", "½ dubbling", "1 dubbling", "1½ dubbling", "2 dubblingar"],
            ["0 倍", "½ 倍", "1 倍", "1½ 倍", "2 倍"],
            ["0 番", "½ 番", "1 番", "1½ 番", "2 番"],
            ["0翻", "½翻", "1翻", "1½翻", "2翻"],
        ];
        assert_eq!(expected.len(), Lang::COUNT);
        for (lang, expected) in Lang::ALL.into_iter().zip(expected) {
            let labels = lang.labels();
            let text =
                [0, 1, 2, 3, 4].map(|n| labels.format_count(labels.doublings_phrase, Halves(n)));
            assert_eq!(text, expected, "{lang}");
        }
    }
}
