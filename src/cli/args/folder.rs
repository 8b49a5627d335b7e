//! Folders that settings name: their files of one kind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the files of a folder with an extension, sorted by name.
pub(super) fn list_files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
