//! `--set FILE`: the own sets that a command reads photos with; and the folder of sets of a
//! service.
//!
//! Input: files of sets. Output: the sets, and the choice of one of them; or a message that names
//! the file. Invariant: files that people name are read like photos, those that settings name like
//! keys.

use std::io;
use std::path::{Path, PathBuf};

use tilesight_core::contract::SetChoice;
use tilesight_files::{input, trusted};
use tilesight_vision::sets::{MAX_SET_BYTES, OwnSet};

use super::folder::list_files;

/// Extension of a set's file.
pub(in crate::cli) const EXTENSION: &str = "set";

/// Own sets of a command.
#[derive(Debug, Clone, Default, clap::Args)]
pub(in crate::cli) struct SetArgs {
    /// File of an own set, as `tilesight set learn` writes it: tiles are named with it where it
    /// explains the photo. Of several files, the set that explains a photo best is used
    #[arg(long = "set", value_name = "FILE.set")]
    files: Vec<PathBuf>,
}

impl SetArgs {
    /// Returns the files.
    pub(in crate::cli) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// Reads the sets.
    ///
    /// # Errors
    /// A message with the file and the reason why it can't be used.
    pub(in crate::cli) fn read(&self) -> Result<Vec<OwnSet>, String> {
        self.files.iter().map(|file| read(file)).collect()
    }
}

/// Returns the choice of a set for photos that are read with these.
pub(in crate::cli) fn choice(sets: &[OwnSet]) -> Option<SetChoice> {
    match sets {
        [] => None,
        [one] => Some(SetChoice::Named(one.name().clone())),
        _ => Some(SetChoice::Auto),
    }
}

/// Reads a set from the file that a person names.
///
/// # Errors
/// A message with the file and the reason why it can't be used.
pub(in crate::cli) fn read(file: &Path) -> Result<OwnSet, String> {
    let shown = file.display();
    let bytes = input::read(file, MAX_SET_BYTES).map_err(|error| format!("{shown}: {error}"))?;
    OwnSet::from_bytes(&bytes).map_err(|error| format!("{shown}: {error}"))
}

/// Returns the files of sets in a folder, sorted by name.
///
/// # Errors
/// Any I/O error.
pub(in crate::cli) fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    list_files(folder, EXTENSION)
}

/// Reads the sets of a folder that a setting names.
///
/// # Errors
/// A message with the file and the reason why it can't be used.
pub(in crate::cli) fn from_folder(folder: &Path) -> Result<Vec<OwnSet>, String> {
    let files = files(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    files.iter().map(|file| read_trusted(file)).collect()
}

/// Reads a set from a file that a setting names.
fn read_trusted(file: &Path) -> Result<OwnSet, String> {
    let shown = file.display();
    let text = trusted::read_to_string(file).map_err(|error| format!("{shown}: {error}"))?;
    OwnSet::from_bytes(text.as_bytes()).map_err(|error| format!("{shown}: {error}"))
}
