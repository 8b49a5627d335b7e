//! The score sheet as text in columns, whose widths depend on the names.

use std::fmt::Write as _;

use tilesight_core::evening::{Deal, Game, GameEnd, GameError, Points, Rank, Sheet, State};
use tilesight_core::explain::Lang;
use tilesight_core::printable::escaped;
use tilesight_core::rules::Law;
use tilesight_core::tile::Wind;
use tilesight_jobs::evenings::StoredEvening;
use unicode_width::UnicodeWidthStr;

use super::describe::describe;
use crate::cli::output::columns::{pad, pad_left, widest};
use crate::texts::sheet as words;

/// Minimum width of a player's column: a sign, five digits, and room.
const MIN_WIDTH: usize = 8;
/// Widths of the columns of counters and sticks.
const HONBA_WIDTH: usize = 5;
const STICKS_WIDTH: usize = 6;

/// Width of the columns of entries and deals.
const ENTRY_WIDTH: usize = 5;
const DEAL_WIDTH: usize = 9;

/// Text that names points, such as "uma +15".
type NamePoints = fn(Lang, String) -> String;

/// Returns a line about a game.
pub(super) fn summary(found: &StoredEvening, lang: Lang) -> Result<String, GameError> {
    let game = &found.document.journal;
    let sheet = game.sheet()?;
    let state = match sheet.state {
        State::Running => sheet.next.map(|deal| words::deal(lang, deal.number)).unwrap_or_default(),
        State::Complete => words::complete(lang).to_owned(),
        State::Finished => words::finished(lang).to_owned(),
    };
    let names = names(game).join(lang.labels().list);
    let title = escaped(game.title());
    Ok(format!("{}  {}  {state}  {names}  {title}\n", found.id, game.ruleset().id()))
}

/// Returns the whole sheet: the next deal, each entry with its points, and the standings.
pub(super) fn table(found: &StoredEvening, lang: Lang) -> Result<String, GameError> {
    let game = &found.document.journal;
    let sheet = game.sheet()?;
    let printed = Printed { names: names(game), law: game.ruleset().rules().law(), lang };
    let names = &printed.names;
    let rows: Vec<_> = sheet.rows.iter().map(|row| (row, describe(row, names, lang))).collect();
    let total = words::total(lang);
    let said_width = widest(rows.iter().map(|(_, said)| said)).max(total.width());
    let columns: Vec<usize> = names.iter().map(|name| name.width().max(MIN_WIDTH)).collect();
    let mut out = summary(found, lang)?;
    // Writing to a string never fails.
    let _ = writeln!(out, "{}", printed.next(&sheet));
    let heads = cells(names, &columns);
    let entry = pad_left(words::entry_head(lang), ENTRY_WIDTH);
    let deal = pad(words::deal_head(lang), DEAL_WIDTH);
    let said = " ".repeat(said_width);
    let _ = writeln!(out, "{entry} {deal}{}{said}  {heads}", printed.table_head());
    for (row, said) in &rows {
        let deal = row.deal.map(|deal| format!("{:>3} {}", deal.number, deal.round.tile()));
        let on_table = printed.on_table(row.deal.as_ref());
        let points = cells(&printed.signed(&row.payments), &columns);
        let deal = pad(&deal.unwrap_or_default(), DEAL_WIDTH);
        let said = pad(said, said_width);
        let entry = row.entry.0;
        let _ = writeln!(out, "{entry:>ENTRY_WIDTH$} {deal}{on_table}{said}  {points}");
    }
    let before = " ".repeat(ENTRY_WIDTH + 1 + DEAL_WIDTH);
    let on_table = printed.on_table(None);
    let totals = cells(&printed.totals(&sheet.totals), &columns);
    let _ = writeln!(out, "{before}{on_table}{}  {totals}", pad(total, said_width));
    out.push_str(&printed.places(&sheet));
    Ok(out)
}

/// A sheet as it is printed: the names, the law of its game, and the language.
struct Printed {
    names: Vec<String>,
    law: Law,
    lang: Lang,
}

impl Printed {
    /// Returns the heads of the columns of what lay on the table, in riichi.
    fn table_head(&self) -> String {
        if self.law.riichi.is_none() {
            return String::new();
        }
        let honba = pad_left(words::honba_head(self.lang), HONBA_WIDTH);
        let sticks = pad_left(words::sticks_head(self.lang), STICKS_WIDTH);
        format!("{honba} {sticks}  ")
    }

