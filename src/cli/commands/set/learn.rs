//! `tilesight set learn`: from photos of tiles to the file of a set.

use std::fmt::Display;
use std::io::{self, Cursor, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use image::RgbImage;
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::{Problem, SetName};
use tilesight_core::explain::{Lang, Message as _};
use tilesight_core::notation::Notation;
use tilesight_core::rules::Book;
use tilesight_files::input;
use tilesight_pictures::sheet::{SheetMark, draw, marks_of_hand, marks_of_sheet};
use tilesight_vision::sets::{
    HandLesson, LabelledPhoto, LabelledTile, SetSheet, SheetNames, learn,
};
use tilesight_vision::{Photo, ReadError, Reader};

use super::{ask, out_file, show};
use crate::cli::args::device::DeviceArgs;
use crate::cli::args::photo::{LimitArgs, PhotoLoader};
use crate::cli::output::file::OutputOption;
use crate::cli::output::{Complaint, Exit, Stop, terminal};

/// Maximum size of a file with names, in bytes: those of a whole set have 200.
const MAX_NAMES_BYTES: usize = 64 * 1024;

/// Arguments of `tilesight set learn`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Photos of the tiles, laid out in order; rows may go on in the next photo
    #[arg(value_name = "PHOTO", required_unless_present = "add")]
    sheets: Vec<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE.set")]
    out: PathBuf,
    /// Name of the set; by default that of the file
    #[arg(long, value_name = "NAME")]
    name: Option<SetName>,
    /// Names of the tiles: a line for each row of the photos, such as `1m 2m 3m`; `extra:joker`
    /// names a further face, `-` leaves a tile out
    #[arg(long, value_name = "FILE.txt")]
    names: Option<PathBuf>,
    /// Photo of a hand with its notation, such as `hand.jpg=123m456p789s11FFF`; tiles of which it
    /// is not certain what they are get left out, and are named
    #[arg(long, value_name = "PHOTO=HAND", value_parser = parse_hand)]
    add: Vec<(PathBuf, Notation)>,
    /// Draw the names onto the photos and write them as a PNG, one photo below the other
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,
    /// Take every proposed name without asking
    #[arg(long, conflicts_with = "names")]
    yes: bool,
    /// Overwrite files that tilesight did not write
    #[arg(long)]
    force: bool,
    /// Language in which tiles that are left out are named: en, de, da, sv, ja, zh or zh-Hant
    #[arg(long, default_value = "en")]
    lang: Lang,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    device: DeviceArgs,
}

fn parse_hand(text: &str) -> Result<(PathBuf, Notation), String> {
    let (photo, hand) = text.rsplit_once('=').ok_or("expected PHOTO=HAND")?;
    let hand =
        hand.parse().map_err(|error: <Notation as std::str::FromStr>::Err| error.to_string());
    Ok((PathBuf::from(photo), hand?))
}

/// A photo with its tiles.
struct NamedPhoto {
    photo: Photo,
    tiles: Vec<LabelledTile>,
    marks: Vec<SheetMark>,
}

/// Learns the set.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let photos = args.sheets.iter().chain(args.add.iter().map(|(photo, _)| photo));
    let inputs: Vec<&Path> = photos.chain(&args.names).map(PathBuf::as_path).collect();
    let out = out_file(&args.out, args.force, inputs.iter().copied())?;
    let option = OutputOption { name: "--picture", endings: &["png"], force: args.force };
    let picture = args
        .picture
        .as_ref()
        .map(|path| option.check(path, inputs))
        .transpose()
        .map_err(Stop::bad_input)?;
    let name = set_name(args).map_err(Stop::bad_input)?;
    let names = sheet_names(args).map_err(Stop::bad_input)?;
    let limits = args.limits.limits();
    let reader = Reader::load(&args.device.paths())?.with_limits(limits);
    let photos = named_photos(args, &reader, names)?;
    if let Some(file) = picture {
        let drawn: Vec<RgbImage> =
            photos.iter().map(|it| draw(it.photo.image(), &it.marks)).collect();
        let mut png = Cursor::new(Vec::new());
        stacked(&drawn).write_to(&mut png, image::ImageFormat::Png)?;
        file.write(png.get_ref())?;
    }
    let lessons: Vec<LabelledPhoto> = photos
        .iter()
        .map(|it| LabelledPhoto { photo: &it.photo, tiles: it.tiles.clone() })
        .collect();
    let set = learn(name, &lessons, reader.model()).map_err(Stop::bad_input)?;
    out.write_set(&set.to_bytes())?;
    show::print(&set, None)?;
    Ok(Exit::Done)
}

fn set_name(args: &Args) -> Result<SetName, String> {
    if let Some(name) = &args.name {
        return Ok(name.clone());
    }
    let stem = args.out.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.unwrap_or_default().parse().map_err(|error| format!("{error}: give one with --name"))
}

