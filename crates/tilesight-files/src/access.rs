//! Access of other users to the files in a folder.
//!
//! Input: a folder, and a function that says which names in it are this program's. Files that this
//! program creates are private from the start ([`private`](crate::private)); this module handles
//! existing ones. On Unix only; on other systems nothing is changed.

#[cfg(unix)]
pub use unix::{holds_more, is_open, is_open_file, tighten};
#[cfg(not(unix))]
pub use unknown::{holds_more, is_open, is_open_file, tighten};

/// Result of removing access to a folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AccessReport {
    /// Number of files and folders that others could access, and now can't.
    pub changed: usize,
    /// Number of those that others can still access: they are another user's, or a folder has files
    /// that are not this program's.
    pub left: usize,
}

#[cfg(unix)]
mod unix {
    use std::ffi::{OsStr, OsString};
    use std::fs::{self, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::path::Path;

    use super::AccessReport;

    /// Permission bits of group and others.
    const OF_OTHERS: u32 = 0o077;
    /// Write bits of group and others.
    const WRITE: u32 = 0o022;

    /// Removes the access of everyone but the owner to a folder and its content. A folder that
    /// contains names for which `ours` is false keeps its permissions, because it may serve another
    /// purpose too, and so does the target of a link; in it only this program's files are changed.
    /// Subfolders that are closed already are skipped. Files that can't be read are reported when
    /// they are opened.
    pub fn tighten(folder: &Path, ours: impl Fn(&OsStr) -> bool) -> AccessReport {
        let mut done = AccessReport::default();
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
    fn tighten_all(path: &Path, done: &mut AccessReport) {
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
    #[must_use]
    pub fn is_open(folder: &Path, ours: impl Fn(&OsStr) -> bool) -> bool {
        let own_files = names(folder).unwrap_or_default().into_iter().filter(|name| ours(name));
        let inside = own_files.flat_map(|name| fs::symlink_metadata(folder.join(name)));
        fs::metadata(folder).into_iter().chain(inside).any(|data| is_for_others(&data))
    }

    /// Returns whether others can access a file.
    #[must_use]
    pub fn is_open_file(file: &Path) -> bool {
        fs::symlink_metadata(file).is_ok_and(|data| is_for_others(&data))
    }

    /// Returns whether a folder contains files that are not this program's.
    #[must_use]
    pub fn holds_more(folder: &Path, ours: impl Fn(&OsStr) -> bool) -> bool {
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
mod unknown {
    use std::ffi::OsStr;
    use std::path::Path;

    use super::AccessReport;

    /// Changes nothing.
    pub fn tighten(_folder: &Path, _ours: impl Fn(&OsStr) -> bool) -> AccessReport {
        AccessReport::default()
    }

    /// Returns `false`: the permissions of files are not known.
    #[must_use]
    pub fn is_open(_folder: &Path, _ours: impl Fn(&OsStr) -> bool) -> bool {
        false
    }

    /// Returns `false`: the permissions of files are not known.
    #[must_use]
    pub fn is_open_file(_file: &Path) -> bool {
        false
    }

    /// Returns `false`: the permissions of files are not known.
    #[must_use]
    pub fn holds_more(_folder: &Path, _ours: impl Fn(&OsStr) -> bool) -> bool {
        false
    }
}
