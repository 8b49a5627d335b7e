//! A score as a text table, in one language.
//!
//! Input: a scored hand. Output: text whose columns line up on a terminal, even with Chinese
//! characters, which are two cells wide. Invariant: the points of the rows add up to the total.

mod others;

use std::fmt;

use tilesight_core::context::{Context, ContextField};
use tilesight_core::explain::{Labels, Lang, fill};
use tilesight_core::hand::HandSetup;
use tilesight_core::notation::{Notation, print_tiles};
use tilesight_core::rules::{
    Award, ExclusionReason, FormedBy, Rule, Score, ScoredSet, TotalRange, Worth,
};

use super::columns::{pad, pad_left, widest};

pub(in crate::cli) use others::Others;
/// Minimum width of the number of a fan, in cells; paragraphs such as `1.2.11` are wider.
const NUMBER_WIDTH: usize = 3;
/// Minimum width of the points of a line, in cells.
const POINTS_WIDTH: usize = 4;

/// Code of the line of red fives.
const RED_DORA: &str = "red_dora";

/// Maximum number of other decompositions to print.
const RUNNERS_UP: usize = 3;

/// A scored hand and how to print it.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) struct HandSheet<'a> {
    /// The hand as it was given.
    pub setup: &'a HandSetup,
    /// Win context.
    pub context: &'a Context,
    /// Fields of the context that got a default.
    pub assumed: &'a [ContextField],
    /// Score of the hand.
    pub score: &'a Score,
    /// Range of possible totals, if a value that changes the total is not given.
    pub range: Option<&'a TotalRange>,
    /// Questions about the tiles that decide between these totals.
    pub questions: &'a [String],
    /// Language of the text.
    pub lang: Lang,
    /// Whether every fan is explained below its row.
    pub explain: bool,
    /// Whether the hand is the one that won: other hands have no win context, and no payments of
    /// their own.
    pub won: bool,
}

impl fmt::Display for HandSheet<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_head(out)?;
        self.write_awards(out)?;
        self.write_excluded(out)?;
        self.write_runners_up(out)?;
        self.write_foot(out)
    }
}

