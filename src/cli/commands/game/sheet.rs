//! The score sheet as text in columns, whose widths depend on the names.

use std::fmt::Write as _;

use tilesight_core::evening::{Deal, Game, GameError, PLAYERS, State, describe};
use tilesight_core::printable::escaped;
use tilesight_core::tile::Wind;
use tilesight_jobs::evenings::StoredEvening;
use unicode_width::UnicodeWidthStr;

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

/// Returns the whole sheet: the next deal, each entry with its points, and the totals.
pub(super) fn table(found: &StoredEvening) -> Result<String, GameError> {
    let game = &found.document.journal;
    let sheet = game.sheet()?;
    let names = &names(game);
    let has_streak = game.ruleset().rules().law().dealer.is_some();
    let rows: Vec<_> = sheet.rows.iter().map(|row| (row, describe(row, names))).collect();
    let said_width = widest(rows.iter().map(|(_, said)| said));
    let columns: Vec<usize> = names.iter().map(|name| name.width().max(MIN_WIDTH)).collect();
    let mut out = summary(found)?;
    // Writing to a string never fails.
    let _ = writeln!(out, "{}", next(sheet.next.as_ref(), names, has_streak));
    let heads = cells(names, &columns);
    let _ = writeln!(out, "entry deal     {}  {heads}", " ".repeat(said_width));
    for (row, said) in &rows {
        let deal = row.deal.map(|deal| format!("{:>3} {}", deal.number, deal.round.tile()));
        let points = cells(&row.payments.map(format_signed), &columns);
        let deal = deal.unwrap_or_default();
        let said = pad(said, said_width);
        let _ = writeln!(out, "{:>5} {deal:<5}    {said}  {points}", row.entry.0);
    }
    let _ = writeln!(
        out,
        "{:>5}          {}  {}",
        "",
        pad("total", said_width),
        cells(&sheet.totals.map(format_signed), &columns)
    );
    let places = sheet.standings.iter().map(|one| {
        let earned = one.table_points.map(|points| format!(" ({})", format_short(points.as_f64())));
        format!("{}. {}{}", one.place, names[one.player.index()], earned.unwrap_or_default())
    });
    let _ = writeln!(out, "{}", places.collect::<Vec<_>>().join("  "));
    Ok(out)
}

/// Returns the cells of the players side by side.
fn cells(cells: &[String; PLAYERS], widths: &[usize]) -> String {
    let padded = cells.iter().zip(widths).map(|(cell, width)| pad_left(cell, *width));
    padded.collect::<Vec<_>>().join("  ")
}

/// Returns the names of the players escaped for printing: a stored file may hold any characters.
fn names(game: &Game) -> [String; PLAYERS] {
    game.players().each_ref().map(|name| escaped(name).into_owned())
}

fn next(deal: Option<&Deal>, names: &[String; 4], has_streak: bool) -> String {
    let Some(deal) = deal else { return "no deal is left".to_owned() };
    let seats = Wind::ALL
        .map(|seat| format!("{} {}", seat.tile(), names[deal.player_at(seat).index()]))
        .join(", ");
    let stayed = if has_streak && deal.repeats > 0 {
        format!(", stayed on: {}", deal.repeats)
    } else {
        String::new()
    };
    format!("next: deal {}, round {}; {seats}{stayed}", deal.number, deal.round.tile())
}

fn format_signed(points: i32) -> String {
    if points == 0 { "0".to_owned() } else { format!("{points:+}") }
}

/// Formats a number with at most two decimals.
fn format_short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
