//! `tilesight restore`: puts a backup into the places that a service's settings name.
//!
//! Input: a backup, and the settings of the service that is to have it. Output: the files in their
//! places, and a line about each part. All of the backup is checked before anything is written.

use std::io::Write as _;
use std::path::PathBuf;

use tilesight_files::private;
use tilesight_jobs::backup::{BackupError, BackupReader, Target, restore, targets};

use super::backup::{places, settings, stop};
use crate::cli::args::settings::SettingsArgs;
use crate::cli::output::{Exit, Stop, terminal};

/// Arguments of `tilesight restore`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Backup that `tilesight backup` wrote
    #[arg(value_name = "FOLDER|FILE.zip")]
    from: PathBuf,
    /// Check the backup, and restore nothing
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// Restores or checks a backup.
///
/// # Errors
/// When the backup is damaged or of a newer version, a place is not empty, or a file can't be
/// written.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let from = args.from.display();
    let mut backup = open(args).map_err(|error| match stop(error) {
        Stop::BadInput(reason) => Stop::BadInput(format!("{from}: {reason}")),
        Stop::Failed(error) => Stop::Failed(error.context(from.to_string())),
        stop => stop,
    })?;
    let manifest = backup.manifest();
    let files = manifest.files.len();
    let bytes = manifest.bytes();
    let summary =
        format!("{files} files, {bytes} bytes, of {}, by {}", manifest.created, manifest.program);
    if args.check {
        writeln!(terminal::stdout(), "{from}: sound: {summary}")?;
        return Ok(Exit::Done);
    }
    let settings = settings(&args.settings)?;
    if let Some(folder) = places(&settings).jobs {
        private::create_folders(&folder)?;
    }
    let targets = targets(&backup, &places(&settings)).map_err(stop)?;
    restore(&mut backup, &targets).map_err(stop)?;
    writeln!(terminal::stdout(), "restored {summary}:")?;
    for Target { part, place } in &targets {
        writeln!(terminal::stdout(), "  {:8}  {}", part.name(), place.display())?;
    }
    Ok(Exit::Done)
}

/// Opens a backup and checks all of it.
fn open(args: &Args) -> Result<BackupReader, BackupError> {
    let mut backup = BackupReader::open(&args.from)?;
    backup.check()?;
    Ok(backup)
}
