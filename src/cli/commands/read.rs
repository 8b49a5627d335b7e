//! `tilesight read`: reads photos into hands and scores.
//!
//! Input: photos and the win context. Output: the hand, the itemized score and the doubts as text;
//! with `--json` one answer per line, in the order of the photos, or an object with `file` and
//! `error` for a photo that cannot be used. With `--together` all photos show the same hand and get
//! one answer. With `--other` the photo is the winner's, and the hands of the others belong to the
//! same answer; a single photo is a table without others. Invariant: every hand gets exactly one
//! answer; a faulty photo does not keep the others from being read.

mod print;

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde_json::{Value, json};
use tilesight_core::contract::{ContextDto, OtherInRequest, PhotoFields, Problem, SetChoice};
use tilesight_core::explain::Lang;
use tilesight_core::notation::Notation;
use tilesight_core::printable::path_text;
use tilesight_core::tile::Wind;
use tilesight_pictures::overlay;
use tilesight_vision::contract::{
    AnswerDto, CompactAnswerDto, Detail, TableRequest, no_hand_problem, too_many_photos,
};
use tilesight_vision::{
    MAX_PHOTOS, Photo, ReadError, Reader, Reading, Status, TablePhotoError, TableReader,
    TableReading, Trace,
};

use crate::cli::args::context::ContextArgs;
use crate::cli::args::device::DeviceArgs;
use crate::cli::args::other;
use crate::cli::args::photo::{LimitArgs, PhotoLoader, PlaceArgs};
use crate::cli::args::sets::{self, SetArgs};
use crate::cli::output::file::{OutputError, OutputFile, OutputOption};
use crate::cli::output::{Complaint, Exit, Stop, terminal};

/// Arguments of `tilesight read`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Photos: JPEG, PNG, WebP, HEIC or AVIF; - is standard input
    #[arg(required = true, value_name = "PHOTO")]
    photos: Vec<PathBuf>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// With --json: `full`, or `compact` for only the hand, the score and the doubts
    #[arg(long, value_name = "DETAIL", default_value_t, requires = "json")]
    detail: Detail,
    /// Draw the reading onto the photo and write it as a PNG
    #[arg(long, value_name = "FILE.png")]
    overlay: Option<PathBuf>,
    /// With --overlay: overwrite a file that tilesight did not write
    #[arg(long, requires = "overlay")]
    force: bool,
    /// Print the result of one stage as JSON, and stop there
    #[arg(long, value_enum, conflicts_with_all = ["json", "overlay"])]
    stage: Option<Stage>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Read up to 8 photos of the same hand, such as a burst, as one. Tiles hidden in one photo by
    /// glare, a finger or the edge are read from another; --focus and --region refer to the first
    /// photo, --overlay draws on the photo that shows most of the hand
    #[arg(long, conflicts_with = "stage")]
    together: bool,
    /// Hand of a player who did not win, with its seat, as a photo or typed: `S=south.jpg`,
    /// `W=[CCC,1]11m99p`; up to three, for rules that score every player
    #[arg(long = "other", value_name = "SEAT=HAND", value_parser = other::parse_typed_or_photo, conflicts_with = "stage")]
    others: Vec<OtherInRequest<PathBuf>>,
    /// Language of names and explanations: en, de, da, sv, ja, zh or zh-Hant
    #[arg(long, default_value = "en")]
    lang: Lang,
    /// Explain every fan below its row
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    #[command(flatten)]
    sets: SetArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    context: ContextArgs,
}

/// Stage of the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Stage {
    /// Size of the upright photo
    Decode,
    /// Detected tiles
    Detect,
    /// Corners of the tiles after refinement
    Refine,
    /// Faces of the tiles in the photo as it was taken
    Classify,
    /// Whether the photo is mirrored, and the tiles as layout and joint number them
    Mirror,
    /// Tiles of the hand, and the ways to read them
    Layout,
    /// Hands that were compared
    Joint,
}

/// Reads the photos.
///
/// # Errors
/// When a model or the ONNX Runtime library is missing, or output fails.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let context = args.context.read().map_err(|problem| refusal(args, None, problem))?;
    check_single(args)?;
    if args.together && args.photos.len() > MAX_PHOTOS {
        return Err(refusal(args, None, too_many_photos()).into());
    }
    let overlay = overlay(args).map_err(Stop::bad_input)?;
    let sets = args.sets.read().map_err(Stop::bad_input)?;
    let set = sets::choice(&sets);
    let limits = args.limits.limits();
    let reader = Reader::load(&args.device.paths())?
        .with_limits(limits)
        .with_sets(sets)
        .map_err(Stop::bad_input)?;
    let photos = PhotoLoader::new(limits.bytes);
    let command = ReadCommand { args, reader: &reader, photos, set };
    let mut worst = Exit::Done;
    for photos in args.photos.chunks(if args.together { MAX_PHOTOS } else { 1 }) {
        let ended = match args.stage {
            Some(stage) => dump(&command, stage, &context, &photos[0]),
            None => answer(&command, &context, photos, overlay.as_ref()),
        };
        let exit = match ended {
            Err(Stop::Refused(complaint)) => complaint.print()?,
            ended => ended?,
        };
        worst = worst.max(exit);
    }
    Ok(worst)
}

