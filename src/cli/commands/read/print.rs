//! A table of readings as text.
//!
//! Output: the tiles as they lie, the score or the hand, and the doubts with their answers. Hands
//! of others are printed the same way, but their scores are below the winner's.

use std::io::{self, Write};
use std::path::PathBuf;

use tilesight_core::contract::FocusDto;
use tilesight_core::explain::{Lang, Message as _};
use tilesight_core::hand::HandSetup;
use tilesight_core::notation::Notation;
use tilesight_core::printable::{escaped, path_text};
use tilesight_core::rules::Score;
use tilesight_vision::pixels::faces::name;
use tilesight_vision::{Doubt, DoubtKind, Reading, Repair, Role, Status, TableReading};

use super::{Args, PhotoNames};
use crate::cli::output::table::{HandSheet, Others};
use crate::texts::read as words;

/// Prints the winner's hand with its score and doubts, then the photos of the others with theirs.
pub(super) fn print(
    out: &mut impl Write,
    args: &Args,
    table: &TableReading,
    files: &PhotoNames,
    paths: &[PathBuf],
) -> io::Result<()> {
    let winner = &table.winner;
    print_seen(out, winner, &title(table, files, winner), args.lang)?;
    print_photos(out, winner, paths, args.lang)?;
    if winner.status == Status::NoHand && winner.in_region.is_some() {
        writeln!(
            out,
            "  {}",
            tilesight_vision::contract::no_hand_problem(winner).detail.text(args.lang)
        )?;
    }
    if let Some(score) = table.winners_score() {
        let setup = winner.scored_hand();
        let range = winner.possible_totals();
        let questions = deciding_questions(winner, args.lang);
        let sheet = HandSheet {
            range: range.as_ref(),
            questions: &questions,
            ..sheet(args, winner, &setup, score)
        };
        write!(out, "\n{sheet}")?;
    } else if winner.status != Status::NoHand {
        writeln!(out, "  {}", Notation::from_hand(winner.hand.clone()))?;
    }
    if let Some(score) = &table.score {
        write!(out, "{}", Others { scores: &score.others, lang: args.lang })?;
    }
    print_doubts(out, winner, args.lang)?;
    for reading in &table.others {
        writeln!(out)?;
        print_seen(out, reading, &title(table, files, reading), args.lang)?;
        print_doubts(out, reading, args.lang)?;
    }
    if table.is_alone() { print_others_in_view(out, winner, args.lang) } else { Ok(()) }
}

/// Returns the name of a photo, with the seat of its hand if there are hands of others.
fn title(table: &TableReading, files: &PhotoNames, reading: &Reading) -> String {
    let seat = reading.context.seat;
    let file = files.get(&seat).map_or("", String::as_str);
    if table.is_alone() { file.to_owned() } else { format!("{file} ({seat})") }
}

fn print_doubts(out: &mut impl Write, reading: &Reading, lang: Lang) -> io::Result<()> {
    let ends = reading.totals_by_answer();
    for (doubt, ends) in reading.doubts.iter().zip(&ends) {
        print_doubt(out, reading, doubt, ends, lang)?;
    }
    print_repairs(out, reading, lang)
}

/// Prints the changes that would make the hand a winning one.
fn print_repairs(out: &mut impl Write, reading: &Reading, lang: Lang) -> io::Result<()> {
    let repairs = reading.repairs();
    if repairs.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", words::would_win(lang))?;
    for Repair { change, tile, p, total, range, .. } in &repairs {
        let ends = range.as_ref().map(|range| (range.min, range.max));
        let what = change.text(lang);
        let change = tile.map(|tile| words::at_tiles(lang, &what, tile + 1)).unwrap_or(what);
        let colon = lang.labels().colon;
        let total = format_total(reading, *total, ends, lang);
        writeln!(out, "    {change}{colon}{total}  ({:.0} %)", p * 100.0)?;
    }
    Ok(())
}

/// Formats a total with its unit, and with the range of possible totals if there are several.
fn format_total(reading: &Reading, total: u32, ends: Option<(u32, u32)>, lang: Lang) -> String {
    let (_, unit) = reading.ruleset.rules().minimum();
    let counted = lang.labels().total(total, unit);
    match ends.filter(|(min, max)| min < max) {
        Some((min, max)) => words::range(lang, counted, min, max),
        None => counted,
    }
}

/// Prints the hands in view that were not read, and the flags with which to read them.
fn print_others_in_view(out: &mut impl Write, reading: &Reading, lang: Lang) -> io::Result<()> {
    for other in reading.hands_in_view.iter().skip(1) {
        let hand = Notation::from_hand(other.hand.clone());
        let focus = FocusDto::from(other.focus);
        writeln!(out, "{}", words::another(lang, hand, focus))?;
    }
    Ok(())
}

