//! Places where the service keeps data that its settings do not name.

use std::io;
use std::path::{Path, PathBuf};

/// Folder for archives while they are unpacked, in the folder of jobs.
pub(super) const INCOMING: &str = "incoming";

/// Checks that this folder may be used, without creating it. A missing folder is fine.
///
/// # Errors
/// A message that says what has its name instead, and what to do.
pub(super) fn check_incoming(folder: &Path) -> anyhow::Result<()> {
    let place = folder.join(INCOMING);
    let Ok(found) = place.symlink_metadata() else { return Ok(()) };
    let fault =
        if found.is_symlink() { "is a link, and links are not followed" } else { "is a file" };
    anyhow::ensure!(
        found.is_dir(),
        "{} {fault}: remove it, or name another folder for the store",
        place.display()
    );
    Ok(())
}

/// Returns the path of the key that seals secrets: `FOLDER.key` beside the folder of jobs, so that
/// a copy of the folder does not contain the key.
pub(super) fn seal_key(folder: &Path) -> io::Result<PathBuf> {
    let mut file = folder.canonicalize()?.into_os_string();
    file.push(".key");
    Ok(file.into())
}
