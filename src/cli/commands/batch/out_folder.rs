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
use tilesight_jobs::batch::result_files::{ERRORS, RESULTS, SUMMARY, TABLE, TEXT};

use super::state::{ID, STATE};
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
    let results = [RESULTS, ERRORS, TABLE, SUMMARY, TEXT].map(|name| out.join(name));
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
    name == "lock" || name == "overlays" || name == ID
}

/// Returns whether a file of results is missing, empty, or one that a batch wrote.
fn may_be_replaced(file: &Path) -> bool {
    let Some(head) = read_head(file) else { return fs::symlink_metadata(file).is_err() };
    let decoded = String::from_utf8_lossy(&head);
    let text = decoded.trim_start_matches('\u{feff}');
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    head.is_empty()
        || match name {
            RESULTS | ERRORS => text.starts_with("{\"id\":"),
            TABLE => begins_as_table(text),
            SUMMARY => text.trim_start_matches(['{', '\n', ' ']).starts_with("\"photos\":"),
            _ => text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" photo"),
        }
}

/// Returns whether the first columns are those of a table of results, with any separator.
fn begins_as_table(text: &str) -> bool {
    let line = text.lines().find(|line| !line.starts_with("sep=")).unwrap_or_default();
    line.split([',', ';', '\t']).take(3).eq(["id", "index", "status"])
}

#[cfg(test)]
mod tests {
    use tilesight_jobs::batch::{Summary, Table};

    use super::*;

    #[test]
    fn own_files_are_recognised_without_the_state() {
        let folder = std::env::temp_dir().join(format!("tilesight-out-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let mut table = Vec::new();
        drop(Table::new(&mut table).expect("memory"));
        let mut summary = Vec::new();
        Summary::default().write_json(&mut summary).expect("memory");
        let excel = [b"\xef\xbb\xbfsep=;\r\nid;index;status;x\r\n".to_vec()].concat();
        for (name, own) in [
            (RESULTS, br#"{"id":"a.jpg","index":0,"error":{}}"#.to_vec()),
            (ERRORS, Vec::new()),
            (TABLE, table),
            (TABLE, excel),
            (SUMMARY, summary),
            (TEXT, Summary::default().to_string().into_bytes()),
        ] {
            let file = folder.join(name);
            assert!(may_be_replaced(&file), "{name} is missing");
            fs::write(&file, own).expect("a file");
            assert!(may_be_replaced(&file), "{name}");
            fs::write(&file, "name,phone\nKim,123\n").expect("a file");
            assert!(!may_be_replaced(&file), "{name} of somebody else");
            assert!(check(&folder, std::iter::empty(), false).is_err(), "{name}");
            assert!(check(&folder, std::iter::empty(), true).is_ok(), "{name} by force");
            fs::remove_file(&file).expect("its own file");
        }
        fs::remove_dir_all(folder).expect("its own folder");
    }
}
