//! Errors of backups.

use std::io;
use std::path::{Path, PathBuf};

use zip::result::ZipError;

use super::manifest::{MANIFEST, ManifestError};
use super::parts::Part;
use crate::StoreError;

/// Error when a backup can't be written, read or restored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// Other files are in the place of the backup: name another one.
    #[error("{} exists: name another place for the backup", .0.display())]
    Exists(PathBuf),
    /// The service stores nothing.
    #[error("there is nothing to save: the settings name no stored data")]
    Nothing,
    /// The path has no complete backup.
    #[error("this is not a complete backup: {MANIFEST} is missing")]
    Incomplete,
    /// The archive can't be read.
    #[error("this is not an archive, or it is damaged ({0})")]
    Archive(String),
    /// The manifest can't be used.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The manifest lists a path that no backup has, or one twice.
    #[error("{MANIFEST} lists {0:?}, which no backup has")]
    Path(String),
    /// A file is missing.
    #[error("the backup is damaged: {0} is missing")]
    Missing(String),
    /// A file differs from what was written.
    #[error("the backup is damaged: {0} differs from what was written")]
    Changed(String),
    /// The service has no place for a part: the operator can set one.
    #[error(
        "the backup has {}, and the settings name no place for it: set {}",
        .0.name(),
        .0.setting()
    )]
    NoPlace(Part),
    /// Places are not empty: the operator can move away what is there.
    #[error(
        "a backup is restored into empty places only, and something is in {0}: stop the service, and \
         move it away"
    )]
    Taken(String),
    /// A restore is going on, or was cut off.
    #[error(
        "{} shows that a backup is being restored here, or that this was cut off: if no `tilesight \
         restore` runs, remove what is in this folder and the other restored files, and restore the \
         backup again",
        .0.display()
    )]
    CutOff(PathBuf),
    /// The store of jobs can't be copied.
    #[error("{}: {error}", path.display())]
    Store {
        /// Folder of the store.
        path: PathBuf,
        /// Error of the store.
        error: StoreError,
    },
    /// A file can't be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
    /// The system can't read or write.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl BackupError {
    /// Returns the error of a file.
    pub(super) fn file(path: &Path, error: io::Error) -> BackupError {
        BackupError::File { path: path.to_owned(), error }
    }

    /// Returns whether the arguments or the backup are at fault, and not this machine.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        !matches!(
            self,
            BackupError::Nothing
                | BackupError::Store { .. }
                | BackupError::File { .. }
                | BackupError::Io(_)
        )
    }
}

impl From<ZipError> for BackupError {
    fn from(error: ZipError) -> BackupError {
        match error {
            ZipError::Io(error) => BackupError::Io(error),
            error => BackupError::Archive(error.to_string()),
        }
    }
}