fn sheet_names(args: &Args) -> Result<Option<SheetNames>, String> {
    let Some(file) = &args.names else { return Ok(None) };
    let shown = file.display();
    let text = input::read_to_string(file, MAX_NAMES_BYTES)
        .map_err(|error| format!("{shown}: {error}"))?;
    SheetNames::parse(&text).map(Some).map_err(|error| format!("{shown}: {error}"))
}

/// Finds the tiles of all photos, and names them.
fn named_photos(
    args: &Args,
    reader: &Reader,
    mut names: Option<SheetNames>,
) -> Result<Vec<NamedPhoto>, Stop> {
    let loader = PhotoLoader::new(args.limits.limits().bytes);
    let mut photos = Vec::new();
    for path in &args.sheets {
        let (photo, _) = load(reader, &loader, path)?;
        let mut sheet =
            SetSheet::new(&reader.see_tiles(&photo)?).map_err(|error| refusal(path, error))?;
        if let Some(all) = names.take() {
            let (first, rest) = all.split_first(sheet.rows().len());
            names = Some(rest);
            sheet.name_all(first).map_err(|error| refusal(path, error))?;
        } else if !args.yes && !ask_about(&mut sheet, path)? {
            return Err(refusal(path, unanswered(&sheet)));
        }
        photos.push(NamedPhoto { tiles: sheet.labelled(), marks: marks_of_sheet(&sheet), photo });
    }
    if let Some(left) = names.filter(|names| names.rows() > 0) {
        let rows = left.rows();
        return Err(Stop::bad_input(format!("--names has {rows} rows more than the photos")));
    }
    for (path, hand) in &args.add {
        photos.push(hand_photo(reader, &loader, path, hand, args.lang)?);
    }
    Ok(photos)
}

/// Asks about the open tiles if there are any, and somebody to ask.
fn ask_about(sheet: &mut SetSheet, path: &Path) -> anyhow::Result<bool> {
    if sheet.open().is_empty() {
        return Ok(true);
    }
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    let mut out = terminal::stderr();
    writeln!(out, "{}: what do these tiles show? Press Enter where it is right", path.display())?;
    Ok(ask::ask(sheet, &mut io::stdin().lock(), &mut out)?)
}

/// Returns the complaint about open tiles that nobody can be asked about.
fn unanswered(sheet: &SetSheet) -> String {
    let mut open = Vec::new();
    for (row, place) in sheet.open() {
        let proposal = sheet.rows()[row][place].label.as_ref();
        let label = proposal.map_or_else(|| "-".to_owned(), ToString::to_string);
        open.push(format!("row {} tile {} ({label}?)", row + 1, place + 1));
    }
    format!(
        "these names are not certain: {}; give all names with --names, or take them with --yes",
        open.join(", ")
    )
}

/// Reads a photo of a hand, and names its tiles by the notation.
fn hand_photo(
    reader: &Reader,
    loader: &PhotoLoader,
    path: &Path,
    hand: &Notation,
    lang: Lang,
) -> Result<NamedPhoto, Stop> {
    let (photo, bytes) = load(reader, loader, path)?;
    let context = ContextSetup::default();
    let reading = match reader.read(&bytes, &context, Book::shipped().usual()) {
        Ok(reading) => reading,
        Err(ReadError::Model(error)) => return Err(error.into()),
        Err(error) => return Err(complaint(path, Problem::from(&error)).into()),
    };
    let lesson =
        HandLesson::new(&reading, hand).map_err(|error| refusal(path, error.text(lang)))?;
    let mut out = terminal::stderr();
    for tile in &lesson.left_out {
        writeln!(out, "{}: {}", path.display(), tile.text(lang))?;
    }
    Ok(NamedPhoto { photo, marks: marks_of_hand(&lesson), tiles: lesson.tiles })
}

fn load(reader: &Reader, loader: &PhotoLoader, path: &Path) -> Result<(Photo, Vec<u8>), Stop> {
    let bytes = loader.load(path).map_err(|problem| complaint(path, problem))?;
    let photo = reader
        .decode(&bytes)
        .map_err(|error| complaint(path, Problem::from(&ReadError::from(error))))?;
    Ok((photo, bytes))
}

fn complaint(path: &Path, problem: Problem) -> Complaint {
    Complaint::from(problem).in_file(path)
}

fn refusal(path: &Path, reason: impl Display) -> Stop {
    Stop::bad_input(format!("{}: {reason}", path.display()))
}

/// Returns pictures one below the other.
fn stacked(pictures: &[RgbImage]) -> RgbImage {
    let width = pictures.iter().map(RgbImage::width).max().unwrap_or(1);
    let height = pictures.iter().map(RgbImage::height).sum::<u32>().max(1);
    let mut all = RgbImage::new(width, height);
    let mut y = 0;
    for picture in pictures {
        image::imageops::replace(&mut all, picture, 0, i64::from(y));
        y += picture.height();
    }
    all
}
