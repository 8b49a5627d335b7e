//! A series as text in columns: its tables, its standings and its records.

use std::fmt::Write as _;

use tilesight_core::explain::Lang;
use tilesight_core::printable::escaped;
use tilesight_core::series::{
    RoundView, SeatView, SeriesState, SeriesSummary, SeriesView, StandingView,
};

use unicode_width::UnicodeWidthStr;

use crate::cli::output::columns::{pad, pad_left, widest};
use crate::texts::series_sheet as words;

/// Width of a column of numbers.
const WIDTH: usize = 8;
/// Width of the column of places.
const PLACE_WIDTH: usize = 5;

/// Returns a line about a series.
pub(super) fn summary(one: &SeriesSummary, lang: Lang) -> String {
    let state = state(one.state, lang);
    let players = words::players(lang, one.players);
    let rounds = rounds(one.rounds, one.planned, lang);
    let title = escaped(&one.title);
    format!("{}  {}  {state}  {players}  {rounds}  {title}\n", one.id, one.ruleset)
}

fn state(state: SeriesState, lang: Lang) -> &'static str {
    match state {
        SeriesState::Running => words::running(lang),
        SeriesState::Finished => words::finished(lang),
    }
}

fn rounds(seated: usize, planned: u32, lang: Lang) -> String {
    if planned == 0 {
        return words::round(lang, seated);
    }
    words::round_of(lang, seated, planned)
}

/// Returns the whole series: the tables of the last round, the standings and the records.
pub(super) fn table(view: &SeriesView, lang: Lang) -> String {
    let id = view.id.as_deref().unwrap_or_default();
    let rounds = rounds(view.rounds.len(), view.planned, lang);
    let state = state(view.state, lang);
    let title = escaped(&view.title);
    let mut out = String::new();
    // Writing to a string never fails.
    let _ = writeln!(out, "{id}  {}  {state}  {rounds}  {title}", view.ruleset);
    if let Some(round) = view.rounds.last() {
        write_round(&mut out, view, round, lang);
    }
    write_standings(&mut out, view, lang);
    write_records(&mut out, view, lang);
    out
}

fn write_round(out: &mut String, view: &SeriesView, round: &RoundView, lang: Lang) {
    let list = lang.labels().list;
    let _ = writeln!(out, "\n{}", words::met_before(lang, round.number, round.repeated));
    for table in &round.tables {
        let seats: Vec<String> = table.seats.iter().map(|one| seat(one, lang)).collect();
        let head = words::table(lang, format!("{:>2}", table.number));
        let game = table.game.as_ref().map(|game| format!("  {}", words::game(lang, game)));
        let _ = writeln!(out, "{head}  {}{}", seats.join(list), game.unwrap_or_default());
    }
    if !round.resting.is_empty() {
        let names: Vec<String> = round
            .resting
            .iter()
            .map(|player| escaped(&view.players[player.index()].name).into_owned())
            .collect();
        let _ = writeln!(out, "{}", words::rest(lang, names.join(list)));
    }
}

/// Returns the name on a seat with its points.
fn seat(seat: &SeatView, lang: Lang) -> String {
    let name = escaped(&seat.name).into_owned();
    let shown = if seat.is_guest { words::guest(lang, name) } else { name };
    let points = seat.points.map(|points| format!(" {points:+}"));
    shown + &points.unwrap_or_default()
}

fn write_standings(out: &mut String, view: &SeriesView, lang: Lang) {
    let names: Vec<String> =
        view.standings.iter().map(|one| escaped(&one.name).into_owned()).collect();
    let player = words::player_head(lang);
    let width = widest(names.iter()).max(player.width());
    let heads = [
        words::rounds_head(lang),
        words::table_head(lang),
        words::points_head(lang),
        words::result_head(lang),
    ];
    let numbers_head = heads.map(|head| pad_left(head, WIDTH)).concat();
    let place = pad_left(words::place_head(lang), PLACE_WIDTH);
    let _ = writeln!(out, "\n{}", words::standings(lang, view.after));
    let _ = writeln!(out, "{place}  {}{numbers_head}", pad(player, width));
    for (one, name) in view.standings.iter().zip(&names) {
        let numbers = numbers(one).map(|number| pad_left(&number, WIDTH)).concat();
        let place = one.place;
        let _ = writeln!(out, "{place:>PLACE_WIDTH$}  {}{numbers}", pad(name, width));
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
fn write_records(out: &mut String, view: &SeriesView, lang: Lang) {
    let known: Vec<_> = view.records.iter().filter(|record| record.deals > 0).collect();
    if known.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", words::records(lang));
    for record in known {
        let name = escaped(&view.players[record.player.index()].name);
        let counts =
            words::record(lang, name, record.won, record.deals, record.self_drawn, record.fed);
        let average = record.average_hand.map(|mean| words::average(lang, mean));
        let largest = record.largest.as_ref().map(|best| {
            let hand = best.hand.as_deref().unwrap_or_default();
            format!("{} {hand}", words::largest(lang, best.total)).trim_end().to_owned()
        });
        let parts: Vec<String> = [Some(counts), average, largest].into_iter().flatten().collect();
        let _ = writeln!(out, "{}", parts.join(lang.labels().list));
    }
}
