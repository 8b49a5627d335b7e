//! Permissions of the service's folders: the access of other users is removed.
//!
//! Input: the folders of the settings, in which [`access`] finds and closes files. Output: a log,
//! and the problems for `tilesight doctor`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use tilesight_files::access::{self, AccessReport};
use tilesight_files::trusted;
use tilesight_jobs::{EmbeddedStore, backup};

use super::data_paths::{self, INCOMING};
use crate::config::{JobBackend, Settings};
use tilesight_service::Store;

/// A folder of the settings, and a function that returns whether a name in it is this program's.
type Folder<'a> = (&'a Path, fn(&OsStr) -> bool);

/// Returns the folders of the settings.
fn folders(settings: &Settings) -> impl Iterator<Item = Folder<'_>> {
    let feedback = settings
        .feedback
        .as_ref()
        .map(|feedback| (feedback.folder.as_path(), Store::keeps as fn(&_) -> _));
    let jobs = settings.jobs.as_ref().and_then(|jobs| match &jobs.place {
        JobBackend::Folder(folder) => Some((folder.as_path(), keeps as fn(&_) -> _)),
        JobBackend::Nats { .. } => None,
    });
    feedback.into_iter().chain(jobs)
}

/// Returns whether a name in the folder of jobs is this program's.
fn keeps(name: &OsStr) -> bool {
    name == INCOMING || name == backup::MARK || EmbeddedStore::is_own_file(name)
}

/// Returns the file with the key that seals secrets, if this program created it. A file named by
/// the settings is left alone: containers get secrets that all their users may read.
fn seal_key(settings: &Settings) -> Option<PathBuf> {
    let JobBackend::Folder(folder) = &settings.jobs.as_ref()?.place else { return None };
    data_paths::seal_key(folder).ok().filter(|_| settings.seal_key.is_none())
}

/// Returns the fault of that key, if the file exists.
fn problem_of_key(file: &Path) -> Option<String> {
    match trusted::open_own(file) {
        Err(error) if error.is_missing() => None,
        Err(error) => Some(error.to_string()),
        Ok(_) if !access::is_open_file(file) => None,
        Ok(_) => {
            let file = file.display();
            Some(format!(
                "other users of this machine may read the key in {file}: run `chmod go= {file}`"
            ))
        }
    }
}

/// Checks that no folder of the settings is reached by another user's link, because permissions in
/// the folder are changed and files are written into it.
///
/// # Errors
/// A message that names the link.
pub(in crate::cli) fn check_links(settings: &Settings) -> anyhow::Result<()> {
    for (folder, _) in folders(settings) {
        trusted::check_links(folder)?;
    }
    Ok(())
}

/// Returns the problems that `tilesight doctor` reports.
pub(in crate::cli) fn problems(settings: &Settings) -> Vec<String> {
    let key = seal_key(settings).and_then(|file| problem_of_key(&file));
    let link = check_links(settings).err().map(|error| error.to_string());
    let open = folders(settings).filter(|&(folder, ours)| access::is_open(folder, ours));
    open.map(problem_of_folder).chain(key).chain(link).collect()
}

fn problem_of_folder((folder, ours): Folder<'_>) -> String {
    let place = folder.display();
    // A folder like /tmp must not be closed to others.
    let advice = if access::holds_more(folder, ours) {
        "it contains other files too, so name a folder for this program alone".to_owned()
    } else {
        format!("run `chmod -R go= {place}`")
    };
    format!("other users of this machine have access to files in {place}: {advice}")
}

/// Removes other users' access to the folders before the service opens them, and logs it.
pub(in crate::cli) fn tighten(settings: &Settings) {
    for (folder, ours) in folders(settings) {
        let AccessReport { changed, left } = access::tighten(folder, ours);
        let place = folder.display();
        if changed > 0 {
            tracing::info!(folder = %place, changed, "removed the access of other users to files here");
        }
        if left > 0 {
            tracing::warn!(
                folder = %place,
                left,
                "others may use files here that are not this program's alone to close: `tilesight doctor` \
                 says what to do"
            );
        }
    }
}