impl HandSheet<'_> {
    fn labels(&self) -> &'static Labels {
        self.lang.labels()
    }

    fn write_head(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = self.labels();
        let melds = self.setup.melds.len();
        let mut rows = vec![
            (labels.hand, Notation::from_hand(self.setup.clone()).to_string()),
            (labels.reading, reading(&self.score.sets, melds)),
            (labels.seat, labels.winds[self.context.seat as usize].to_owned()),
            (labels.prevalent, labels.winds[self.context.prevalent as usize].to_owned()),
            (labels.rules, self.score.ruleset.unwrap_or_default().to_string()),
        ];
        if self.won {
            rows.insert(4, (labels.win, labels.won_by(self.context).join(labels.list)));
        }
        let flowers = self.setup.flowers;
        if flowers.count() > 0 {
            rows.insert(2, (labels.flowers, flowers.count().to_string()));
        }
        write_rows(out, &rows)
    }

    fn write_awards(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = self.labels();
        let rows: Vec<FanRow> =
            self.score.awards.iter().flat_map(|award| self.award_rows(award)).collect();
        let line_head = labels.line_head(self.score);
        let number_width = widest(rows.iter().map(|row| &row.number)).max(NUMBER_WIDTH);
        let names = rows.iter().map(|row| row.name.as_str());
        let name_width = widest(names.chain([line_head, labels.total]));
        let points = rows.iter().map(|row| row.points.as_str());
        let points_width = widest(points.chain([labels.points])).max(POINTS_WIDTH);
        let head = FanRow {
            number: String::new(),
            name: line_head.to_owned(),
            points: labels.points.to_owned(),
            sets: labels.sets.to_owned(),
            explanation: None,
        };
        let widths = (number_width, name_width, points_width);
        writeln!(out)?;
        head.write(out, widths)?;
        for row in &rows {
            row.write(out, widths)?;
        }
        let rule = "─".repeat(name_width + 2 + points_width);
        writeln!(out, "{}  {rule}", " ".repeat(number_width))?;
        let total = FanRow {
            number: String::new(),
            name: labels.total.to_owned(),
            points: self.score.total.to_string(),
            sets: labels.verdict(self.score),
            explanation: None,
        };
        total.write(out, widths)?;
        let indent = " ".repeat(number_width + 2);
        let mut enough = self.score.within_reach.iter().map(|reach| self.lang.enough(reach));
        enough.try_for_each(|sentence| writeln!(out, "{indent}{sentence}"))
    }

    /// Returns one row for each time the fan counts if its sets are listed separately, else one row
    /// for all.
    fn award_rows(&self, award: &Award) -> Vec<FanRow> {
        let rule = award.rule;
        if award.count > 1 && award.sets.len() == award.count as usize {
            let name = rule.name(self.lang);
            let each = award.sets.iter();
            return each
                .map(|sets| self.fan_row(rule, name.to_owned(), award.worth, plain(sets)))
                .collect();
        }
        let sets: Vec<String> = award.sets.iter().map(|sets| plain(sets)).collect();
        let formed = match sets.is_empty() {
            true if rule.formed_by == FormedBy::WinContext => String::new(),
            true => self.labels().whole_hand.to_owned(),
            false => sets.join(", "),
        };
        let worth = award.worth.times(award.count);
        vec![self.fan_row(rule, award.name(self.lang), worth, formed)]
    }

    fn fan_row(&self, rule: &Rule, name: String, worth: Worth, sets: String) -> FanRow {
        FanRow {
            number: rule.paragraph.to_string(),
            name,
            points: self.labels().worth(worth),
            sets,
            explanation: self.explain.then_some(rule.explanation(self.lang)),
        }
    }

    fn write_excluded(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let excluded = &self.score.excluded;
        if excluded.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", self.labels().excluded)?;
        let rows: Vec<[String; 3]> = excluded
            .iter()
            .map(|one| {
                let reason = fill(self.reason(one.reason), "line", one.by.name(self.lang));
                [one.rule.paragraph.to_string(), one.name(self.lang), reason]
            })
            .collect();
        let number_width = widest(rows.iter().map(|[number, ..]| number)).max(NUMBER_WIDTH);
        let name_width = widest(rows.iter().map(|[_, name, _]| name));
        for [number, name, reason] in &rows {
            let number = pad_left(number, number_width);
            writeln!(out, "{number}  {}  {reason}", pad(name, name_width))?;
        }
        Ok(())
    }

    fn reason(&self, reason: ExclusionReason) -> &'static str {
        match reason {
            ExclusionReason::Implied => self.labels().implied,
            ExclusionReason::SameFanTwice => self.labels().same_fan_twice,
            ExclusionReason::AccountOnce => self.labels().account_once,
            ExclusionReason::CountsAlone => self.labels().counts_alone,
            ExclusionReason::KnittedTile => self.labels().knitted_tile,
        }
    }

    fn write_runners_up(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.score.runners_up.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", self.labels().runners_up)?;
        let melds = self.setup.melds.len();
        let others: Vec<_> = self.score.runners_up.iter().take(RUNNERS_UP).collect();
        let totals: Vec<String> = others.iter().map(|other| other.total.to_string()).collect();
        let width = widest(totals.iter()).max(NUMBER_WIDTH);
        let indent = " ".repeat(width);
        for (other, total) in others.into_iter().zip(&totals) {
            writeln!(out, "{}  {}", pad_left(total, width), reading(&other.sets, melds))?;
            writeln!(out, "{indent}  {}", self.lang.why_not(self.score, other))?;
        }
        Ok(())
    }

    fn write_foot(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = self.labels();
        let payments = &self.score.payments;
        let seats = payments
            .iter()
            .map(|(seat, points)| format!("{} {points:+}", labels.winds[seat as usize]));
        let mut rows = Vec::new();
        rows.extend(self.fu_parts().map(|parts| (labels.fu_parts, parts)));
        if let Some(range) = self.range {
            rows.push((labels.possible, labels.range(range, self.questions)));
            let minimum = self.score.minimum;
            let minimum_text = labels.minimum_of_range(range, (minimum.needed, minimum.unit));
            rows.extend(minimum_text.filter(|_| range.legal != Some(true)).map(|text| ("", text)));
        }
        if self.won && self.score.is_legal() {
            rows.push((labels.payments, seats.collect::<Vec<_>>().join("   ")));
        }
        let fields = self.score.assumed(self.assumed);
        let mut assumed: Vec<String> =
            fields.into_iter().map(|field| self.assumption(field)).collect();
        assumed.extend(self.assumed_red_fives());
        if !assumed.is_empty() {
            rows.push((labels.assumed, assumed.join(labels.list)));
        }
        if !rows.is_empty() {
            writeln!(out)?;
        }
        write_rows(out, &rows)
    }

    /// Returns the parts of the fu with the sets that give them: `20 Base + 8 Concealed pung EEE`.
    fn fu_parts(&self) -> Option<String> {
        let figures = self.score.riichi.as_ref()?;
        let parts = figures.fu_parts.iter().map(|part| {
            let name = part.kind.name(self.lang);
            let words = [part.fu.to_string(), name.to_owned(), plain(&part.sets)];
            let trimmed: Vec<&str> = words.iter().map(|word| word.trim()).collect();
            trimmed.join(" ").trim_end().to_owned()
        });
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| parts.join(" + "))
    }

    /// Describes the red fives that nobody named, with the number of their line.
    fn assumed_red_fives(&self) -> Option<String> {
        let reds = self.labels().assumed_red_fives(self.score)?;
        let mut awards = self.score.awards.iter();
        let line = awards.find(|award| award.rule.code == RED_DORA)?;
        Some(format!("{reds} ({})", line.rule.paragraph))
    }

    /// Describes an assumed field with its value and the numbers of the fans that depend on it.
    fn assumption(&self, field: ContextField) -> String {
        let awards = self.score.awards.iter();
        let hanging = awards.filter(|award| award.needs.contains(&field));
        let fans: Vec<String> = hanging.map(|award| award.rule.paragraph.to_string()).collect();
        let value = self.labels().assumed_value(field, self.context, self.score.assumed_feeder);
        if fans.is_empty() { value } else { format!("{value} ({})", fans.join(", ")) }
    }
}

