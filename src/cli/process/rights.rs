//! Permissions of the service's folders: access that older versions left open to other users is
//! removed.
//!
//! Input: the folders of the settings. Files that this program creates are private from the start
//! (`tilesight_files::private`); this module handles existing ones. On Unix only; on other systems
//! nothing is changed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use tilesight_files::trusted;
use tilesight_jobs::EmbeddedStore;

use super::data_paths::{self, INCOMING};
use crate::config::{JobBackend, Settings};
use tilesight_service::Store;

/// A folder of the settings, and a function that returns whether a name in it is this program's.
type Folder<'a> = (&'a Path, fn(&OsStr) -> bool);

/// Returns the folders of the settings.
fn folders(settings: &Settings) -> impl Iterator<Item = Folder<'_>> {
    let feedback = settings.feedback.as_ref();
    let feedback =
        feedback.map(|feedback| (feedback.folder.as_path(), Store::keeps as fn(&_) -> _));
    let jobs = settings.jobs.as_ref().and_then(|jobs| match &jobs.place {
        JobBackend::Folder(folder) => Some((folder.as_path(), keeps as fn(&_) -> _)),
        JobBackend::Nats { .. } => None,
    });
    feedback.into_iter().chain(jobs)
}

/// Returns whether a name in the folder of jobs is this program's.
fn keeps(name: &OsStr) -> bool {
    name == INCOMING || EmbeddedStore::is_own_file(name)
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
        Ok(_) if !system::is_open_file(file) => None,
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
    let open = folders(settings).filter(|&(folder, ours)| system::is_open(folder, ours));
    let problem = |(folder, ours): Folder<'_>| {
        // A folder like /tmp must not be closed to others.
        let advice = if system::holds_more(folder, ours) {
            "it contains other files too, so name a folder for this program alone".to_owned()
        } else {
            format!("run `chmod -R go= {}`", folder.display())
        };
        format!(
            "other users of this machine have access to files in {}: {advice}",
            folder.display()
        )
    };
    open.map(problem).chain(key).chain(link).collect()
}

/// Removes other users' access to the folders before the service opens them, and logs it.
pub(in crate::cli) fn tighten(settings: &Settings) {
    for (folder, ours) in folders(settings) {
        let RightsReport { changed, left } = system::tighten(folder, ours);
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

/// Result of removing access to a folder.
#[derive(Debug, Default, PartialEq, Eq)]
struct RightsReport {
    /// Number of files and folders that others could access, and now can't.
    changed: usize,
    /// Number of those that others can still access: they are another user's, or a folder has files
    /// that are not this program's.
    left: usize,
}

#[cfg(unix)]
mod system {
    use std::ffi::{OsStr, OsString};
    use std::fs::{self, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::path::Path;

    use super::RightsReport;

    /// Permission bits of group and others.
    const OF_OTHERS: u32 = 0o077;
    /// Write bits of group and others.
    const WRITE: u32 = 0o022;

    /// Removes the access of everyone but the owner to a folder and its content. A folder that
    /// contains names for which `ours` is false keeps its permissions, because it may serve another
    /// purpose too, and so does the target of a link; in it only this program's files are changed.
    /// Subfolders that are closed already are skipped. Files that can't be read are reported when
    /// they are opened.
    pub(in crate::cli) fn tighten(folder: &Path, ours: impl Fn(&OsStr) -> bool) -> RightsReport {
        let mut done = RightsReport::default();
        let (Ok(data), Ok(names)) = (fs::metadata(folder), names(folder)) else { return done };
        if data.mode() & OF_OTHERS != 0 {
            let may_close = !is_link(folder) && names.iter().all(|name| ours(name));
            // From here on no other user can put a file into the folder, such as a link in place of
            // a file.
            if may_close && close(folder, &data).is_ok() {
                done.changed += 1;
            } else {
                done.left += 1;
                if data.mode() & WRITE != 0 {
                    return done;
                }
            }
        }
        for name in names.iter().filter(|name| ours(name)) {
            tighten_all(&folder.join(name), &mut done);
        }
        done
    }

    /// Removes access to a file, or to a folder with its content. Files that vanish meanwhile are
    /// ignored.
    fn tighten_all(path: &Path, done: &mut RightsReport) {
        let Ok(data) = fs::symlink_metadata(path) else { return };
        if !is_for_others(&data) {
            return;
        }
        if close(path, &data).is_err() {
            done.left += 1;
            return;
        }
        done.changed += 1;
        if data.is_dir() {
            for name in names(path).unwrap_or_default() {
                tighten_all(&path.join(name), done);
            }
        }
    }

    /// Returns whether others can access a folder, or this program's files in it.
    pub(in crate::cli) fn is_open(folder: &Path, ours: impl Fn(&OsStr) -> bool) -> bool {
        let inside = names(folder).unwrap_or_default().into_iter().filter(|name| ours(name));
        let inside = inside.map(|name| fs::symlink_metadata(folder.join(name)));
        fs::metadata(folder).into_iter().chain(inside.flatten()).any(|data| is_for_others(&data))
    }

    /// Returns whether others can access a file.
    pub(in crate::cli) fn is_open_file(file: &Path) -> bool {
        fs::symlink_metadata(file).is_ok_and(|data| is_for_others(&data))
    }

    /// Returns whether a folder contains files that are not this program's.
    pub(in crate::cli) fn holds_more(folder: &Path, ours: impl Fn(&OsStr) -> bool) -> bool {
        names(folder).unwrap_or_default().iter().any(|name| !ours(name))
    }

    fn is_link(path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink())
    }

    /// Returns whether others can access a file; the permissions of a link itself do not matter.
    fn is_for_others(data: &Metadata) -> bool {
        !data.is_symlink() && data.mode() & OF_OTHERS != 0
    }

    fn close(path: &Path, data: &Metadata) -> io::Result<()> {
        fs::set_permissions(path, Permissions::from_mode(data.mode() & 0o7777 & !OF_OTHERS))
    }

    fn names(folder: &Path) -> io::Result<Vec<OsString>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
    }
}

#[cfg(not(unix))]
mod system {
    use std::ffi::OsStr;
    use std::path::Path;

    use super::RightsReport;

    pub(in crate::cli) fn tighten(_folder: &Path, _ours: impl Fn(&OsStr) -> bool) -> RightsReport {
        RightsReport::default()
    }

    pub(in crate::cli) fn is_open(_folder: &Path, _ours: impl Fn(&OsStr) -> bool) -> bool {
        false
    }

    pub(in crate::cli) fn is_open_file(_file: &Path) -> bool {
        false
    }

    pub(in crate::cli) fn holds_more(_folder: &Path, _ours: impl Fn(&OsStr) -> bool) -> bool {
        false
    }
}
