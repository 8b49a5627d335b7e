//! `tilesight read`: photos to hands and scores.
//!
//! Input: photos and the circumstances of the win. Output: the hand, the itemised score and the
//! doubts for people; with `--json` one answer a line, in the order of the photos, or
//! `{ "file": ..., "error": problem }` where a photo cannot be used. Invariant: every photo gets
//! exactly one answer; one bad photo does not keep the others from being read.
//! With `--other` one photo is the winner's, and the hands of the others belong to the same answer.

mod table;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::Exit;
use super::complaint::complaint;
use super::context::ContextArgs;
use super::table::Sheet;
use crate::cli::terminal;
use crate::contract::{AnswerDto, ContextDto, FocusDto, OtherSent, Problem};
use crate::explain::{Lang, Message as _};
use crate::hand::HandSetup;
use crate::notation::Notation;
use crate::overlay;
use crate::pipeline::{
    Doubt, ModelPaths, Photo, ReadError, ReadOptions, Reader, Reading, Role, Status, Trace,
};
use crate::printable::escaped;
use crate::rules::Score;

/// What `tilesight read` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Photos: JPEG, PNG or WebP
    #[arg(required = true, value_name = "PHOTO")]
    photos: Vec<PathBuf>,
    /// Print one answer a line as JSON
    #[arg(long)]
    json: bool,
    /// Draw the reading onto the photo and write it as a PNG
    #[arg(long, value_name = "FILE.png")]
    overlay: Option<PathBuf>,
    /// Print what one stage found, as JSON, and stop there
    #[arg(long, value_enum, conflicts_with_all = ["json", "overlay"])]
    stage: Option<Stage>,
    /// Where several hands are in view: a point in the one to read, in pixels of the upright photo, such as
    /// `412,300`; `hands_in_view` of the answer has them
    #[arg(long, value_name = "X,Y")]
    focus: Option<FocusDto>,
    /// The hand of a player who did not win, with its seat, as a photo or typed: `S=south.jpg`,
    /// `W=[CCC,1]11m99p`; up to three, for rules that score every player
    #[arg(long = "other", value_name = "SEAT=HAND", value_parser = table::other, conflicts_with = "stage")]
    others: Vec<OtherSent<PathBuf>>,
    /// Language of names and explanations: en, de, da, sv or zh
    #[arg(long, default_value = "en")]
    lang: Lang,
    /// Explain every fan below its row
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    #[command(flatten)]
    context: ContextArgs,
}

/// A stage of the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Stage {
    /// The size of the upright photo
    Decode,
    /// Where tiles were found
    Detect,
    /// Their corners after a closer look
    Refine,
    /// What they show in the photo as it came
    Classify,
    /// Whether the photo is mirrored, and the tiles that layout and joint number
    Mirror,
    /// Which are the hand, and how it may be read
    Layout,
    /// The hands that were weighed
    Joint,
}

/// Reads the photos.
///
/// # Errors
/// When a model or the ONNX Runtime library is missing, or output fails.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let context = match args.context.read() {
        Ok(context) => context,
        Err(problem) => return refuse(args, None, &problem),
    };
    let alone = [
        (args.overlay.is_some(), "--overlay draws one photo"),
        (args.focus.is_some(), "--focus is a point in one photo"),
        (!args.others.is_empty(), "--other goes with the photo of one hand that won"),
    ];
    if let Some((_, why)) = alone.iter().find(|(given, _)| *given && args.photos.len() > 1) {
        writeln!(terminal::stderr(), "error: {why}, {} given", args.photos.len())?;
        return Ok(Exit::BadInput);
    }
    let reader = Reader::load(&ModelPaths::from_environment())?;
    let mut worst = Exit::Done;
    for photo in &args.photos {
        let exit = match args.stage {
            Some(stage) => dump(args, (&reader, stage), &context, photo)?,
            None if args.others.is_empty() => answer(args, &reader, &context, photo)?,
            None => table::answer(args, &reader, &context, photo)?,
        };
        if exit as u8 > worst as u8 {
            worst = exit;
        }
    }
    Ok(worst)
}

