//! The hands of the players who did not win, printed below the winner's.
//!
//! Input: scores by seat. Output: for each hand its lines, its worth, and how that came about.
//! Invariant: nothing is printed if only the winner's hand counts.

use std::fmt;

use tilesight_core::explain::Lang;
use tilesight_core::rules::Score;
use tilesight_core::tile::Wind;
use unicode_width::UnicodeWidthStr;

use super::{fill, pad, plain, reading};

/// Scores of the players who did not win.
#[derive(Debug)]
pub(crate) struct Others<'a> {
    /// Scores, each with its seat.
    pub(crate) scores: &'a [(Wind, Score)],
    /// Language of the text.
    pub(crate) lang: Lang,
}

impl fmt::Display for Others<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.scores.iter().try_for_each(|(seat, score)| self.write_hand(out, *seat, score))
    }
}

impl Others<'_> {
    fn write_hand(&self, out: &mut fmt::Formatter<'_>, seat: Wind, score: &Score) -> fmt::Result {
        let labels = self.lang.labels();
        let melds = score.sets.iter().filter(|set| !set.concealed).count();
        let head = fill(labels.other, labels.winds[seat as usize]);
        writeln!(out, "\n{head}  {}", reading(&score.sets, melds))?;
        let names = score.awards.iter().map(|award| award.name(self.lang).width());
        let width = names.chain([labels.total.width()]).max().unwrap_or(0);
        for award in &score.awards {
            let worth = labels.worth(award.worth.times(award.count));
            let sets: Vec<String> = award.sets.iter().map(|sets| plain(sets)).collect();
            let row = format!(
                "{:>4}  {}  {worth:>7}  {}",
                award.rule.paragraph.to_string(),
                pad(&award.name(self.lang), width),
                sets.join(", "),
            );
            writeln!(out, "{}", row.trim_end())?;
        }
        let total = pad(labels.total, width);
        let row = format!("      {total}  {:>7}  {}", score.total, labels.verdict(score));
        writeln!(out, "{}", row.trim_end())
    }
}