/// Checks that options for the photo of one hand come with one.
fn check_single(args: &Args) -> Result<(), Stop> {
    if args.together || args.photos.len() == 1 {
        return Ok(());
    }
    let alone = [
        (args.overlay.is_some(), "--overlay draws one photo"),
        (args.place.0.focus.is_some(), "--focus is a point in one photo"),
        (args.place.0.region.is_some(), "--region is a part of one photo"),
        (!args.others.is_empty(), "--other goes with the photo of one hand that won"),
    ];
    let Some((_, why)) = alone.iter().find(|(given, _)| *given) else { return Ok(()) };
    Err(Stop::bad_input(format!("{why}, {} given", args.photos.len())))
}

/// Reader and settings for the photos of a command.
struct ReadCommand<'a> {
    args: &'a Args,
    reader: &'a Reader,
    photos: PhotoLoader,
    /// Choice of the own set.
    set: Option<SetChoice>,
}

/// A photo that was loaded.
#[derive(Debug)]
struct PhotoFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl AsRef<[u8]> for PhotoFile {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl ReadCommand<'_> {
    /// Returns what the flags say about the photos.
    fn fields(&self, context: &ContextDto) -> PhotoFields {
        let place = self.args.place.0.clone();
        PhotoFields { set: self.set.clone(), ..place.or((*context).into()) }
    }

    fn load(&self, path: PathBuf) -> Result<PhotoFile, (PathBuf, Problem)> {
        match self.photos.load(&path) {
            Ok(bytes) => Ok(PhotoFile { path, bytes }),
            Err(problem) => Err((path, problem)),
        }
    }
}

/// Checks the path of the overlay.
fn overlay(args: &Args) -> Result<Option<OutputFile>, OutputError> {
    let Some(path) = &args.overlay else { return Ok(None) };
    let option = OutputOption { name: "--overlay", endings: &["png"], force: args.force };
    let others = args.others.iter().filter_map(OtherInRequest::as_photo);
    let inputs = args.photos.iter().chain(others).map(PathBuf::as_path);
    option.check(path, inputs.chain(args.context.file()).chain(args.sets.files())).map(Some)
}

/// Names of an answer's photos, by the seats of their hands.
type PhotoNames = BTreeMap<Wind, String>;

/// Reads the photos of a hand, and those of the other hands of its table, and prints the answer.
fn answer(
    command: &ReadCommand<'_>,
    context: &ContextDto,
    paths: &[PathBuf],
    overlay: Option<&OutputFile>,
) -> Result<Exit, Stop> {
    let args = command.args;
    let table = TableRequest {
        photo: paths[0].clone(),
        more: paths[1..].to_vec(),
        fields: command.fields(context),
        others: args.others.clone(),
    };
    let is_alone = table.others.is_empty();
    let plan = table
        .plan(&args.context.book())
        .map_err(|problem| refusal(args, None, problem))?
        .try_map_photos(|path| command.load(path))
        .map_err(|(path, problem)| refusal(args, Some(&path), problem))?;
    let mut names = PhotoNames::new();
    let mut table = TableReader::new(plan);
    while let Some(photo) = table.next_photo() {
        let path = photo.path.clone();
        let reading = table
            .read_next(command.reader)
            .map_err(|TablePhotoError { error, .. }| unread(args, &path, error))?;
        let Some(reading) = reading else { continue };
        // A single photo without a hand gets an answer; a table with one does not.
        if reading.status == Status::NoHand && !is_alone {
            let complaint = refusal(args, Some(&path), no_hand_problem(reading));
            return Err(complaint.with_exit(Exit::NoResult).into());
        }
        names.insert(reading.context.seat, path_text(base(reading, paths).unwrap_or(&path)));
    }
    let table = table.settle().expect("the winner's hand is read first");
    let mut out = terminal::stdout();
    if args.json {
        let answer = json_of(command, &table, &names, paths);
        let line = match args.detail {
            Detail::Full => serde_json::to_string(&answer),
            Detail::Compact => serde_json::to_string(&CompactAnswerDto::from(answer)),
        };
        writeln!(out, "{}", line?)?;
    } else {
        print::print(&mut out, args, &table, &names, paths)?;
    }
    // The overlay comes last, so that the reading is printed even if the picture can't be written.
    if let Some(file) = overlay {
        out.flush()?;
        let winner = &table.winner;
        let base = winner.photos.iter().position(|photo| photo.is_base).unwrap_or(0);
        write_overlay(command, &paths[base], winner, file)?;
    }
    Ok(if table.winner.status == Status::NoHand { Exit::NoResult } else { Exit::Done })
}

