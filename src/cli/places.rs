//! Where the service keeps what it makes beside what the settings name.

use std::io;
use std::path::{Path, PathBuf};

/// The folder for archives while they are unpacked, in the folder of jobs.
pub(super) const INCOMING: &str = "incoming";

/// The key that seals secrets: `FOLDER.key` beside the folder of jobs, so that a copy of the folder
/// does not have the key.
pub(super) fn seal_key(folder: &Path) -> io::Result<PathBuf> {
    let mut file = folder.canonicalize()?.into_os_string();
    file.push(".key");
    Ok(file.into())
}
