//! A series as text in columns: its tables, its standings and its records.

use std::fmt::Write as _;

use tilesight_core::printable::escaped;
use tilesight_core::series::{
    RoundView, SeatView, SeriesState, SeriesSummary, SeriesView, StandingView,
};

use crate::cli::output::columns::{pad, pad_left, widest};

/// Width of a column of numbers.
const WIDTH: usize = 8;

/// Returns a line about a series.
pub(super) fn summary(one: &SeriesSummary) -> String {
    let state = state(one.state);
    let rounds = rounds(one.rounds, one.planned);
    let title = escaped(&one.title);
    format!("{}  {}  {state}  {} players  {rounds}  {title}\n", one.id, one.ruleset, one.players)
}

const fn state(state: SeriesState) -> &'static str {
    match state {
        SeriesState::Running => "running",
        SeriesState::Finished => "finished",
    }
}

fn rounds(seated: usize, planned: u32) -> String {
    if planned == 0 { format!("round {seated}") } else { format!("round {seated} of {planned}") }
}

/// Returns the whole series: the tables of the last round, the standings and the records.
pub(super) fn table(view: &SeriesView) -> String {
    let id = view.id.as_deref().unwrap_or_default();
    let rounds = rounds(view.rounds.len(), view.planned);
    let head = (id, view.ruleset, state(view.state), escaped(&view.title));
    // Writing to a string never fails.
    let mut out = String::new();
    let _ = writeln!(out, "{}  {}  {}  {rounds}  {}", head.0, head.1, head.2, head.3);
    if let Some(round) = view.rounds.last() {
        write_round(&mut out, view, round);
    }
    write_standings(&mut out, view);
    write_records(&mut out, view);
    out
}

fn write_round(out: &mut String, view: &SeriesView, round: &RoundView) {
    let _ = writeln!(out, "\nround {}; pairs that met before: {}", round.number, round.repeated);
    for table in &round.tables {
        let seats: Vec<String> = table.seats.iter().map(seat).collect();
        let game = table.game.as_ref().map_or(String::new(), |game| format!("  game {game}"));
        let _ = writeln!(out, "table {:>2}  {}{game}", table.number, seats.join(", "));
    }
    if !round.resting.is_empty() {
        let names: Vec<String> = round
            .resting
            .iter()
            .map(|player| escaped(&view.players[player.index()].name).into_owned())
            .collect();
        let _ = writeln!(out, "rest: {}", names.join(", "));
    }
}

/// Returns the name on a seat with its points.
fn seat(seat: &SeatView) -> String {
    let name = escaped(&seat.name);
    let guest = if seat.is_guest { " (guest)" } else { "" };
    let points = seat.points.map(|points| format!(" {points:+}"));
    format!("{name}{guest}{}", points.unwrap_or_default())
}

fn write_standings(out: &mut String, view: &SeriesView) {
    let names: Vec<String> =
        view.standings.iter().map(|one| escaped(&one.name).into_owned()).collect();
    let width = widest(names.iter()).max("player".len());
    let heads = ["rounds", "table", "points", "result"].map(|head| pad_left(head, WIDTH));
    let _ = writeln!(out, "\nstandings after round {}", view.after);
    let _ = writeln!(out, "place  {}{}", pad("player", width), heads.concat());
    for (one, name) in view.standings.iter().zip(&names) {
        let numbers = numbers(one).map(|number| pad_left(&number, WIDTH));
        let _ = writeln!(out, "{:>5}  {}{}", one.place, pad(name, width), numbers.concat());
    }
}

fn numbers(one: &StandingView) -> [String; 4] {
    [
        one.played.to_string(),
        one.table_points.as_f64().to_string(),
        one.points.to_string(),
        one.result.to_string(),
    ]
}

/// Writes the records of those whose hands are known.
fn write_records(out: &mut String, view: &SeriesView) {
    let known: Vec<_> = view.records.iter().filter(|record| record.deals > 0).collect();
    if known.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nrecords");
    for record in known {
        let name = escaped(&view.players[record.player.index()].name);
        let largest = record.largest.as_ref().map(|best| {
            let hand = best.hand.as_deref().unwrap_or_default();
            format!(", largest {} {hand}", best.total)
        });
        let average = record.average_hand.map(|mean| format!(", average {mean}"));
        let _ = writeln!(
            out,
            "{name}: {} of {} deals won, {} self-drawn, {} fed{}{}",
            record.won,
            record.deals,
            record.self_drawn,
            record.fed,
            average.unwrap_or_default(),
            largest.unwrap_or_default().trim_end()
        );
    }
}