/// A row of the table of fans.
struct FanRow {
    number: String,
    name: String,
    points: String,
    sets: String,
    explanation: Option<&'static str>,
}

impl FanRow {
    fn write(&self, out: &mut fmt::Formatter<'_>, widths: (usize, usize, usize)) -> fmt::Result {
        let (number, name, points) = widths;
        let row = format!(
            "{}  {}  {}  {}",
            pad_left(&self.number, number),
            pad(&self.name, name),
            pad_left(&self.points, points),
            self.sets
        );
        writeln!(out, "{}", row.trim_end())?;
        match self.explanation {
            Some(explanation) => writeln!(out, "{}  {explanation}", " ".repeat(number + 2)),
            None => Ok(()),
        }
    }
}

/// Writes labels and values in two columns.
fn write_rows(out: &mut fmt::Formatter<'_>, rows: &[(&str, String)]) -> fmt::Result {
    let width = widest(rows.iter().map(|(label, _)| label));
    for (label, value) in rows {
        writeln!(out, "{}  {value}", pad(label, width))?;
    }
    Ok(())
}

/// Returns sets side by side.
fn plain(sets: &[ScoredSet]) -> String {
    sets.iter().map(|set| print_tiles(&set.tiles)).collect::<Vec<_>>().join(" ")
}

/// Returns a whole decomposition: melds in brackets, an asterisk after the set that the winning
/// tile completed.
fn reading(sets: &[ScoredSet], melds: usize) -> String {
    let sets = sets.iter().enumerate().map(|(place, set)| {
        let star = if set.winning { "*" } else { "" };
        let tiles = print_tiles(&set.tiles);
        if place < melds { format!("[{tiles}]") } else { format!("{tiles}{star}") }
    });
    sets.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