/// Reads one photo and prints the answer.
fn answer(args: &Args, reader: &Reader, context: &ContextDto, path: &Path) -> anyhow::Result<Exit> {
    let Some(bytes) = load(args, path)? else { return Ok(Exit::BadInput) };
    let reading = match reader.read(&bytes, &context.setup, options(args, context)) {
        Ok(reading) => reading,
        Err(ReadError::Model(error)) => return Err(error.into()),
        Err(error) => return refuse(args, Some(path), &Problem::from(&error)),
    };
    let mut out = terminal::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&json_of(args, reader, &reading, path))?)?;
    } else {
        print(&mut out, args, &reading, path)?;
    }
    // Last, so that a picture that can't be written does not cost the reading.
    if let Some(file) = &args.overlay {
        out.flush()?;
        write_overlay(reader, &bytes, (&reading, args.lang), file)?;
    }
    Ok(if reading.status == Status::NoHand { Exit::NoResult } else { Exit::Done })
}

/// What is asked of a photo besides the circumstances.
fn options(args: &Args, context: &ContextDto) -> ReadOptions {
    let ruleset = context.ruleset.unwrap_or_default();
    ReadOptions { ruleset, focus: args.focus.map(FocusDto::point) }
}

/// The bytes of a photo; complains when there are none.
fn load(args: &Args, path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) => {
            let kind = crate::contract::ProblemKind::MalformedRequest;
            refuse(
                args,
                Some(path),
                &Problem::new(kind, format!("the file cannot be read: {error}")),
            )?;
            Ok(None)
        }
    }
}

/// Says what is wrong with a photo, or with what holds for all of them.
fn refuse(args: &Args, path: Option<&Path>, problem: &Problem) -> anyhow::Result<Exit> {
    let problem = &problem.clone().said(args.lang);
    let file = path.map(|path| path.display().to_string());
    match (args.json, file) {
        (true, Some(file)) => {
            writeln!(terminal::stdout(), "{}", json!({ "file": file, "error": problem }))?;
        }
        (true, None) => writeln!(terminal::stdout(), "{}", json!({ "error": problem }))?,
        (false, file) => write!(terminal::stderr(), "{}", complaint(file.as_deref(), "", problem))?,
    }
    Ok(Exit::BadInput)
}

fn json_of(args: &Args, reader: &Reader, reading: &Reading, path: &Path) -> AnswerDto {
    let manifest = reader.model().manifest();
    let answer = AnswerDto::new(reading, manifest, &reading.timings, args.lang);
    AnswerDto { file: Some(path.display().to_string()), ..answer }
}

fn write_overlay(
    reader: &Reader,
    bytes: &[u8],
    (reading, lang): (&Reading, Lang),
    file: &Path,
) -> anyhow::Result<()> {
    let photo: Photo = reader.decode(bytes)?;
    let drawing = overlay::draw(photo.image(), reading, lang);
    drawing
        .save_with_format(file, image::ImageFormat::Png)
        .with_context(|| format!("{} cannot be written", file.display()))
}

/// The hand, the score and the doubts for people.
fn print(out: &mut impl Write, args: &Args, reading: &Reading, path: &Path) -> io::Result<()> {
    print_seen(out, reading, &path.display().to_string())?;
    if let Some(score) = &reading.score {
        let setup = reading.scored_hand();
        write!(out, "\n{}", sheet(args, reading, &setup, score))?;
    } else if reading.status != Status::NoHand {
        writeln!(out, "  {}", Notation::of(reading.hand.clone()))?;
    }
    for doubt in &reading.doubts {
        print_doubt(out, reading, doubt, args.lang)?;
    }
    print_others_in_view(out, reading)
}

/// The hands in view that were not read, and how to ask for them.
fn print_others_in_view(out: &mut impl Write, reading: &Reading) -> io::Result<()> {
    for other in reading.hands_in_view.iter().skip(1) {
        let (hand, focus) = (Notation::of(other.hand.clone()), FocusDto::from(other.focus));
        writeln!(out, "another hand in view: {hand}  (--focus {focus})")?;
    }
    Ok(())
}

