//! The folder of a batch: `DIR` with the results, `DIR/state` with the data that resuming needs.
//!
//! Invariant: only one process at a time works in a folder. The lock is the operating system's, so
//! that it is released however the process ends.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::random;

/// Name of the folder below the results.
pub const STATE: &str = "state";
/// Name of the lock file, which keeps other processes out.
const LOCK: &str = "lock";
/// Name of the file with the folder's id, by which its jobs differ from those of every other
/// folder.
pub const ID: &str = "id";
/// Name of the folder for overlays, below the results; that of the same name below the state is for
/// photos whose rows are not written yet.
pub const OVERLAYS: &str = "overlays";

/// Error when a folder can't be used by a batch.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Error when another process works in the folder.
    #[error("another batch is working in {}", .0.display())]
    Busy(PathBuf),
    /// Error when the folder can't be created or written to.
    #[error("{} cannot be written to", .0.display())]
    ReadOnly(PathBuf, #[source] io::Error),
    /// Error when a file in it can't be used.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// A folder of results while this process works in it.
#[derive(Debug)]
pub struct BatchFolder {
    folder: PathBuf,
    id: String,
    _lock: File,
}

impl BatchFolder {
    /// Creates the folder if it is missing, and locks it.
    ///
    /// # Errors
    /// When another process works in the folder, or it can't be written to.
    pub fn take(out: &Path) -> Result<BatchFolder, FolderError> {
        let folder = out.join(STATE);
        fs::create_dir_all(folder.join(OVERLAYS))
            .map_err(|error| FolderError::ReadOnly(out.to_owned(), error))?;
        // Not truncated, even if it is a link to another file.
        let lock = File::options().create(true).append(true).open(folder.join(LOCK))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FolderError::Busy(out.to_owned())),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let id = id(&folder.join(ID))?;
        Ok(BatchFolder { folder, id, _lock: lock })
    }

    /// Returns the folder of the queue and the store.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the unique id of the folder.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the folder in which overlays wait until their rows are written.
    #[must_use]
    pub fn drawings(&self) -> PathBuf {
        self.folder.join(OVERLAYS)
    }
}

/// Returns whether a batch writes or has written its results into a folder.
pub(super) fn has_results(folder: &Path) -> bool {
    let state = folder.join(STATE);
    [LOCK, ID].iter().all(|name| state.join(name).is_file())
}

/// Returns the id of a folder, which is chosen at its first use.
fn id(file: &Path) -> io::Result<String> {
    match fs::read_to_string(file) {
        Ok(id) if !id.is_empty() => Ok(id),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        // A kill or a power cut may leave an empty file.
        _ => {
            let id = random::id().map_err(io::Error::other)?;
            fs::write(file, &id)?;
            Ok(id)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_batch_at_a_time_and_one_id() {
        let out = std::env::temp_dir().join(format!("tilesight-state-{}", std::process::id()));
        let state = BatchFolder::take(&out).expect("free");
        let id = state.id().to_owned();
        assert_eq!(id.len(), 32);
        let error = BatchFolder::take(&out).expect_err("taken");
        assert!(matches!(error, FolderError::Busy(_)), "{error:?}");
        drop(state);
        assert!(has_results(&out) && !has_results(&out.join(STATE)));
        assert_eq!(BatchFolder::take(&out).expect("free again").id(), id);
        fs::remove_dir_all(out).expect("its own folder");
    }
}
