//! The score sheet as text in columns, whose widths depend on the names.

use std::fmt::Write as _;

use tilesight_core::evening::{Deal, Game, GameEnd, GameError, Points, Rank, Sheet, State};
use tilesight_core::printable::escaped;
use tilesight_core::rules::Law;
use tilesight_core::tile::Wind;
use tilesight_jobs::evenings::StoredEvening;
use unicode_width::UnicodeWidthStr;

use super::describe::describe;
use crate::cli::output::columns::{pad, pad_left, widest};

/// Minimum width of a player's column: a sign, five digits, and room.
const MIN_WIDTH: usize = 8;

/// Returns a line about a game.
pub(super) fn summary(found: &StoredEvening) -> Result<String, GameError> {
    let game = &found.document.journal;
    let sheet = game.sheet()?;
    let state = match sheet.state {
        State::Running => {
            sheet.next.map(|deal| format!("deal {}", deal.number)).unwrap_or_default()
        }
        State::Complete => "complete".to_owned(),
        State::Finished => "finished".to_owned(),
    };
    let names = names(game).join(", ");
    let title = escaped(game.title());
    Ok(format!("{}  {}  {state}  {names}  {title}\n", found.id, game.ruleset().id()))
}

/// Returns the whole sheet: the next deal, each entry with its points, and the standings.
pub(super) fn table(found: &StoredEvening) -> Result<String, GameError> {
    let game = &found.document.journal;
    let sheet = game.sheet()?;
    let printed = Printed { names: names(game), law: game.ruleset().rules().law() };
    let names = &printed.names;
    let rows: Vec<_> = sheet.rows.iter().map(|row| (row, describe(row, names))).collect();
    let said_width = widest(rows.iter().map(|(_, said)| said));
    let columns: Vec<usize> = names.iter().map(|name| name.width().max(MIN_WIDTH)).collect();
    let mut out = summary(found)?;
    // Writing to a string never fails.
    let _ = writeln!(out, "{}", printed.next(&sheet));
    let heads = cells(names, &columns);
    let _ =
        writeln!(out, "entry deal     {}{}  {heads}", printed.table_head(), " ".repeat(said_width));
    for (row, said) in &rows {
        let deal = row.deal.map(|deal| format!("{:>3} {}", deal.number, deal.round.tile()));
        let on_table = printed.on_table(row.deal.as_ref());
        let points = cells(&printed.signed(&row.payments), &columns);
        let deal = deal.unwrap_or_default();
        let said = pad(said, said_width);
        let _ = writeln!(out, "{:>5} {deal:<5}    {on_table}{said}  {points}", row.entry.0);
    }
    let _ = writeln!(
        out,
        "{:>5}          {}{}  {}",
        "",
        printed.on_table(None),
        pad("total", said_width),
        cells(&printed.totals(&sheet.totals), &columns)
    );
    out.push_str(&printed.places(&sheet));
    Ok(out)
}

/// A sheet as it is printed: the names, and the law of its game.
struct Printed {
    names: Vec<String>,
    law: Law,
}

impl Printed {
    /// Returns the heads of the columns of what lay on the table, in riichi.
    const fn table_head(&self) -> &'static str {
        if self.law.riichi.is_some() { "honba sticks  " } else { "" }
    }

    /// Returns the counters and sticks that lay on the table, in riichi.
    fn on_table(&self, deal: Option<&Deal>) -> String {
        match (self.law.riichi, deal) {
            (Some(_), Some(deal)) => format!("{:>5} {:>6}  ", deal.honba, deal.sticks),
            (Some(_), None) => " ".repeat(self.table_head().len()),
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
        let points = riichi.start + one.total;
        let counted = [
            ("to the next", one.to_next),
            ("uma", bonus.uma),
            ("oka", bonus.oka),
            ("sticks", bonus.sticks),
            ("penalty", -bonus.penalty),
        ];
        let listed: String = counted
            .into_iter()
            .filter(|(_, points)| *points != 0)
            .map(|(what, points)| format!(", {what} {}", format_signed(points)))
            .collect();
        format!("{place}: {points}{listed}, result {}", format_signed(result))
    }

    fn next(&self, sheet: &Sheet) -> String {
        let Some(deal) = &sheet.next else {
            return format!("no deal is left{}", sheet.end.map_or("", describe_end));
        };
        let seats: Vec<String> = deal
            .players()
            .zip(Wind::ALL)
            .map(|(player, seat)| format!("{} {}", seat.tile(), self.names[player.index()]))
            .collect();
        let stayed = if self.law.dealer.is_some() && deal.repeats > 0 {
            format!(", stayed on: {}", deal.repeats)
        } else {
            String::new()
        };
        let round = deal.round.tile();
        format!("next: deal {}, round {round}; {}{stayed}", deal.number, seats.join(", "))
    }
}

/// Returns why a game is over, if it did not end with its last deal.
const fn describe_end(end: GameEnd) -> &'static str {
    match end {
        GameEnd::Bankruptcy => ": a player has no points left",
        GameEnd::DealerFirst => ": East is first and stops",
        GameEnd::Target => ": a player has the points of the further round",
        GameEnd::LastDeal | GameEnd::Finished => "",
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
