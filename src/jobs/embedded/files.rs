//! The folder of photos: files that are written once, under names that nobody had before.
//!
//! Input: bytes. Output: a name for the database. Invariants: a file is whole and on disk before
//! its name is handed out; a name is never used again, so that removing a file cannot harm anyone
//! who puts the same photo at that moment. The database's row makes a file a photo: a file without
//! one is litter of somebody who was killed, and is swept.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tilesight_core::hex;

use super::{make_folder, sync_folder};
use crate::input_file;
use crate::jobs::{PhotoId, StoreError};
use crate::private;
use crate::random;

/// Nobody takes so long from writing a file to writing its row.
const LITTER: Duration = Duration::from_secs(3600);

/// Bytes of a photo, far beyond what anybody allows: a file outside may have been replaced by one
/// that claims to be huge.
const MAX_BYTES: usize = 1 << 30;

/// The folder.
#[derive(Debug)]
pub(super) struct Files {
    folder: PathBuf,
}

impl Files {
    /// Opens the folder, which is made where it is missing.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when a file or a link is in its place; others when it can't be
    /// made.
    pub(super) fn open(folder: &Path) -> Result<Files, StoreError> {
        Files::check_place(folder)?;
        make_folder(folder)?;
        Ok(Files { folder: folder.canonicalize()? })
    }

    /// Checks that a folder may be opened, and makes nothing. One that is missing may.
    ///
    /// # Errors
    /// As [`Files::open`].
    pub(super) fn check_place(folder: &Path) -> Result<(), StoreError> {
        if folder.symlink_metadata().is_ok() { check_folder(folder) } else { Ok(()) }
    }

    /// Checks that photos can be looked for and written.
    ///
    /// # Errors
    /// When the folder is gone, or something else is in its place.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        check_folder(&self.folder)
    }

    /// Writes a photo and returns its name: its hash and a number that nobody had before.
    pub(super) fn write(&self, photo: &PhotoId, bytes: &[u8]) -> io::Result<String> {
        let number = random::bytes::<8>().map_err(io::Error::other)?;
        let name = format!("{photo}-{}", hex::of(&number));
        let mut new = private::options();
        let file = new.write(true).create_new(true).open(self.folder.join(&name));
        let written = file.and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        match written.and_then(|()| sync_folder(&self.folder)) {
            Ok(()) => Ok(name),
            Err(error) => {
                self.remove(&name);
                Err(error)
            }
        }
    }

    /// The bytes; `None` when there is no such file.
    pub(super) fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        read(&self.folder.join(name))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.folder.join(name).is_file()
    }

    /// Removes a file. What can't be removed now is litter, and swept later.
    pub(super) fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.folder.join(name));
    }

    /// The names of files that nobody is writing any more.
    pub(super) fn old(&self, now: SystemTime) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for file in fs::read_dir(&self.folder)? {
            let file = file?;
            if private::is_older(&file, LITTER, now) {
                names.push(file.file_name().to_string_lossy().into_owned());
            }
        }
        Ok(names)
    }
}

/// Refuses what is not a folder of its own.
fn check_folder(folder: &Path) -> Result<(), StoreError> {
    let found = folder.symlink_metadata()?;
    if found.is_dir() {
        return Ok(());
    }
    let fault =
        if found.is_symlink() { "is a link, and links are not followed" } else { "is a file" };
    let reason = format!(
        "{} {fault}: put the folder of photos back, or name another folder for the store",
        folder.display()
    );
    Err(StoreError::Settings { reason })
}

/// The bytes of a file; `None` when there is none.
pub(super) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match input_file::read(path, MAX_BYTES).map_err(io::Error::from) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
