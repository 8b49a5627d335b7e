//! Checks the folder of `--out` before anything is written, so that no file of the user is
//! destroyed.
//!
//! Input: the folder, and the files that the batch reads. Output: [`OutError`] if a file of results
//! would overwrite a file that no batch wrote, or an input. A folder belongs to a batch if its
//! state has the id of a batch; if the state was deleted to start over, files are recognized by
//! their first bytes. Invariant: nothing is written here.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use tilesight_files::private;
use tilesight_jobs::batch::result_files::{TableFormats, is_result_file};
use tilesight_jobs::plan::{ID, OVERLAYS, STATE};

use crate::cli::output::file::{is_same_file, read_head};

/// Number of hex digits of a batch's id.
const ID_DIGITS: usize = 32;

/// Error when a folder can't be used for results. The user can correct it.
#[derive(Debug, thiserror::Error)]
pub(super) enum OutError {
    /// Error when the folder has files of the same names that no batch wrote.
    #[error(
        "--out {}: {} was not written by a batch and would be overwritten: name another folder, or add \
         --force",
        out.display(),
        file.display()
    )]
    Foreign { out: PathBuf, file: PathBuf },
    /// Error when a file of results is also an input of the batch.
    #[error(
        "--out {}: the input {} would be overwritten by the results: name another folder, or copy the \
         input",
        out.display(),
        input.display()
    )]
    Input { out: PathBuf, input: PathBuf },
    /// Error when this user may not write into the folder.
    #[error("--out {}: this folder can't be written to: name another one, or make it writable", .0.display())]
    ReadOnly(PathBuf),
    /// Error when the path is not a folder.
    #[error("--out {}: this is no folder: name a folder for the results", .0.display())]
    NoFolder(PathBuf),
}

/// Checks a folder of results.
///
/// # Errors
/// [`OutError`].
pub(super) fn check<'p>(
    out: &Path,
    inputs: impl Iterator<Item = &'p Path>,
    formats: TableFormats,
    force: bool,
) -> Result<(), OutError> {
    if !out.exists() {
        return Ok(());
    }
    if !out.is_dir() {
        return Err(OutError::NoFolder(out.to_owned()));
    }
    if !private::is_writable(out) {
        return Err(OutError::ReadOnly(out.to_owned()));
    }
    let results: Vec<PathBuf> = formats.file_names().map(|name| out.join(name)).collect();
    for input in inputs.filter(|input| input.is_file()) {
        if results.iter().any(|file| is_same_file(file, input)) {
            return Err(OutError::Input { out: out.to_owned(), input: input.to_owned() });
        }
    }
    if force || has_id(out) {
        return Ok(());
    }
    let state = Some(out.join(STATE)).filter(|state| !is_empty(state));
    let foreign = results.into_iter().find(|file| !may_be_replaced(file)).or(state);
    foreign.map_or(Ok(()), |file| Err(OutError::Foreign { out: out.to_owned(), file }))
}

/// Returns whether a batch has worked in a folder.
fn has_id(out: &Path) -> bool {
    let id = read_head(&out.join(STATE).join(ID)).unwrap_or_default();
    id.len() == ID_DIGITS && id.iter().all(u8::is_ascii_hexdigit)
}

/// Returns whether the folder of state is missing or has only files of a batch that ended at once.
fn is_empty(state: &Path) -> bool {
    match fs::read_dir(state) {
        Ok(entries) => entries.flatten().all(|entry| is_early(&entry.file_name())),
        Err(_) => fs::symlink_metadata(state).is_err(),
    }
}

/// Returns whether a batch that ends at once leaves a file of this name in its state.
fn is_early(name: &OsStr) -> bool {
    name == "lock" || name == OVERLAYS || name == ID
}

/// Returns whether a file of results is missing, empty, or one that a batch wrote.
fn may_be_replaced(file: &Path) -> bool {
    let Some(head) = read_head(file) else { return fs::symlink_metadata(file).is_err() };
    head.is_empty() || is_result_file(file, &head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_somebody_else_is_overwritten_by_force_alone() {
        let folder = std::env::temp_dir().join(format!("tilesight-out-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let formats = TableFormats { workbook: true, ..TableFormats::default() };
        for name in formats.file_names() {
            let file = folder.join(name);
            fs::write(&file, "name,phone\nKim,123\n").expect("a file");
            assert!(check(&folder, std::iter::empty(), formats, false).is_err(), "{name}");
            assert!(check(&folder, std::iter::empty(), formats, true).is_ok(), "{name} by force");
            fs::write(&file, "").expect("a file");
            assert!(check(&folder, std::iter::empty(), formats, false).is_ok(), "{name} is empty");
            fs::remove_file(&file).expect("its own file");
        }
        fs::remove_dir_all(folder).expect("its own folder");
    }
}
