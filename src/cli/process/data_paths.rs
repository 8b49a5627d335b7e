//! Places where the service keeps data that its settings do not name.

use std::io;
use std::path::{Path, PathBuf};

use tilesight_files::private;

/// Folder for archives while they are unpacked, in the folder of jobs.
pub(in crate::cli) const INCOMING: &str = "incoming";

/// Checks that this folder may be used, without creating it. A missing folder is fine.
///
/// # Errors
/// A message that says what has its name instead, and what to do.
pub(in crate::cli) fn check_incoming(folder: &Path) -> anyhow::Result<()> {
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

/// Checks that the service can use a folder, or create it. Returns a note if it will create it.
///
/// # Errors
/// A message that says what is in its place or who may not write, and what to do.
pub(in crate::cli) fn check_usable(folder: &Path) -> anyhow::Result<Option<String>> {
    let place = folder.display();
    if folder.symlink_metadata().is_ok() {
        anyhow::ensure!(folder.is_dir(), "{place} is not a folder: remove it, or name another one");
        anyhow::ensure!(private::is_writable(folder), "{}", read_only_advice(folder));
        return Ok(None);
    }
    let absolute = std::path::absolute(folder)?;
    let above = absolute
        .ancestors()
        .skip(1)
        .find(|above| above.symlink_metadata().is_ok())
        .unwrap_or(Path::new("/"));
    anyhow::ensure!(
        above.is_dir(),
        "{place} can't be created, because {} is not a folder",
        above.display()
    );
    anyhow::ensure!(private::is_writable(above), "{}", read_only_advice(above));
    Ok(Some(format!("{place} does not exist yet: `tilesight serve` creates it")))
}

/// Returns the advice for a folder that this user may not write into.
pub(in crate::cli) fn read_only_advice(folder: &Path) -> String {
    format!(
        "{} can't be written to: give it to the user that runs the service (`chown`), mount it \
         writable, or name another folder",
        folder.display()
    )
}

/// Returns the path of the key that seals secrets: `FOLDER.key` beside the folder of jobs, so that
/// a copy of the folder does not contain the key.
pub(in crate::cli) fn seal_key(folder: &Path) -> io::Result<PathBuf> {
    let mut file = folder.canonicalize()?.into_os_string();
    file.push(".key");
    Ok(file.into())
}
