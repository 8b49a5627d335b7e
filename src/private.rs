//! Folders and files that the program keeps: nobody but their owner reads them, whatever the umask;
//! how old one is, and whether it can't be written for want of room.
//!
//! What is kept of people (photos, corrections, games and their links, jobs and their webhooks)
//! goes into folders of mode 0700 and files of mode 0600. That is Unix; elsewhere a file has the
//! rights of the folder that it lies in.

use std::fs::{DirBuilder, DirEntry, OpenOptions};
use std::io;
#[cfg(feature = "http")]
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Makes a folder.
///
/// # Errors
/// As [`std::fs::create_dir`].
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    folders().create(folder)
}

/// Makes a folder, and those above it, where they are missing.
///
/// # Errors
/// As [`std::fs::create_dir_all`].
#[cfg(feature = "http")]
pub(crate) fn create_folders(folder: &Path) -> io::Result<()> {
    folders().recursive(true).create(folder)
}

fn folders() -> DirBuilder {
    #[allow(unused_mut, reason = "folders have no mode elsewhere")]
    let mut folders = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
    folders
}

/// How a file is opened that is private where it is made.
pub(crate) fn options() -> OpenOptions {
    #[allow(unused_mut, reason = "files have no mode elsewhere")]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Returns whether an entry of a folder was last written longer ago than `age`. An entry that is
/// gone or has no time is not.
pub(crate) fn is_older(entry: &DirEntry, age: Duration, now: SystemTime) -> bool {
    let written = entry.metadata().and_then(|found| found.modified());
    let passed = written.ok().and_then(|written| now.duration_since(written).ok());
    passed.is_some_and(|passed| passed > age)
}

/// Checks that a folder is still there, and no link or file in its place.
///
/// # Errors
/// [`io::ErrorKind::NotADirectory`], and whatever the disk says.
#[cfg(feature = "http")]
pub(crate) fn check_folder(folder: &Path) -> io::Result<()> {
    let found = std::fs::symlink_metadata(folder)?;
    if found.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
}

/// Returns whether a file can't be written because there is no room for it: the disk, a quota, or
/// the limit of a file's size is reached.
pub(crate) fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// Writes a file that was not there.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`], and whatever the disk says.
#[cfg(feature = "http")]
pub(crate) fn write_new(file: &Path, bytes: &[u8]) -> io::Result<()> {
    options().write(true).create_new(true).open(file)?.write_all(bytes)
}