/// Prints the status of the reading with its confidence, and the tiles as they lie.
fn print_seen(out: &mut impl Write, reading: &Reading, title: &str, lang: Lang) -> io::Result<()> {
    let status = match reading.status {
        Status::Ok => words::read(lang),
        Status::NeedsReview => words::doubtful(lang),
        Status::NoHand => words::no_hand(lang),
    };
    let sure = format!("{:.0}", reading.probability * 100.0);
    writeln!(out, "{}", words::head(lang, escaped(title), status, sure))?;
    for group in groups(reading) {
        writeln!(out, "  {group}")?;
    }
    let ignored = reading.tiles.iter().filter(|tile| tile.role == Role::Ignored).count();
    if ignored > 0 {
        writeln!(out, "  {}", words::ignored(lang, ignored))?;
    }
    Ok(())
}

/// Prints which tiles were named from which of several photos, and which photos were left out.
fn print_photos(
    out: &mut impl Write,
    reading: &Reading,
    paths: &[PathBuf],
    lang: Lang,
) -> io::Result<()> {
    for (place, (photo, path)) in reading.photos.iter().zip(paths).enumerate() {
        let file = path_text(path);
        if let Some(why) = photo.left_out {
            writeln!(out, "  {}", words::left_out(lang, file, why.text(lang)))?;
            continue;
        }
        let tiles = reading.tiles.iter().filter(|tile| tile.role != Role::Ignored);
        let named = tiles.filter(|tile| tile.source_photo() == Some(place));
        let names: Vec<String> = named.map(|tile| name(tile.face)).collect();
        let named = if names.is_empty() { words::none(lang).to_owned() } else { names.join(" ") };
        let shown = words::tiles(lang, photo.tiles);
        let line = if photo.is_base {
            words::base_shows(lang, file, shown, named)
        } else {
            words::shows(lang, file, shown, named)
        };
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// Returns the score of a reading for printing, without the totals that are possible.
fn sheet<'a>(
    args: &Args,
    reading: &'a Reading,
    setup: &'a HandSetup,
    score: &'a Score,
) -> HandSheet<'a> {
    HandSheet {
        setup,
        context: &reading.context,
        assumed: &reading.assumed,
        score,
        range: None,
        questions: &[],
        lang: args.lang,
        explain: args.explain,
        won: reading.won,
    }
}

/// Returns the questions about the tiles whose answers leave different totals.
fn deciding_questions(reading: &Reading, lang: Lang) -> Vec<String> {
    let ends = reading.totals_by_answer();
    let doubts = reading.doubts.iter().zip(&ends);
    let decisive = doubts.filter(|(doubt, ends)| {
        let is_field = doubt.kind == DoubtKind::WinningTile || doubt.field.is_some();
        !is_field && ends.windows(2).any(|pair| pair[0] != pair[1])
    });
    decisive.map(|(doubt, _)| doubt.question.text(lang)).collect()
}

/// Returns one line for each group: its tiles as they lie, with asterisks around the winning tile
/// and an underscore after sideways tiles.
fn groups(reading: &Reading) -> Vec<String> {
    let count = reading.tiles.iter().filter_map(|tile| tile.group).max().map_or(0, |last| last + 1);
    (0..count)
        .map(|group| {
            let tiles = reading.tiles.iter().filter(|tile| tile.group == Some(group));
            let names = tiles.map(|tile| {
                let name = name(tile.face);
                let turned = if tile.sideways { "_" } else { "" };
                match tile.role {
                    Role::Winning => format!("*{name}{turned}*"),
                    Role::Ignored => format!("({name}{turned})"),
                    _ => format!("{name}{turned}"),
                }
            });
            names.collect::<Vec<_>>().join(" ")
        })
        .collect()
}

fn print_doubt(
    out: &mut impl Write,
    reading: &Reading,
    doubt: &Doubt,
    ends: &[Option<(u32, u32)>],
    lang: Lang,
) -> io::Result<()> {
    let places: Vec<String> = doubt.tiles.iter().map(|tile| (tile + 1).to_string()).collect();
    let whole = doubt.tiles.len() + 2 >= reading.tiles.iter().filter(|t| t.group.is_some()).count();
    let mut question = doubt.question.text(lang);
    if !whole {
        question = words::at_tiles(lang, question, places.join(lang.labels().list));
    }
    if !doubt.affects_score {
        question = words::irrelevant(lang, question);
    }
    writeln!(out, "? {question}")?;
    for (answer, ends) in doubt.alternatives.iter().zip(ends) {
        let total = match answer.total {
            Some(total) => format_total(reading, total, *ends, lang),
            None => words::no_win(lang).to_owned(),
        };
        let payments = answer.payments.iter().flat_map(|payments| payments.iter());
        let paid: String = payments.map(|(seat, points)| format!("  {seat} {points:+}")).collect();
        writeln!(out, "    {:<10} {:>3.0} %  {total}{paid}", answer.answer, answer.p * 100.0)?;
    }
    Ok(())
}
