//! `tilesight read WINNER --other SEAT=...`: a whole table, its hands photographed or typed.
//!
//! Input: the photo of the hand that won, and for each `--other` a photo or a hand in the notation. Output: what one
//! photo is answered with, and beside it the hands of the others and who pays whom. Invariant: a text that can be
//! read as a hand is one, whatever files there are; everything else is the name of a photo.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Args, Exit, load, print_doubt, print_seen, refuse, sheet, write_overlay};
use crate::cli::context::named;
use crate::cli::table::Others;
use crate::cli::terminal;
use crate::contract::{
    AnswerDto, Asked, AskedPhoto, ContextDto, HandInput, OtherForm, OtherSent, Problem,
};
use crate::notation::Notation;
use crate::pipeline::{ReadError, Reader, Reading, Status, TableReading};
use crate::rules::RulesetId;
use crate::tile::Wind;

/// Reads `S=` and a photo or a hand.
pub(super) fn other(text: &str) -> Result<OtherSent<PathBuf>, String> {
    let (seat, hand) = text.split_once('=').ok_or("expected a seat, `=` and a photo or a hand")?;
    let seat = named::<Wind>(seat.trim()).map_err(|error| error.to_string())?;
    let (place, hand) = (format!("--other {seat}"), hand.trim());
    let hand = match hand.parse::<Notation>() {
        Ok(_) => OtherForm::Typed(HandInput::Notation(hand.to_owned())),
        Err(error) if !Path::new(hand).exists() => {
            return Err(format!("`{hand}` is no file, and no hand either: {error}"));
        }
        Err(_) => OtherForm::Photo(PathBuf::from(hand)),
    };
    Ok(OtherSent { seat, hand, place: place.clone(), place_of_seat: place })
}

/// Reads the photos of a table and prints the answer.
pub(super) fn answer(
    args: &Args,
    reader: &Reader,
    context: &ContextDto,
    winner: &Path,
) -> anyhow::Result<Exit> {
    let ruleset = context.ruleset.unwrap_or_default();
    let others = args.others.clone();
    let Asked { photos, told } = match Asked::of(winner.to_owned(), others, context.setup, ruleset)
    {
        Ok(asked) => asked.looking_at(args.focus),
        Err(problem) => return refuse(args, None, &problem),
    };
    let (mut readings, mut files) = (Vec::new(), BTreeMap::new());
    for photo in &photos {
        let reading = match read(args, reader, photo, ruleset)? {
            Ok(reading) => reading,
            Err(exit) => return Ok(exit),
        };
        files.insert(reading.context.seat, photo.photo.as_path());
        readings.push((reading.context.seat, reading));
    }
    let (_, won) = readings.remove(0);
    let table = TableReading::settle(ruleset, won, readings, told);
    let mut out = terminal::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&json_of(args, reader, &table, &files))?)?;
    } else {
        print(&mut out, args, &table, &files)?;
    }
    // Last, so that a picture that can't be written does not cost the reading.
    if let Some(file) = &args.overlay {
        out.flush()?;
        write_overlay(reader, &std::fs::read(winner)?, (&table.winner, args.lang), file)?;
    }
    Ok(Exit::Done)
}

/// One photo and its reading; or how the command ends, once it was said what is wrong.
fn read(
    args: &Args,
    reader: &Reader,
    asked: &AskedPhoto<PathBuf>,
    ruleset: RulesetId,
) -> anyhow::Result<Result<Reading, Exit>> {
    let AskedPhoto { photo: path, context, .. } = asked;
    let Some(bytes) = load(args, path)? else { return Ok(Err(Exit::BadInput)) };
    match reader.read(&bytes, context, asked.options(ruleset)) {
        Ok(reading) if reading.status == Status::NoHand => {
            refuse(args, Some(path), &Problem::no_hand(&reading))?;
            Ok(Err(Exit::NoResult))
        }
        Ok(reading) => Ok(Ok(reading)),
        Err(ReadError::Model(error)) => Err(error.into()),
        Err(error) => refuse(args, Some(path), &Problem::from(&error)).map(Err),
    }
}

/// The photos by their seats.
type Files<'a> = BTreeMap<Wind, &'a Path>;

fn json_of(args: &Args, reader: &Reader, table: &TableReading, files: &Files<'_>) -> AnswerDto {
    let (manifest, winner) = (reader.model().manifest(), &table.winner);
    let mut answer = AnswerDto::of_table(table, manifest, &winner.timings, args.lang);
    let file = |seat: Wind| files.get(&seat).map(|path| path.display().to_string());
    answer.file = file(winner.context.seat);
    for other in &mut answer.others {
        other.file = file(other.seat);
    }
    answer
}

/// The winner's hand with the score of the table, then the photos of the others with their doubts.
fn print(
    out: &mut impl Write,
    args: &Args,
    table: &TableReading,
    files: &Files<'_>,
) -> io::Result<()> {
    let winner = &table.winner;
    print_seen(out, winner, &title(files, winner))?;
    match &table.score {
        Some(score) => {
            let others = Others { scores: &score.others, lang: args.lang };
            let setup = winner.scored_hand();
            write!(out, "\n{}{others}", sheet(args, winner, &setup, &score.winner))?;
        }
        None => writeln!(out, "  {}", Notation::of(winner.hand.clone()))?,
    }
    for doubt in &winner.doubts {
        print_doubt(out, winner, doubt, args.lang)?;
    }
    for (_, reading) in &table.others {
        writeln!(out)?;
        print_seen(out, reading, &title(files, reading))?;
        for doubt in &reading.doubts {
            print_doubt(out, reading, doubt, args.lang)?;
        }
    }
    Ok(())
}

/// A photo and whose hand it shows.
fn title(files: &Files<'_>, reading: &Reading) -> String {
    let seat = reading.context.seat;
    let file = files.get(&seat).map(|path| path.display().to_string());
    format!("{} ({seat})", file.unwrap_or_default())
}