/// What the photo shows: how sure that is, and the tiles as they lie.
fn print_seen(out: &mut impl Write, reading: &Reading, title: &str) -> io::Result<()> {
    let status = match reading.status {
        Status::Ok => "read",
        Status::NeedsReview => "read with doubts: please look",
        _ => "no hand found",
    };
    let sure = reading.probability * 100.0;
    writeln!(out, "{}: {status} ({sure:.0} % sure)", escaped(title))?;
    for group in groups(reading) {
        writeln!(out, "  {group}")?;
    }
    let ignored = reading.tiles.iter().filter(|tile| tile.role == Role::Ignored).count();
    if ignored > 0 {
        writeln!(out, "  and {ignored} more that are not part of the hand")?;
    }
    Ok(())
}

/// The score of a reading for people.
fn sheet<'a>(
    args: &Args,
    reading: &'a Reading,
    setup: &'a HandSetup,
    score: &'a Score,
) -> Sheet<'a> {
    Sheet {
        setup,
        context: &reading.context,
        assumed: &reading.assumed,
        score,
        lang: args.lang,
        explain: args.explain,
        won: reading.won,
    }
}

/// One line for each group: its tiles as they lie, the winning tile in stars, sideways tiles
/// underlined with a stroke.
fn groups(reading: &Reading) -> Vec<String> {
    let count = reading.tiles.iter().filter_map(|tile| tile.group).max().map_or(0, |last| last + 1);
    (0..count)
        .map(|group| {
            let tiles = reading.tiles.iter().filter(|tile| tile.group == Some(group));
            let names = tiles.map(|tile| {
                let name = crate::pipeline::classify::name(tile.face);
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
    lang: Lang,
) -> io::Result<()> {
    let weight = if doubt.affects_score { "" } else { " (the score does not depend on it)" };
    let places: Vec<String> = doubt.tiles.iter().map(|tile| (tile + 1).to_string()).collect();
    let whole = doubt.tiles.len() + 2 >= reading.tiles.iter().filter(|t| t.group.is_some()).count();
    let which = if whole { String::new() } else { format!(" [tile {}]", places.join(", ")) };
    writeln!(out, "? {}{which}{weight}", doubt.question.said(lang))?;
    for answer in &doubt.alternatives {
        let total =
            answer.total.map_or_else(|| "no win".to_owned(), |total| format!("{total} points"));
        let paid = answer.payments.iter().flat_map(|payments| payments.iter());
        let paid: String = paid.map(|(seat, points)| format!("  {seat} {points:+}")).collect();
        writeln!(out, "    {:<10} {:>3.0} %  {total}{paid}", answer.answer, answer.p * 100.0)?;
    }
    Ok(())
}

/// Prints what one stage found; the verdict is none of them, so that no stage fails by it.
fn dump(
    args: &Args,
    (reader, stage): (&Reader, Stage),
    context: &ContextDto,
    path: &Path,
) -> anyhow::Result<Exit> {
    let Some(bytes) = load(args, path)? else { return Ok(Exit::BadInput) };
    let trace = match reader.trace(&bytes, &context.setup, options(args, context)) {
        Ok(trace) => trace,
        Err(ReadError::Model(error)) => return Err(error.into()),
        Err(error) => return refuse(args, Some(path), &Problem::from(&error)),
    };
    writeln!(terminal::stdout(), "{}", found_by(stage, &trace)?)?;
    Ok(Exit::Done)
}

fn found_by(stage: Stage, trace: &Trace) -> serde_json::Result<Value> {
    let Trace { sight, layout, decision, .. } = trace;
    match stage {
        Stage::Decode => Ok(json!({ "width": sight.size.0, "height": sight.size.1 })),
        Stage::Detect => serde_json::to_value(&sight.detections),
        Stage::Refine => serde_json::to_value(&sight.refined),
        Stage::Classify => serde_json::to_value(&sight.classified),
        Stage::Mirror => {
            Ok(json!({ "mirrored": sight.is_mirrored(), "tiles": sight.shown_tiles() }))
        }
        Stage::Layout => serde_json::to_value(layout),
        Stage::Joint => {
            let mut found = serde_json::to_value(decision)?;
            let hand = decision.best.as_ref().map(|best| Notation::of(best.setup.clone()));
            found["hand"] = json!(hand.map(|hand| hand.to_string()));
            Ok(found)
        }
    }
}
