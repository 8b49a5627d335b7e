//! `tilesight set`: teaches the program a person's own tile set, shows and merges what it learned.
//!
//! Input: photos of tiles that were laid out in order, names for them, photos of hands with their
//! notation, or files of sets. Output: the file of a set, and a picture of what was learned from
//! which tile. Invariant: a file that this program did not write is replaced only with `--force`.

mod ask;
mod learn;
mod show;

use std::path::{Path, PathBuf};

use tilesight_core::contract::SetName;
use tilesight_vision::ModelPaths;
use tilesight_vision::Reader;
use tilesight_vision::sets::OwnSet;

use crate::cli::args::sets::{self, EXTENSION};
use crate::cli::output::file::{OutputFile, OutputOption};
use crate::cli::output::{Exit, Stop};

/// Arguments of `tilesight set`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    action: SetCommand,
}

/// The subcommand.
#[derive(Debug, clap::Subcommand)]
enum SetCommand {
    /// Learns a set from photos of its tiles, laid out in order
    ///
    /// Lay the tiles in rows, facing you, on a plain table: characters 1 to 9, dots 1 to 9, bamboo
    /// 1 to 9, the winds East, South, West, North with the dragons red, green, white, then the
    /// flowers 1 to 4 with the seasons 1 to 4, and some tiles face down. Every face may lie there
    /// several times, side by side. Photograph them from above.
    Learn(learn::Args),
    /// Shows what a set knows
    Show(show::Args),
    /// Merges sets that were learned of the same tiles into one
    Merge(MergeArgs),
}

/// Arguments of `tilesight set merge`.
#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// Files of the sets; of one file a copy is written
    #[arg(required = true, value_name = "FILE.set")]
    sets: Vec<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE.set")]
    out: PathBuf,
    /// Name of the set; by default that of the first one
    #[arg(long, value_name = "NAME")]
    name: Option<SetName>,
    /// Overwrite a file that tilesight did not write
    #[arg(long)]
    force: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// When a model or the ONNX Runtime library is missing, or output fails.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    match &args.action {
        SetCommand::Learn(args) => learn::run(args),
        SetCommand::Show(args) => show::run(args),
        SetCommand::Merge(args) => merge(args),
    }
}

fn merge(args: &MergeArgs) -> Result<Exit, Stop> {
    let inputs = args.sets.iter().map(PathBuf::as_path);
    let out = out_file(&args.out, args.force, inputs)?;
    let mut sets = args
        .sets
        .iter()
        .map(|file| sets::read(file))
        .collect::<Result<Vec<OwnSet>, String>>()
        .map_err(Stop::bad_input)?;
    let is_mixed = sets.iter().any(|set| set.classifier() != sets[0].classifier());
    if is_mixed {
        let reader = Reader::load(&ModelPaths::from_environment())?;
        sets = sets
            .into_iter()
            .map(|set| set.for_model(reader.model()))
            .collect::<Result<_, _>>()
            .map_err(Stop::bad_input)?;
    }
    let first = sets.remove(0);
    let merged = sets.iter().try_fold(first, |all, set| all.merge(set)).map_err(Stop::bad_input)?;
    let set = match &args.name {
        Some(name) => merged.with_name(name.clone()),
        None => merged,
    };
    out.write_set(&set.to_bytes())?;
    show::print(&set, None)?;
    Ok(Exit::Done)
}

/// Checks the file of a set that is to be written.
fn out_file<'a>(
    out: &Path,
    force: bool,
    inputs: impl Iterator<Item = &'a Path>,
) -> Result<OutputFile, Stop> {
    let option = OutputOption { name: "--out", endings: &[EXTENSION], force };
    option.check(out, inputs).map_err(Stop::bad_input)
}