/// Returns the photo in whose pixels the positions of a reading are, if several photos of a hand
/// were read.
fn base<'a>(reading: &Reading, paths: &'a [PathBuf]) -> Option<&'a PathBuf> {
    let base = reading.photos.iter().position(|photo| photo.is_base);
    base.and_then(|base| paths.get(base)).filter(|_| reading.photos.len() > 1)
}

/// Returns the complaint about a photo, or about the arguments for all photos.
fn refusal(args: &Args, path: Option<&Path>, problem: Problem) -> Complaint {
    let complaint = Complaint::from(problem.translate(args.lang)).with_json(args.json);
    match path {
        Some(path) => complaint.in_file(path),
        None => complaint,
    }
}

/// Returns why a photo was not read: by its own fault, or by one of the models.
fn unread(args: &Args, path: &Path, error: ReadError) -> Stop {
    match error {
        ReadError::Model(error) => Stop::from(error),
        error => refusal(args, Some(path), Problem::from(&error)).into(),
    }
}

fn json_of(
    command: &ReadCommand<'_>,
    table: &TableReading,
    files: &PhotoNames,
    paths: &[PathBuf],
) -> AnswerDto {
    let ReadCommand { args, reader, .. } = command;
    let manifest = reader.model().manifest();
    let winner = &table.winner;
    let mut answer = AnswerDto::from_table(table, None, manifest, &winner.timings, args.lang);
    answer.file = files.get(&winner.context.seat).cloned();
    for (photo, path) in answer.reading.photos.iter_mut().zip(paths) {
        photo.file = Some(path_text(path));
    }
    for other in &mut answer.others {
        other.file = files.get(&other.seat).cloned();
    }
    answer
}

fn write_overlay(
    command: &ReadCommand<'_>,
    photo: &Path,
    reading: &Reading,
    file: &OutputFile,
) -> anyhow::Result<()> {
    let bytes = command.photos.load(photo).map_err(|problem| anyhow!("{}", problem.detail))?;
    let photo: Photo = command.reader.decode(&bytes)?;
    let drawing = overlay::draw(photo.image(), reading, command.args.lang);
    let mut png = Cursor::new(Vec::new());
    drawing.write_to(&mut png, image::ImageFormat::Png)?;
    file.write(png.get_ref())
}

/// Prints the result of one stage. Scoring is not a stage, so its errors do not end the command.
fn dump(
    command: &ReadCommand<'_>,
    stage: Stage,
    context: &ContextDto,
    path: &Path,
) -> Result<Exit, Stop> {
    let args = command.args;
    let bytes = command.photos.load(path).map_err(|problem| refusal(args, Some(path), problem))?;
    let request =
        TableRequest { fields: command.fields(context), ..TableRequest::from_photo(path) };
    let options =
        request.options(&args.context.book()).map_err(|problem| refusal(args, None, problem))?;
    let trace = command
        .reader
        .trace(&bytes, &context.setup, options)
        .map_err(|error| unread(args, path, error))?;
    writeln!(terminal::stdout(), "{}", output_of_stage(stage, &trace)?)?;
    Ok(Exit::Done)
}

fn output_of_stage(stage: Stage, trace: &Trace) -> serde_json::Result<Value> {
    let Trace { observation, layout, decision, .. } = trace;
    match stage {
        Stage::Decode => Ok(json!({ "width": observation.size.0, "height": observation.size.1 })),
        Stage::Detect => serde_json::to_value(&observation.detections),
        Stage::Refine => serde_json::to_value(&observation.refined),
        Stage::Classify => serde_json::to_value(&observation.classified),
        Stage::Mirror => {
            Ok(json!({ "mirrored": observation.is_mirrored(), "tiles": observation.shown_tiles() }))
        }
        Stage::Layout => serde_json::to_value(layout),
        Stage::Joint => {
            let mut found = serde_json::to_value(decision)?;
            let hand = decision.best.as_ref().map(|best| Notation::from_hand(best.setup.clone()));
            found["hand"] = json!(hand.map(|hand| hand.to_string()));
            Ok(found)
        }
    }
}
