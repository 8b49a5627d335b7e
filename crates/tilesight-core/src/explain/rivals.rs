//! Explanations of why another decomposition of the same tiles was not chosen, and of changes that
//! would have made a hand legal.
//!
//! Input: a [`Score`] and one of its rivals, or a change within its reach. Output: by how much the
//! rival is worth less, the lines that it does not have, and the lines that it has in their place.
//! Every game is treated alike, because every line carries its worth. Invariant: the lines are
//! exactly those in which the two differ.

use crate::rules::{LineCount, Reach, RunnerUp, Score};

use super::{Lang, fill};

impl Lang {
    /// Explains why a runner-up was not chosen: `12 less: without All Pungs 6, but with ...`.
    #[must_use]
    pub fn why_not(self, score: &Score, rival: &RunnerUp) -> String {
        let labels = self.labels();
        let difference = match score.total.saturating_sub(rival.total) {
            0 => labels.worth_the_same.to_owned(),
            less => fill(labels.worth_less, "points", less),
        };
        let parts = [
            (labels.without, rival.lacks(&score.awards)),
            (labels.instead, rival.has_beyond(&score.awards)),
        ];
        let reasons: Vec<String> = parts
            .into_iter()
            .filter(|(_, lines)| !lines.is_empty())
            .map(|(label, lines)| fill(label, "lines", self.lines(&lines)))
            .collect();
        if reasons.is_empty() {
            difference
        } else {
            [difference, reasons.join(labels.clauses)].join(labels.colon)
        }
    }

    /// Explains which change would have made the hand legal:
    /// `a self-draw would have been enough: Fully concealed hand 1 dbl.`
    #[must_use]
    pub fn enough(self, reach: &Reach) -> String {
        let labels = self.labels();
        let change = fill(labels.enough, "change", labels.changes[reach.change as usize]);
        [change, self.lines(&reach.lines)].join(labels.colon)
    }

    /// Returns the names of the lines, each with its total worth.
    fn lines(self, lines: &[LineCount]) -> String {
        let texts = lines.iter().map(|line| {
            let worth = self.labels().worth(line.worth.times(line.count));
            format!("{} {worth}", line.rule.name(self))
        });
        texts.collect::<Vec<_>>().join(self.labels().list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::rules::{Book, RulesetId};

    fn texts_of(ruleset: &str, text: &str, lang: Lang) -> Vec<String> {
        let notation: Notation = text.parse().expect(text);
        let (context, _) = notation.context.resolve().expect(text);
        let hand = notation.hand.into_hand().expect(text);
        let book = Book::shipped();
        let profile = book.get(ruleset.parse().expect(ruleset)).expect("shipped");
        let score = profile.score(&hand, &context).expect(text);
        score.runners_up.iter().map(|rival| lang.why_not(&score, rival)).collect()
    }

    #[test]
    fn rivals_of_every_game_say_what_they_go_without() {
        let pungs_or_chows = "[CCC,1]111222333m4p4p|SE0000";
        for (ruleset, text, lang, expected) in [
            (
                "mmm",
                pungs_or_chows,
                Lang::En,
                "330 less: without Concealed pung 8, Concealed pung of officers 6, \
                 Only pungs 2 dbl., Three concealed pungs 2 dbl.",
            ),
            (
                "classical-dmjl",
                pungs_or_chows,
                Lang::Da,
                "296 mindre: uden Skjult pung 8, Skjult pung af endebrikker 8, \
                 Tre skjulte punger 1 ford., Ingen chow 1 ford.",
            ),
            (
                "mcr-wmo",
                "111222333m99p44s4s|EE1000",
                Lang::De,
                "65 weniger: ohne Vier verdeckte Drillinge 64, Reine drei aufsteigende Drillinge 24, \
                 Hauptziegel 1; dafür mit Dreifache Folgen 24",
            ),
            (
                "mmm",
                "11123444m456p78s9s|SE1000",
                Lang::Sv,
                "lika mycket värd: utan Dold pung i officerare 6; men med Dold pung 4",
            ),
            (
                "mcr-wmo",
                "111222333m99p44s4s|EE1000",
                Lang::Ja,
                "合計が65低い：四暗刻 64、一色三節高 24、幺九刻 1がない；代わりに一色三同順 24がある",
            ),
        ] {
            let texts = texts_of(ruleset, text, lang);
            assert_eq!(texts.first().map(String::as_str), Some(expected), "{ruleset} {text}");
        }
    }

    #[test]
    fn a_fan_within_reach_is_a_sentence() {
        let book = Book::shipped();
        let text = "[999p,1]123m678s234sCC|EW0000";
        let notation: Notation = text.parse().expect(text);
        let (context, _) = notation.context.resolve().expect(text);
        let hand = notation.hand.into_hand().expect(text);
        let score = book.get(RulesetId::MMM).expect("shipped").score(&hand, &context).expect(text);
        for (lang, beginning) in [
            (Lang::En, "a concealed hand and a self-draw would have been enough: Concealed"),
            (Lang::De, "eine verdeckte Hand mit eigenem Zug hätte gereicht: "),
        ] {
            let sentences: Vec<_> =
                score.within_reach.iter().map(|reach| lang.enough(reach)).collect();
            assert_eq!(sentences.len(), 1, "{sentences:?}");
            assert!(sentences[0].starts_with(beginning), "{sentences:?}");
        }
    }
}