    /// Returns the counters and sticks that lay on the table, in riichi.
    fn on_table(&self, deal: Option<&Deal>) -> String {
        match (self.law.riichi, deal) {
            (Some(_), Some(deal)) => {
                format!("{:>HONBA_WIDTH$} {:>STICKS_WIDTH$}  ", deal.honba, deal.sticks)
            }
            (Some(_), None) => " ".repeat(HONBA_WIDTH + STICKS_WIDTH + 3),
            (None, _) => String::new(),
        }
    }

    fn signed(&self, points: &Points) -> Vec<String> {
        points.iter().take(self.names.len()).copied().map(format_signed).collect()
    }

    /// Returns the totals; in riichi with the points of the start.
    fn totals(&self, totals: &Points) -> Vec<String> {
        let Some(riichi) = self.law.riichi else { return self.signed(totals) };
        let points = totals.iter().take(self.names.len());
        points.map(|total| (riichi.start + total).to_string()).collect()
    }

    /// Returns the standings: one line, or in riichi one for each player with what counts in the
    /// end.
    fn places(&self, sheet: &Sheet) -> String {
        let places = sheet.standings.iter().map(|one| self.place(one));
        if self.law.riichi.is_some() {
            return places.map(|place| place + "\n").collect();
        }
        places.collect::<Vec<_>>().join("  ") + "\n"
    }

    fn place(&self, one: &Rank) -> String {
        let name = &self.names[one.player.index()];
        let earned = one.table_points.map(|points| format!(" ({})", format_short(points.as_f64())));
        let place = format!("{}. {name}{}", one.place, earned.unwrap_or_default());
        let (Some(riichi), Some(bonus), Some(result)) = (self.law.riichi, one.bonus, one.result())
        else {
            return place;
        };
        let lang = self.lang;
        let counted: [(NamePoints, i32); 5] = [
            (words::to_next, one.to_next),
            (words::uma, bonus.uma),
            (words::oka, bonus.oka),
            (words::sticks, bonus.sticks),
            (words::penalty, -bonus.penalty),
        ];
        let listed = counted.into_iter().filter(|(_, points)| *points != 0);
        let first = (riichi.start + one.total).to_string();
        let parts: Vec<String> = std::iter::once(first)
            .chain(listed.map(|(say, points)| say(lang, format_signed(points))))
            .chain([words::result(lang, format_signed(result))])
            .collect();
        format!("{place}{}{}", lang.labels().colon, parts.join(lang.labels().list))
    }

    fn next(&self, sheet: &Sheet) -> String {
        let lang = self.lang;
        let Some(deal) = &sheet.next else {
            return describe_end(sheet.end, lang).to_owned();
        };
        let seats: Vec<String> = deal
            .players()
            .zip(Wind::ALL)
            .map(|(player, seat)| format!("{} {}", seat.tile(), self.names[player.index()]))
            .collect();
        let listed = seats.join(lang.labels().list);
        let next = words::next(lang, deal.number, deal.round.tile(), listed);
        if self.law.dealer.is_some() && deal.repeats > 0 {
            return words::stayed(lang, next, deal.repeats);
        }
        next
    }
}

/// Returns that a game is over, and why, if it did not end with its last deal.
fn describe_end(end: Option<GameEnd>, lang: Lang) -> &'static str {
    match end {
        Some(GameEnd::Bankruptcy) => words::bankruptcy(lang),
        Some(GameEnd::DealerFirst) => words::dealer_first(lang),
        Some(GameEnd::Target) => words::target(lang),
        Some(GameEnd::LastDeal | GameEnd::Finished) | None => words::over(lang),
    }
}

/// Returns the cells of the players side by side.
fn cells(cells: &[String], widths: &[usize]) -> String {
    let padded = cells.iter().zip(widths).map(|(cell, width)| pad_left(cell, *width));
    padded.collect::<Vec<_>>().join("  ")
}

/// Returns the names of the players escaped for printing: a stored file may hold any characters.
fn names(game: &Game) -> Vec<String> {
    game.players().iter().map(|name| escaped(name).into_owned()).collect()
}

fn format_signed(points: i32) -> String {
    if points == 0 { "0".to_owned() } else { format!("{points:+}") }
}

/// Formats a number with at most two decimals.
fn format_short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
