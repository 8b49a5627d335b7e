//! Folder of photos: files that are written once, under unique names.
//!
//! Input: bytes. Output: a name for the database. Invariants: a file is complete and on disk before
//! its name is returned; a name is never reused, so that removing a file cannot harm a process that
//! stores the same photo at that moment. The database's row makes a file a photo: a file without a
//! row was left by a killed process, and is swept.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tilesight_core::hex;
use tilesight_files::input;
use tilesight_files::private;

use super::make_folder;
use crate::random;
use crate::{PhotoId, StoreError};

/// Age from which a file without a row is litter: no process takes this long between writing a
/// file and writing its row.
const MAX_TEMPORARY_AGE: Duration = Duration::from_secs(3600);

/// Maximum size of a photo in bytes, far beyond any configured limit: a file outside the folder may
/// have been replaced by one that claims to be huge.
const MAX_BYTES: usize = 1 << 30;

/// Folder of photos.
#[derive(Debug)]
pub(super) struct PhotoFolder {
    folder: PathBuf,
}

impl PhotoFolder {
    /// Opens the folder, and creates it if it is missing.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when a file or a link is in its place; others when it can't be
    /// created.
    pub(super) fn open(folder: &Path) -> Result<PhotoFolder, StoreError> {
        PhotoFolder::check_place(folder)?;
        make_folder(folder)?;
        Ok(PhotoFolder { folder: folder.canonicalize()? })
    }

    /// Checks that a folder may be opened, and creates nothing. A missing folder is fine.
    ///
    /// # Errors
    /// As [`PhotoFolder::open`].
    pub(super) fn check_place(folder: &Path) -> Result<(), StoreError> {
        if folder.symlink_metadata().is_ok() { check_folder(folder) } else { Ok(()) }
    }

    /// Checks that photos can be found and written.
    ///
    /// # Errors
    /// When the folder is gone, or something else is in its place.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        check_folder(&self.folder)
    }

    /// Writes a photo and returns its name: its hash and a random number.
    pub(super) fn write(&self, photo: &PhotoId, bytes: &[u8]) -> io::Result<String> {
        let number = random::bytes::<8>().map_err(io::Error::other)?;
        let name = format!("{photo}-{}", hex::encode(&number));
        let mut new = private::options();
        let file = new.write(true).create_new(true).open(self.folder.join(&name));
        let written = file.and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        match written.and_then(|()| private::sync_folder(&self.folder)) {
            Ok(()) => Ok(name),
            Err(error) => {
                self.remove(&name);
                Err(error)
            }
        }
    }

    /// Returns the bytes of a file; `None` if it does not exist.
    pub(super) fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        read(&self.folder.join(name))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.folder.join(name).is_file()
    }

    /// Removes a file. A file that can't be removed now is swept later.
    pub(super) fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.folder.join(name));
    }

    /// Returns the names of files that are old enough that no process is still storing them.
    pub(super) fn old(&self, now: SystemTime) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for file in fs::read_dir(&self.folder)? {
            let file = file?;
            if private::is_older(&file, MAX_TEMPORARY_AGE, now) {
                names.push(file.file_name().to_string_lossy().into_owned());
            }
        }
        Ok(names)
    }
}

/// Refuses anything but a real folder.
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

/// Returns the bytes of a file; `None` if it does not exist.
pub(super) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match input::read(path, MAX_BYTES).map_err(io::Error::from) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
