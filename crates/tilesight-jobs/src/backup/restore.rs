//! Restore of a backup into empty places.
//!
//! Input: a backup that was checked, and places. Output: the files in their places, private.
//! Invariants: nothing is overwritten; if something fails, what was written is removed; a restore
//! that was killed leaves [`MARK`] in the folder of jobs, with which no service may start.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tilesight_files::private;

use super::error::BackupError;
use super::manifest::FileEntry;
use super::parts::{Part, Places};
use super::reader::BackupReader;

/// File in the folder of jobs while a backup is restored into it.
pub const MARK: &str = "restoring";

/// Place that a part is restored to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The part.
    pub part: Part,
    /// File or folder.
    pub place: PathBuf,
}

/// Returns the places of the parts that a backup has. The folder of jobs must be there, because the
/// place of the key beside it depends on the links that lead to it.
///
/// # Errors
/// [`BackupError::NoPlace`], [`BackupError::Taken`], [`BackupError::CutOff`], and others.
pub fn targets(backup: &BackupReader, places: &Places) -> Result<Vec<Target>, BackupError> {
    let mut parts: Vec<Part> = paths(backup).map(|(part, ..)| part).collect();
    parts.sort_unstable();
    parts.dedup();
    if let Some(folder) = &places.jobs {
        check_restored(folder)?;
    }
    let mut targets = Vec::new();
    let mut taken = Vec::new();
    for part in parts {
        let place = places.place(part).ok_or(BackupError::NoPlace(part))?;
        if !is_empty(place).map_err(|error| BackupError::file(place, error))? {
            taken.push(place.display().to_string());
        }
        targets.push(Target { part, place: place.to_owned() });
    }
    if taken.is_empty() { Ok(targets) } else { Err(BackupError::Taken(taken.join(" and in "))) }
}

/// Checks that no restore into a folder was cut off.
///
/// # Errors
/// [`BackupError::CutOff`].
pub fn check_restored(folder: &Path) -> Result<(), BackupError> {
    let mark = folder.join(MARK);
    if mark.symlink_metadata().is_ok() { Err(BackupError::CutOff(mark)) } else { Ok(()) }
}

/// Returns the files of a backup with their parts and their paths within them.
fn paths(backup: &BackupReader) -> impl Iterator<Item = (Part, &Path, &FileEntry)> {
    backup.manifest().files.iter().filter_map(|file| {
        let (part, rest) = Part::split(&file.path)?;
        Some((part, rest, file))
    })
}

/// Returns whether a place is missing or an empty folder.
fn is_empty(place: &Path) -> io::Result<bool> {
    match place.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Ok(found) if found.is_dir() => Ok(fs::read_dir(place)?.next().is_none()),
        Ok(_) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes the files of a backup into their places, the database last.
///
/// # Errors
/// [`BackupError`]; what was written is then removed.
pub fn restore(backup: &mut BackupReader, targets: &[Target]) -> Result<(), BackupError> {
    let mark = targets
        .iter()
        .find(|target| target.part == Part::Jobs)
        .map(|target| target.place.join(MARK));
    let mut written = Written::default();
    if let Some(mark) = &mark {
        written.create(mark)?.sync_all()?;
        private::sync_folder(mark.parent().unwrap_or(mark))?;
    }
    let mut files: Vec<(PathBuf, FileEntry)> = Vec::new();
    for Target { part, place } in targets {
        let of_part = paths(backup).filter(|(of, ..)| of == part);
        files.extend(of_part.map(|(_, rest, file)| (join(place, rest), file.clone())));
    }
    let database = Part::Jobs.database();
    files.sort_by_key(|(_, file)| file.path == database);
    for (target, file) in &files {
        let restored = written.create(target).map_err(BackupError::from).and_then(|mut out| {
            backup.copy(file, &mut out)?;
            Ok(out.sync_all()?)
        });
        restored.map_err(|error| match error {
            BackupError::Io(error) => BackupError::file(target, error),
            error => error,
        })?;
        tilesight_failpoint::point!("restore.file", "{}", file.path);
    }
    for folder in &written.folders {
        private::sync_folder(folder)?;
    }
    written.keep();
    if let Some(mark) = &mark {
        fs::remove_file(mark).map_err(|error| BackupError::file(mark, error))?;
    }
    Ok(())
}

/// Joins a place and the rest of a path, which is empty for a part that is one file.
fn join(place: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { place.to_owned() } else { place.join(rest) }
}

/// Files that were written, and are removed on drop with the folders that were made for them,
/// unless they are kept.
#[derive(Debug, Default)]
struct Written {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    /// Folders that were missing, those above others first.
    made: Vec<PathBuf>,
}

impl Written {
    /// Creates a private file, and the missing folders above it.
    fn create(&mut self, path: &Path) -> io::Result<File> {
        if let Some(above) = path.parent() {
            if !above.as_os_str().is_empty() && !above.is_dir() {
                let missing: Vec<&Path> =
                    above.ancestors().take_while(|folder| !folder.exists()).collect();
                private::create_folders(above)?;
                self.made.extend(missing.into_iter().rev().map(Path::to_owned));
            }
            if !self.folders.iter().any(|folder| folder == above) {
                self.folders.push(above.to_owned());
            }
        }
        let file = private::options().write(true).create_new(true).open(path)?;
        self.files.push(path.to_owned());
        Ok(file)
    }

    fn keep(&mut self) {
        self.files.clear();
        self.made.clear();
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        for file in self.files.iter().rev() {
            let _ = fs::remove_file(file);
        }
        for folder in self.made.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_that_were_written_are_removed_unless_they_are_kept() {
        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join("jobs/photos/one");
        let mut written = Written::default();
        written.create(&file).expect("a file");
        drop(written);
        assert_eq!(fs::read_dir(place.path()).expect("it was there before").count(), 0);
        let mut written = Written::default();
        written.create(&file).expect("a file");
        written.keep();
        drop(written);
        assert!(file.exists());
    }
}
