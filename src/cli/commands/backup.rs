//! `tilesight backup`: a copy of everything that a service stores, also while it runs.
//!
//! Input: the settings of the service, and the path of the backup. Output: the backup, and a line
//! about it. [`tilesight_jobs::backup`] writes it.

use std::io::Write as _;
use std::path::PathBuf;

use tilesight_jobs::backup::{BackupError, Places, save};

use crate::cli::args::settings::SettingsArgs;
use crate::cli::output::{Exit, Stop, terminal};
use crate::cli::process::data_paths;
use crate::config::{JobBackend, Settings};

/// Arguments of `tilesight backup`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Folder or, if it ends in `.zip`, archive to write; nothing may be there
    #[arg(value_name = "FOLDER|FILE.zip")]
    to: PathBuf,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// Writes a backup.
///
/// # Errors
/// When the settings can't be used, something is in the backup's place, or a file can't be copied.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let settings = settings(&args.settings)?;
    let saved = save(&places(&settings), &args.to).map_err(stop)?;
    let to = args.to.display();
    let files = saved.manifest.files.len();
    writeln!(terminal::stdout(), "{to}: {files} files, {} bytes", saved.manifest.bytes())?;
    if saved.missing > 0 {
        let missing = saved.missing;
        writeln!(
            terminal::stderr(),
            "{missing} photos of jobs are missing in the service's folder"
        )?;
    }
    if matches!(settings.jobs.map(|jobs| jobs.place), Some(JobBackend::Nats { .. })) {
        writeln!(
            terminal::stderr(),
            "jobs and games are on the NATS servers and not in this backup: `nats account backup` \
             saves them"
        )?;
    }
    Ok(Exit::Done)
}

/// Returns the settings of the service.
pub(super) fn settings(args: &SettingsArgs) -> Result<Settings, Stop> {
    args.settings().map_err(|error| Stop::bad_input(format!("{error:#}")))
}

/// Returns the places that the settings name.
pub(super) fn places(settings: &Settings) -> Places {
    let jobs = settings.jobs.as_ref().and_then(|jobs| match &jobs.place {
        JobBackend::Folder(folder) => Some(folder.clone()),
        JobBackend::Nats { .. } => None,
    });
    let beside = jobs.as_deref().and_then(|folder| data_paths::seal_key(folder).ok());
    Places {
        seal: settings.seal_key.clone().or(beside),
        jobs,
        keys: settings.keys.clone(),
        feedback: settings.feedback.as_ref().map(|feedback| feedback.folder.clone()),
        sets: settings.sets.clone(),
        rules: settings.rules.clone(),
    }
}

/// Returns the reason to stop.
pub(super) fn stop(error: BackupError) -> Stop {
    if error.is_bad_input() { Stop::bad_input(error) } else { Stop::Failed(error.into()) }
}
