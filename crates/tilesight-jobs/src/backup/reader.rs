//! Reader of a backup, which checks everything that it reads.
//!
//! Input: the path of a backup, which may be damaged. Output: its manifest, and its files one by
//! one. Invariants: no file is read that the manifest does not list; a file counts as read only if
//! its size and hash are those of the manifest; a path of the manifest stays within its part.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tilesight_core::hex;
use tilesight_files::input;
use zip::ZipArchive;
use zip::result::ZipError;

use super::error::BackupError;
use super::manifest::{FileEntry, MANIFEST, MAX_BYTES, Manifest};
use super::parts::Part;

/// Number of bytes that are copied at once.
const BUFFER: usize = 1 << 16;

/// Backup that is read.
#[derive(Debug)]
pub struct BackupReader {
    place: Place,
    manifest: Manifest,
}

#[derive(Debug)]
enum Place {
    Folder(PathBuf),
    Archive(Box<ZipArchive<File>>),
}

impl BackupReader {
    /// Opens a backup and reads its manifest.
    ///
    /// # Errors
    /// [`BackupError`].
    pub fn open(path: &Path) -> Result<BackupReader, BackupError> {
        let mut place = if path.is_dir() {
            Place::Folder(path.to_owned())
        } else {
            let (file, _) = input::open(path).map_err(io::Error::from)?;
            let archive =
                ZipArchive::new(file).map_err(|error| BackupError::Archive(error.to_string()))?;
            Place::Archive(Box::new(archive))
        };
        let mut text = Vec::new();
        let read = place.with_file(MANIFEST, |file| {
            file.take(MAX_BYTES as u64).read_to_end(&mut text).map(drop)
        });
        match read {
            Err(BackupError::Missing(_)) => return Err(BackupError::Incomplete),
            read => read?,
        }
        let manifest = Manifest::parse(&text)?;
        let mut paths: Vec<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
        paths.sort_unstable();
        let twice = paths.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        match paths.iter().find(|path| Part::split(path).is_none()).copied().or(twice) {
            Some(path) => Err(BackupError::Path(path.to_owned())),
            None => Ok(BackupReader { place, manifest }),
        }
    }

    /// Returns the manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Reads every file, and checks it.
    ///
    /// # Errors
    /// [`BackupError`] for the first file that is damaged.
    pub fn check(&mut self) -> Result<(), BackupError> {
        for file in self.manifest.files.clone() {
            self.copy(&file, &mut io::sink())?;
        }
        Ok(())
    }

    /// Copies a file of the manifest. If it fails, what was written is not to be used.
    ///
    /// # Errors
    /// [`BackupError`].
    pub(super) fn copy(
        &mut self,
        entry: &FileEntry,
        out: &mut impl Write,
    ) -> Result<(), BackupError> {
        let mut found = (0, String::new());
        let copied = self.place.with_file(&entry.path, |file| {
            found = copy(file, entry.bytes, out)?;
            Ok(())
        });
        match copied {
            // An archive that can't be unpacked, or has another checksum.
            Err(BackupError::Io(error)) if is_damage(error.kind()) => {
                return Err(BackupError::Changed(entry.path.clone()));
            }
            copied => copied?,
        }
        if found == (entry.bytes, entry.sha256.clone()) {
            Ok(())
        } else {
            Err(BackupError::Changed(entry.path.clone()))
        }
    }
}

/// Returns whether an error comes from the content of an archive.
fn is_damage(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(kind, InvalidData | InvalidInput | UnexpectedEof)
}

impl Place {
    /// Opens a file and reads it.
    fn with_file(
        &mut self,
        path: &str,
        read: impl FnOnce(&mut dyn Read) -> io::Result<()>,
    ) -> Result<(), BackupError> {
        match self {
            Place::Folder(folder) => match input::open(&folder.join(path)).map_err(io::Error::from)
            {
                Ok((mut file, _)) => Ok(read(&mut file)?),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Err(BackupError::Missing(path.to_owned()))
                }
                Err(error) => Err(error.into()),
            },
            Place::Archive(archive) => match archive.by_name(path) {
                Ok(mut file) => Ok(read(&mut file)?),
                Err(ZipError::FileNotFound) => Err(BackupError::Missing(path.to_owned())),
                Err(error) => Err(error.into()),
            },
        }
    }
}

/// Copies at most one byte more than a file should have. Returns its size and hash.
fn copy(file: &mut dyn Read, bytes: u64, out: &mut impl Write) -> io::Result<(u64, String)> {
    let mut file = file.take(bytes.saturating_add(1));
    let mut hash = Sha256::new();
    let mut size = 0;
    let mut buffer = vec![0; BUFFER];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok((size, hex::encode(&hash.finalize())));
        }
        hash.update(&buffer[..count]);
        out.write_all(&buffer[..count])?;
        size += count as u64;
    }
}
