//! Writer of a backup: a folder, or a zip archive.
//!
//! Input: files, one after the other. Output: the backup under its name. Everything is written into
//! a draft beside it, `NAME.unfinished`, which is renamed at the end; a draft that a killed process
//! left is removed by the next backup of that name.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};
use tilesight_core::hex;
use tilesight_files::private;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::error::BackupError;
use super::manifest::{FileEntry, MANIFEST, Manifest};

/// Extension of an archive.
const ARCHIVE: &str = "zip";
/// Permissions of a file in an archive.
const PRIVATE: u32 = 0o600;
/// Number of bytes that are copied at once.
const BUFFER: usize = 1 << 16;

/// Returns whether a path is to be an archive.
pub(super) fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ARCHIVE))
}

/// Returns whether something is in the place of a backup. An empty folder is not.
pub(super) fn is_taken(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(mut names) => is_archive(path) || names.next().is_some(),
        Err(_) => path.symlink_metadata().is_ok(),
    }
}

/// Backup that is being written.
pub(super) struct BackupWriter {
    target: PathBuf,
    draft: Draft,
    sink: Sink,
    created: SystemTime,
    files: Vec<FileEntry>,
}

/// Place of the content.
enum Sink {
    Folder(PathBuf),
    Archive { file: PathBuf, zip: Box<ZipWriter<File>> },
}

/// Folder beside the backup, which is removed on drop.
struct Draft(PathBuf);

impl Draft {
    fn new(target: &Path) -> io::Result<Draft> {
        let mut name = OsString::from(target.file_name().unwrap_or_default());
        name.push(".unfinished");
        let folder = target.with_file_name(name);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        private::create_folder(&folder)?;
        Ok(Draft(folder))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl BackupWriter {
    /// Begins a backup.
    ///
    /// # Errors
    /// When nothing can be written beside it.
    pub(super) fn create(target: &Path) -> io::Result<BackupWriter> {
        let target = std::path::absolute(target)?;
        let draft = Draft::new(&target)?;
        let content = draft.0.join("content");
        let sink = if is_archive(&target) {
            let file = private::options().write(true).create_new(true).open(&content)?;
            Sink::Archive { file: content, zip: Box::new(ZipWriter::new(file)) }
        } else {
            private::create_folder(&content)?;
            Sink::Folder(content)
        };
        Ok(BackupWriter { target, draft, sink, created: SystemTime::now(), files: Vec::new() })
    }

    /// Returns whether nothing was added.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the path of a file that is not part of the backup; an earlier one is removed.
    ///
    /// # Errors
    /// Any I/O error.
    pub(super) fn scratch(&self) -> io::Result<PathBuf> {
        let scratch = self.draft.0.join("scratch");
        match fs::remove_file(&scratch) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(scratch),
        }
    }

    /// Adds a file.
    ///
    /// # Errors
    /// When the file can't be read, or the backup can't be written.
    pub(super) fn add(&mut self, path: &str, content: &mut impl Read) -> Result<(), BackupError> {
        let entry = self.sink.write(path, content)?;
        self.files.push(entry);
        Ok(())
    }

    /// Completes the backup. Returns its manifest.
    ///
    /// # Errors
    /// Any I/O error.
    pub(super) fn finish(mut self) -> Result<Manifest, BackupError> {
        let created = humantime::format_rfc3339_seconds(self.created).to_string();
        let manifest = Manifest::new(created, std::mem::take(&mut self.files));
        let text = serde_json::to_vec_pretty(&manifest).expect("texts and numbers");
        tilesight_failpoint::point!("backup.manifest");
        self.sink.write(MANIFEST, &mut text.as_slice())?;
        let content = self.sink.finish()?;
        tilesight_failpoint::point!("backup.rename");
        fs::rename(&content, &self.target)?;
        if let Some(above) = self.target.parent() {
            private::sync_folder(above)?;
        }
        Ok(manifest)
    }
}

impl Sink {
    fn write(&mut self, path: &str, content: &mut impl Read) -> Result<FileEntry, BackupError> {
        match self {
            Sink::Folder(folder) => {
                let file = folder.join(path);
                private::create_folders(file.parent().unwrap_or(folder))?;
                let mut out = private::options().write(true).create_new(true).open(&file)?;
                let entry = copy(path, content, &mut out)?;
                out.sync_all()?;
                Ok(entry)
            }
            Sink::Archive { zip, .. } => {
                let options = SimpleFileOptions::default()
                    .compression_method(CompressionMethod::Deflated)
                    .large_file(true)
                    .unix_permissions(PRIVATE);
                zip.start_file(path, options)?;
                Ok(copy(path, content, zip)?)
            }
        }
    }

    /// Waits until everything is on disk, and returns the file or folder with the content.
    fn finish(self) -> Result<PathBuf, BackupError> {
        match self {
            Sink::Folder(folder) => {
                sync_folders(&folder)?;
                Ok(folder)
            }
            Sink::Archive { file, zip } => {
                zip.finish()?.sync_all()?;
                Ok(file)
            }
        }
    }
}

/// Waits until the names in a folder and in those below it are on disk.
fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    private::sync_folder(folder)
}

/// Copies a file, and returns its entry in the manifest.
fn copy(path: &str, content: &mut impl Read, out: &mut impl Write) -> io::Result<FileEntry> {
    let mut hash = Sha256::new();
    let mut bytes = 0;
    let mut buffer = vec![0; BUFFER];
    loop {
        let count = match content.read(&mut buffer) {
            Ok(0) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        hash.update(&buffer[..count]);
        out.write_all(&buffer[..count])?;
        bytes += count as u64;
    }
    Ok(FileEntry { path: path.to_owned(), bytes, sha256: hex::encode(&hash.finalize()) })
}
