//! `tilesight review export`: exports corrections as lessons, in the format in which a service
//! stores feedback.
//!
//! Input: the folder of a batch with corrections, and the consent of the photos' owners. Output: a
//! folder with a record for each corrected photo: the reading, the correct hand, and the photo
//! re-encoded from its pixels. Invariant: without `--consent` nothing is written; a photo is stored
//! without its metadata.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use image::codecs::jpeg::JpegEncoder;
use serde_json::Value;
use tilesight_core::contract::{HandDto, HandInput};
use tilesight_core::rules::Book;
use tilesight_jobs::batch::result_files::RESULTS;
use tilesight_jobs::corrections::{CorrectionRow, Corrections, FILE_NAME, stored_outcome};
use tilesight_jobs::plan::{EntryWork, PLAN, PlanEntry, STATE, SourceLoader};
use tilesight_vision::contract::ReadingDto;
use tilesight_vision::{DecodeLimits, Photo};

use crate::cli::commands::batch::RunNote;
use crate::cli::output::{Exit, Stop, terminal};
use tilesight_service::{Lesson, Store};

/// Quality of the JPEGs. They are for training: at this quality a tile's face has no visible loss.
const JPEG_QUALITY: u8 = 92;
/// Lifetime of lessons: they stay until their folder is deleted.
const LIFETIME: Duration = Duration::from_secs(100 * 365 * 86_400);

/// Arguments of `tilesight review export`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder of results of `tilesight batch`
    #[arg(value_name = "DIR")]
    out: PathBuf,
    /// New folder for the lessons
    #[arg(long, value_name = "FOLDER")]
    lessons: PathBuf,
    /// Confirm that the owners of the photos agree to the use of photos and corrections for
    /// training
    #[arg(long)]
    consent: bool,
}

/// Writes the lessons.
///
/// # Errors
/// When files can't be read or written.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    if !args.consent {
        return Err(Stop::bad_input(
            "lessons hold photos: export them with --consent, once everybody whose photos they are agrees",
        ));
    }
    if args.lessons.read_dir().is_ok_and(|mut files| files.next().is_some()) {
        return Err(Stop::bad_input("the folder for the lessons is not empty: name a new one"));
    }
    let file = args.out.join(FILE_NAME);
    let corrections =
        Corrections::read(&file, &Book::shipped()).with_context(|| file.display().to_string())?;
    let store = Store::open(&args.lessons, LIFETIME, usize::MAX)?;
    let (written, skipped) = export(&args.out, &corrections, &store)?;
    writeln!(
        terminal::stdout(),
        "lessons: {written}, in {}; corrections without a hand to learn from: {skipped}",
        args.lessons.display()
    )?;
    Ok(Exit::Done)
}

/// Writes a lesson for each corrected photo; returns the numbers of written and of skipped ones.
fn export(out: &Path, corrections: &Corrections, store: &Store) -> anyhow::Result<(usize, usize)> {
    let said = corrections.rows_by_id();
    // A batch without a note had no photos beyond the default limits.
    let limits = RunNote::read(out).map_or_else(|_| DecodeLimits::default(), |note| note.limits());
    let results = read_lines(&out.join(RESULTS))?;
    let plan = read_lines(&out.join(STATE).join(PLAN))?;
    let mut written = 0;
    let mut skipped = 0;
    for (line, entry) in results.zip(plan) {
        let mut line: Value = serde_json::from_str(&line?)?;
        let entry: PlanEntry = serde_json::from_str(&entry?)?;
        let Some(row) = line["id"].as_str().and_then(|id| said.get(id)) else { continue };
        match lesson(row, &mut line, &entry, &limits)? {
            Some(lesson) => {
                store.keep_lesson(lesson)?;
                written += 1;
            }
            None => skipped += 1,
        }
    }
    Ok((written, skipped))
}

fn read_lines(path: &Path) -> anyhow::Result<Lines<BufReader<File>>> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(BufReader::new(file).lines())
}

/// Returns the lesson of a corrected photo; `None` if there is no hand or no photo to learn from.
fn lesson(
    row: &CorrectionRow,
    line: &mut Value,
    entry: &PlanEntry,
    limits: &DecodeLimits,
) -> anyhow::Result<Option<Lesson>> {
    if row.correction.leaves_out() {
        return Ok(None);
    }
    let hand = match &row.correction.hand {
        Some(hand) => HandDto::from(&HandInput::Notation(hand.clone()).setup().unwrap_or_default()),
        None => serde_json::from_value(line["reading"]["hand"].clone()).unwrap_or_default(),
    };
    let outcome = stored_outcome(line).map_err(anyhow::Error::msg)?;
    let stored: Value = serde_json::from_str(outcome.json())?;
    let reading: Option<ReadingDto> = serde_json::from_value(stored["reading"].clone()).ok();
    let (Some(reading), EntryWork::Photo(photo)) = (reading, &entry.work) else { return Ok(None) };
    let Ok(bytes) = SourceLoader::new(limits.bytes).bytes(&photo.photo) else { return Ok(None) };
    let Ok(picture) = Photo::decode(&bytes, limits) else { return Ok(None) };
    let mut jpeg = Vec::new();
    picture.image().write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY))?;
    let context = row.correction.context.or(&photo.fields.scoring.context);
    let comment = Some(row.note.clone()).filter(|note| !note.is_empty());
    Ok(Some(Lesson { reading, hand, context, comment, photo: jpeg }))
}
