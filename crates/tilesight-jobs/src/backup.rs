//! Backups: a copy of everything that a service stores, also while it runs, and its way back.
//!
//! Input: the places of a service. Output: a folder, or a zip archive if its name ends in `.zip`,
//! with a manifest of all files and their hashes. Photos are written before the database names them
//! and removed after it has forgotten them, so the database is copied first and then the photos
//! that this copy names; if one vanished meanwhile, the database is copied again. Invariants: the
//! backup appears under its name only when it is complete and on disk; nobody but its owner can
//! read it; nothing of the service is changed.

mod error;
mod manifest;
mod parts;
mod reader;
mod restore;
mod writer;

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;

pub use self::error::BackupError;
pub use self::manifest::{FileEntry, Manifest, ManifestError};
pub use self::parts::{Part, Places};
pub use self::reader::BackupReader;
pub use self::restore::{MARK, Target, check_restored, restore, targets};

use self::parts::Source;
use self::writer::BackupWriter;
use crate::EmbeddedStore;

/// Maximum number of copies of the database. Another one is made only if photos of the last one
/// were removed before they could be copied.
const MAX_COPIES: usize = 5;

/// Result of a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedBackup {
    /// Manifest of the backup.
    pub manifest: Manifest,
    /// Number of photos of jobs that are missing in the folder of the service.
    pub missing: usize,
}

/// Writes everything that the places have into a backup.
///
/// # Errors
/// [`BackupError`]; then there is no backup.
pub fn save(places: &Places, to: &Path) -> Result<SavedBackup, BackupError> {
    if writer::is_taken(to) {
        return Err(BackupError::Exists(to.to_owned()));
    }
    let mut writer = BackupWriter::create(to).map_err(|error| BackupError::file(to, error))?;
    let mut missing = 0;
    if let Some(folder) = places.jobs.as_deref().filter(|folder| EmbeddedStore::has_data(folder)) {
        missing = save_jobs(&mut writer, folder)?;
    }
    for part in Part::ALL {
        for unit in places.sources(part)? {
            save_unit(&mut writer, &unit)?;
        }
    }
    if writer.is_empty() {
        return Err(BackupError::Nothing);
    }
    Ok(SavedBackup { manifest: writer.finish()?, missing })
}

/// Saves the database of a folder and the photos that it names. Returns how many of them are
/// missing.
fn save_jobs(writer: &mut BackupWriter, folder: &Path) -> Result<usize, BackupError> {
    let mut copied = BTreeSet::new();
    for attempt in 1.. {
        let copy = writer.scratch()?;
        let names = EmbeddedStore::copy_database(folder, &copy)
            .map_err(|error| BackupError::Store { path: folder.to_owned(), error })?;
        tilesight_failpoint::point!("backup.database");
        let mut missing = 0;
        for name in names {
            if copied.contains(&name) {
                continue;
            }
            let file = EmbeddedStore::photo_file(folder, &name);
            match open(&file)? {
                Some(mut photo) => {
                    writer.add(&Part::Jobs.photo(&name), &mut photo)?;
                    copied.insert(name);
                    tilesight_failpoint::point!("backup.photo");
                }
                None => missing += 1,
            }
        }
        // What is still missing after several copies was removed from outside.
        if missing == 0 || attempt == MAX_COPIES {
            writer.add(&Part::Jobs.database(), &mut File::open(&copy)?)?;
            return Ok(missing);
        }
    }
    Ok(0)
}

/// Saves files that belong together, or none of them if one has been removed meanwhile. All are
/// open before the first is copied, and an open file can't be removed.
fn save_unit(writer: &mut BackupWriter, unit: &[Source]) -> Result<(), BackupError> {
    let mut opened = Vec::new();
    for source in unit {
        let file = open(&source.file)?;
        let Some(file) = file else { return Ok(()) };
        opened.push((&source.path, file));
    }
    for (path, mut file) in opened {
        writer.add(path, &mut file)?;
        tilesight_failpoint::point!("backup.file");
    }
    Ok(())
}

/// Opens a regular file; `None` if there is none.
fn open(file: &Path) -> Result<Option<File>, BackupError> {
    match tilesight_files::input::open(file).map_err(io::Error::from) {
        Ok((file, _)) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BackupError::file(file, error)),
    }
}
