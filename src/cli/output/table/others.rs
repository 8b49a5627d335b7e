//! The hands of the players who did not win, printed below the winner's.
//!
//! Input: scores by seat. Output: for each hand its lines, its worth, and how that came about.
//! Invariant: nothing is printed if only the winner's hand counts.

use std::fmt;

use tilesight_core::explain::Lang;
use tilesight_core::rules::Score;
use tilesight_core::tile::Wind;

use super::{fill, plain, reading};
use crate::cli::output::columns::{pad, pad_left, widest};

/// Minimum width of the number of a line, in cells.
const NUMBER_WIDTH: usize = 4;
/// Minimum width of the worth of a line, in cells.
const WORTH_WIDTH: usize = 7;

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
        let head = fill(labels.other, "seat", labels.winds[seat as usize]);
        writeln!(out, "\n{head}  {}", reading(&score.sets, melds))?;
        let mut rows: Vec<[String; 4]> = score
            .awards
            .iter()
            .map(|award| {
                let sets: Vec<String> = award.sets.iter().map(|sets| plain(sets)).collect();
                let worth = labels.worth(award.worth.times(award.count));
                let number = award.rule.paragraph.to_string();
                [number, award.name(self.lang), worth, sets.join(", ")]
            })
            .collect();
        let total = score.total.to_string();
        rows.push([String::new(), labels.total.to_owned(), total, labels.verdict(score)]);
        let [numbers, names, worths] =
            [0, 1, 2].map(|column: usize| widest(rows.iter().map(|row| &row[column])));
        let numbers = numbers.max(NUMBER_WIDTH);
        let worths = worths.max(WORTH_WIDTH);
        rows.iter().try_for_each(|[number, name, worth, sets]| {
            let number = pad_left(number, numbers);
            let row =
                format!("{number}  {}  {}  {sets}", pad(name, names), pad_left(worth, worths));
            writeln!(out, "{}", row.trim_end())
        })
    }
}
