//! Permissions of the service's folders: what older versions left open to others is closed.
//!
//! Input: the settings' folders. What this program makes is private from the start
//! (`crate::private`); this is about what exists already. On Unix only; elsewhere nothing is
//! changed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::places::{self, INCOMING};
use crate::config::{JobPlace, Settings};
use crate::http::Store;
use crate::jobs::EmbeddedStore;
use crate::trusted_file;

/// A folder of the settings, and which names in it are this program's.
type Folder<'a> = (&'a Path, fn(&OsStr) -> bool);

/// The folders of the settings.
fn folders(settings: &Settings) -> impl Iterator<Item = Folder<'_>> {
    let feedback = settings.feedback.as_ref();
    let feedback =
        feedback.map(|feedback| (feedback.folder.as_path(), Store::keeps as fn(&_) -> _));
    let jobs = settings.jobs.as_ref().and_then(|jobs| match &jobs.place {
        JobPlace::Folder(folder) => Some((folder.as_path(), keeps as fn(&_) -> _)),
        JobPlace::Nats { .. } => None,
    });
    feedback.into_iter().chain(jobs)
}

/// Whether a name in the folder of jobs is this program's.
fn keeps(name: &OsStr) -> bool {
    name == INCOMING || EmbeddedStore::keeps(name)
}

/// The file with the key that seals secrets, if this program made it. One that the settings name is
/// left alone: containers get secrets that all their users may read.
fn seal_key(settings: &Settings) -> Option<PathBuf> {
    let JobPlace::Folder(folder) = &settings.jobs.as_ref()?.place else { return None };
    places::seal_key(folder).ok().filter(|_| settings.seal_key.is_none())
}

/// Returns the fault of that key, if it is there.
fn problem_of_key(file: &Path) -> Option<String> {
    match trusted_file::open_own(file) {
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

/// Checks that no folder of the settings is reached by another user's link: its rights are changed,
/// and files are written into it.
///
/// # Errors
/// A message that names the link.
pub(super) fn check_links(settings: &Settings) -> anyhow::Result<()> {
    for (folder, _) in folders(settings) {
        trusted_file::check_links(folder)?;
    }
    Ok(())
}

/// The problems that `tilesight doctor` reports.
pub(super) fn problems(settings: &Settings) -> Vec<String> {
    let key = seal_key(settings).and_then(|file| problem_of_key(&file));
    let link = check_links(settings).err().map(|error| error.to_string());
    let open = folders(settings).filter(|&(folder, ours)| system::is_open(folder, ours));
    let problem = |(folder, ours): Folder<'_>| {
        // A folder like /tmp must not be closed.
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

/// Closes the folders to others before the service opens them, and says so in the log.
pub(super) fn tighten(settings: &Settings) {
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

/// The result of closing a folder.
#[derive(Debug, Default, PartialEq, Eq)]
struct RightsReport {
    /// Files and folders that others might use, and now can't.
    changed: usize,
    /// Those that others may use still: another user's, or a folder that holds more than this
    /// program's files.
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

    /// What a group and others may do.
    const OF_OTHERS: u32 = 0o077;
    /// Whether they may write.
    const WRITE: u32 = 0o022;

    /// Takes a folder, and what lies in it, from everybody but its owner. A folder with names in it
    /// that are not `ours` keeps its rights, for it may serve another purpose too, and so does one
    /// that a link leads to; of its content only ours is touched. A subfolder that is closed is not
    /// looked into. What can't be read is reported by anyone who opens it.
    pub(super) fn tighten(folder: &Path, ours: impl Fn(&OsStr) -> bool) -> RightsReport {
        let mut done = RightsReport::default();
        let (Ok(data), Ok(names)) = (fs::metadata(folder), names(folder)) else { return done };
        if data.mode() & OF_OTHERS != 0 {
            let may_close = !is_link(folder) && names.iter().all(|name| ours(name));
            // From here on nobody else puts anything into the folder, such as a link in a file's
            // place.
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

    /// A file, or a folder with all that is in it. What vanishes meanwhile needs nothing.
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

    /// Whether others may do anything with a folder, or with what of ours lies in it.
    pub(super) fn is_open(folder: &Path, ours: impl Fn(&OsStr) -> bool) -> bool {
        let inside = names(folder).unwrap_or_default().into_iter().filter(|name| ours(name));
        let inside = inside.map(|name| fs::symlink_metadata(folder.join(name)));
        fs::metadata(folder).into_iter().chain(inside.flatten()).any(|data| is_for_others(&data))
    }

    /// Whether others may do anything with a file.
    pub(super) fn is_open_file(file: &Path) -> bool {
        fs::symlink_metadata(file).is_ok_and(|data| is_for_others(&data))
    }

    /// Whether something lies in a folder that is not ours.
    pub(super) fn holds_more(folder: &Path, ours: impl Fn(&OsStr) -> bool) -> bool {
        names(folder).unwrap_or_default().iter().any(|name| !ours(name))
    }

    fn is_link(path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink())
    }

    /// A link's own rights mean nothing.
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

    pub(super) fn tighten(_folder: &Path, _ours: impl Fn(&OsStr) -> bool) -> RightsReport {
        RightsReport::default()
    }

    pub(super) fn is_open(_folder: &Path, _ours: impl Fn(&OsStr) -> bool) -> bool {
        false
    }

    pub(super) fn is_open_file(_file: &Path) -> bool {
        false
    }

    pub(super) fn holds_more(_folder: &Path, _ours: impl Fn(&OsStr) -> bool) -> bool {
        false
    }
}
