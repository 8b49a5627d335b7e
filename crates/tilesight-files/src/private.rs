//! Folders and files that only their owner can read, whatever the umask; the age of files; and the
//! room on their disk.
//!
//! Data about people (photos, corrections, games and their links, jobs and their webhooks) is
//! stored in folders of mode 0700 and files of mode 0600. This applies to Unix; elsewhere a file
//! has the permissions of its folder.

use std::fs::{DirBuilder, DirEntry, File, OpenOptions};
use std::io;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Creates a folder.
///
/// # Errors
/// Those of [`std::fs::create_dir`].
pub fn create_folder(folder: &Path) -> io::Result<()> {
    folders().create(folder)
}

/// Creates a folder and its missing parents.
///
/// # Errors
/// Those of [`std::fs::create_dir_all`].
pub fn create_folders(folder: &Path) -> io::Result<()> {
    folders().recursive(true).create(folder)
}

fn folders() -> DirBuilder {
    #[allow(unused_mut, reason = "folders have no mode elsewhere")]
    let mut folders = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
    folders
}

/// Returns the options to open a file that is private when it is created.
#[must_use]
pub fn options() -> OpenOptions {
    #[allow(unused_mut, reason = "files have no mode elsewhere")]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Returns whether an entry of a folder was last written longer ago than `age`. For an entry that
/// is gone or has no time, this is false.
#[must_use]
pub fn is_older(entry: &DirEntry, age: Duration, now: SystemTime) -> bool {
    let written = entry.metadata().and_then(|found| found.modified());
    let passed = written.ok().and_then(|written| now.duration_since(written).ok());
    passed.is_some_and(|passed| passed > age)
}

/// Checks that a folder still exists and has not been replaced by a link or file.
///
/// # Errors
/// [`io::ErrorKind::NotADirectory`], and any I/O error.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    let found = std::fs::symlink_metadata(folder)?;
    if found.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
}

/// Returns whether a file can't be written because there is no space for it: the disk, a quota, or
/// the limit on the file's size is reached.
#[must_use]
pub fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// Writes a file that must not exist yet. Its content is on disk when this returns; its name is
/// after [`sync_folder`].
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`], and any I/O error.
pub fn write_new(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = options().write(true).create_new(true).open(file)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Waits until the names in a folder are on disk. On systems where a folder can't be opened as a
/// file (Windows), there is nothing to wait for.
///
/// # Errors
/// Any I/O error.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Room on the disk of a folder, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskSpace {
    /// Bytes that this user may still write.
    pub free: u64,
    /// Size of the disk.
    pub total: u64,
}

/// Returns the room on the disk of a folder; `None` on systems where it is not known.
///
/// # Errors
/// Any I/O error.
pub fn disk_space(folder: &Path) -> io::Result<Option<DiskSpace>> {
    #[cfg(unix)]
    {
        let found = rustix::fs::statvfs(folder)?;
        Ok(Some(DiskSpace {
            free: found.f_bavail.saturating_mul(found.f_frsize),
            total: found.f_blocks.saturating_mul(found.f_frsize),
        }))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        Ok(None)
    }
}

/// Returns whether this user may write into a folder.
#[must_use]
pub fn is_writable(folder: &Path) -> bool {
    #[cfg(unix)]
    return rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok();
    #[cfg(not(unix))]
    return std::fs::metadata(folder).is_ok_and(|found| !found.permissions().readonly());
}
