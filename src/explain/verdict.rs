//! What stands beside the figures of a score: how a total came about, and whether it is a legal win.
//!
//! Input: a [`Score`] of any game and the [`Labels`] of a language. Output: words that fit every unit,
//! points, doublings and limits alike. The printed table and the picture say the same.

use crate::rules::{Halves, Score, Unit, Worth};

use super::Labels;

impl Labels {
    /// What a line is worth, for a column of figures: `8`, `2 dbl.`, `½ limit`.
    #[must_use]
    pub fn worth(&self, worth: Worth) -> String {
        match worth {
            Worth::Points(points) => points.to_string(),
            Worth::Doublings(halves) => fill(self.doublings_short, told(halves)),
            Worth::Limits(halves) => fill(self.limits_short, told(halves)),
        }
    }

    /// The head of the column of lines: fans, where points are only added up.
    #[must_use]
    pub const fn line_head(&self, score: &Score) -> &'static str {
        if score.doubling.is_some() { self.line } else { self.fan }
    }

    /// What stands beside the total: how it came about, and the minimum; empty where there is
    /// nothing to say. Flowers never count towards a minimum.
    #[must_use]
    pub fn verdict(&self, score: &Score, has_flowers: bool) -> String {
        let mut words = Vec::new();
        words.extend(self.came_about(score));
        let minimum = score.minimum;
        if has_flowers && score.doubling.is_none() {
            words.push(fill(self.without_flowers, minimum.reached));
        }
        let in_unit = |count: u32| match minimum.unit {
            Unit::Points => fill(self.minimum_points, count),
            Unit::Doublings => fill(self.doublings_short, count),
        };
        let [below, missing] = self.minimum_missed;
        match (minimum.needed, minimum.missing()) {
            (0, _) => {}
            (needed, 0) => words.push(fill(self.minimum_met, in_unit(needed))),
            (needed, short) => {
                words.push(format!(
                    "{} {}",
                    fill(below, in_unit(needed)),
                    fill(missing, in_unit(short))
                ));
            }
        }
        words.join("; ")
    }

    /// Points and doublings behind a total: `24 points, 1½ doublings`.
    fn came_about(&self, score: &Score) -> Option<String> {
        let doubling = score.doubling?;
        if doubling.limits > Halves(0) {
            return Some(fill(self.limits_short, told(doubling.limits)));
        }
        let mut words = vec![
            fill(self.points_told, doubling.points),
            fill(self.doublings_told, told(doubling.doublings)),
        ];
        words.extend(doubling.capped.then(|| self.capped.to_owned()));
        Some(words.join(", "))
    }
}

/// Halves as people write them, whatever their decimal point: `1½`.
fn told(halves: Halves) -> String {
    match (halves.0 / 2, halves.0 % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    }
}

/// A label with what it carries.
pub(crate) fn fill(label: &str, value: impl std::fmt::Display) -> String {
    label.replacen("{}", &value.to_string(), 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Lang;
    use crate::notation::Notation;
    use crate::rules::{RulesetId, score};

    fn verdict(ruleset: &str, text: &str, lang: Lang) -> String {
        let notation: Notation = text.parse().expect(text);
        let (context, _) = notation.context.resolve().expect(text);
        let flowers = notation.hand.flowers.count() > 0;
        let hand = notation.hand.into_hand().expect(text);
        let ruleset: RulesetId = ruleset.parse().expect(ruleset);
        lang.labels().verdict(&score(ruleset, &hand, &context).expect(text), flowers)
    }

    #[test]
    fn totals_are_told_in_their_own_unit() {
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
                "24 point, 1½ fordoblinger; minimum på 1 ford. er nået",
            ),
            (
                "mmm",
                "[345p,1]123m678s234sCC|EW0000",
                Lang::De,
                "2 Punkte, 0 Verdopplungen; kein gültiger Gewinn: das Minimum ist 1 Verd., es fehlen 1 Verd.",
            ),
            (
                "mmm",
                "112233m778899m9m9m|NE1000",
                Lang::Sv,
                "10 poäng, 13 dubblingar, tak nått; minimum 1 dubbl. är uppnått",
            ),
            ("mmm", "1112345678999m5m|EW0000", Lang::Zh, "12 点, 18 倍, 封顶; 已达起和 1 倍"),
        ] {
            assert_eq!(verdict(ruleset, text, lang), expected);
        }
    }

    #[test]
    fn a_worth_is_told_in_its_unit() {
        let english = Lang::En.labels();
        assert_eq!(english.worth(Worth::Points(8)), "8");
        assert_eq!(english.worth(Worth::Doublings(Halves(1))), "½ dbl.");
        assert_eq!(english.worth(Worth::Limits(Halves(2))), "1 limit");
    }
}
