//! Why another reading of the same tiles was not taken.
//!
//! Input: a [`Score`] and one of its rivals. Output: by how much the rival is worth less, the lines that
//! it goes without and those that it has in their place. Every game is told alike, because every line
//! says what it is worth. Invariant: the lines are exactly those in which the two differ.

use crate::rules::{LineCount, RunnerUp, Score};

use super::{Lang, fill};

impl Lang {
    /// Why a rival of the chosen reading was not taken: `12 less: without All Pungs 6, but with ...`.
    #[must_use]
    pub fn why_not(self, score: &Score, rival: &RunnerUp) -> String {
        let labels = self.labels();
        let told = match score.total.saturating_sub(rival.total) {
            0 => labels.worth_the_same.to_owned(),
            less => fill(labels.worth_less, less),
        };
        let parts = [
            (labels.without, rival.lacks(&score.awards)),
            (labels.instead, rival.has_beyond(&score.awards)),
        ];
        let parts = parts.into_iter().filter(|(_, lines)| !lines.is_empty());
        let parts: Vec<String> =
            parts.map(|(label, lines)| fill(label, self.lines(&lines))).collect();
        if parts.is_empty() { told } else { format!("{told}: {}", parts.join("; ")) }
    }

    /// Lines by their names, each with what it is worth as often as it counts.
    fn lines(self, lines: &[LineCount]) -> String {
        let told = lines.iter().map(|line| {
            let worth = self.labels().worth(line.worth.times(line.count));
            format!("{} {worth}", line.rule.name(self))
        });
        told.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::rules::{RulesetId, score};

    fn told(ruleset: &str, text: &str, lang: Lang) -> Vec<String> {
        let notation: Notation = text.parse().expect(text);
        let (context, _) = notation.context.resolve().expect(text);
        let hand = notation.hand.into_hand().expect(text);
        let ruleset: RulesetId = ruleset.parse().expect(ruleset);
        let score = score(ruleset, &hand, &context).expect(text);
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
        ] {
            let told = told(ruleset, text, lang);
            assert_eq!(told.first().map(String::as_str), Some(expected), "{ruleset} {text}");
        }
    }
}
