//! The back end with nothing to install: SQLite for everything but photos, a folder for those.
//!
//! `DIR/jobs.sqlite3` (with its `-wal` and `-shm` while it is open) and `DIR/photos/`. Several
//! processes of one machine may open the same folder; it has to be a local one, because SQLite's
//! write-ahead log is shared memory. Nobody but its owner reads any of it. Invariants: what must
//! outlive a power cut (jobs, items, outcomes, photos, documents, pushed tasks) is on disk when a
//! call returns; what may not (who holds which task, and that one is done) is written without
//! waiting for the disk, because the store says it again.

mod database;
mod documents;
mod fault;
mod files;
mod jobs;
mod photos;
mod queue;
mod readers;
mod rows;
mod schema;
mod writer;

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use self::files::Files;
use self::readers::Readers;
#[cfg(test)]
use self::writer::Safety;
use self::writer::Writer;
use super::queue::LEASE;
use super::{Backend, JobId, Name, PhotoId, QueueError, StoreError};
use crate::private;

/// The database; SQLite's own files beside it are called the same with something behind it.
const DATABASE: &str = "jobs.sqlite3";
const PHOTOS: &str = "photos";

/// A queue and a store in a folder.
#[derive(Debug)]
pub struct EmbeddedStore {
    // The readers are dropped first: who closes the last connection tidies up.
    readers: Readers,
    writer: Writer,
    files: Arc<Files>,
    database: PathBuf,
    lease: Duration,
    /// Tells those who wait for a task in this process that one waits for them.
    pushed: Notify,
}

impl EmbeddedStore {
    /// Opens the folder, which is made where it is missing, and brings an older layout up to date.
    ///
    /// # Errors
    /// [`StoreError::Settings`] and [`StoreError::Newer`] when it is not this program's to write
    /// to, and others.
    pub fn open(folder: &Path) -> Result<EmbeddedStore, StoreError> {
        EmbeddedStore::open_with(folder, LEASE)
    }

    /// The same with another time for leases.
    ///
    /// # Errors
    /// As [`EmbeddedStore::open`].
    pub fn open_with(folder: &Path, lease: Duration) -> Result<EmbeddedStore, StoreError> {
        // Before anything is made: a folder that is refused stays as it is.
        EmbeddedStore::check_folder(folder)?;
        make_folder(folder)?;
        let folder = folder.canonicalize()?;
        let database = folder.join(DATABASE);
        let files = Files::open(&folder.join(PHOTOS))?;
        let connection = database::open(&database)?;
        Ok(EmbeddedStore {
            readers: Readers::new(database.clone()),
            writer: Writer::start(connection)?,
            files: Arc::new(files),
            database,
            lease,
            pushed: Notify::new(),
        })
    }

    /// Checks that a folder may be opened, and changes nothing in it. One that is missing may.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when something in it is not this program's, and others.
    pub fn check_folder(folder: &Path) -> Result<(), StoreError> {
        let folder = match folder.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            found => found?,
        };
        database::check_ours(&folder.join(DATABASE))?;
        Files::check_place(&folder.join(PHOTOS))
    }

    /// Whether a name in the folder is one of this back end's.
    #[must_use]
    pub fn keeps(name: &OsStr) -> bool {
        name == PHOTOS || name.to_str().is_some_and(|name| name.starts_with(DATABASE))
    }

    /// Returns whether a folder is the folder of photos of such a store.
    #[must_use]
    pub fn is_photo_folder(folder: &Path) -> bool {
        folder.file_name() == Some(OsStr::new(PHOTOS)) && folder.with_file_name(DATABASE).is_file()
    }

    /// This as the queue and the store of a [`Backend`].
    #[must_use]
    pub fn backend(self: &Arc<EmbeddedStore>) -> Backend {
        let (queue, store) = (Arc::clone(self), Arc::clone(self));
        Backend { queue, store }
    }

    /// Lets the tasks wait again that a worker held when its process was killed; the attempts
    /// count. To be called by the process that works under this name from now on: otherwise nobody
    /// gets them before their leases run out. Returns how many there were.
    ///
    /// # Errors
    /// [`QueueError`].
    pub async fn reclaim(&self, worker: &Name) -> Result<u64, QueueError> {
        queue::reclaim(self, worker).await
    }

    /// Keeps a photo for a job where it is: nothing is copied, and the file stays its owner's. A
    /// file that is changed or removed before it was read counts as removed.
    ///
    /// # Errors
    /// [`StoreError::NoJob`], and others.
    pub async fn adopt_photo(
        &self,
        job: &JobId,
        photo: &PhotoId,
        path: &Path,
    ) -> Result<(), StoreError> {
        photos::adopt(self, job, photo, path).await
    }
}

/// The failure point of a disk without room.
#[cfg(test)]
impl EmbeddedStore {
    /// Lets the database grow to this many pages at most; without a number it has room again. What
    /// needs more fails as on a full disk.
    pub(crate) async fn limit_pages(&self, most: Option<u32>) -> Result<(), StoreError> {
        // The largest number that SQLite knows.
        let pragma = format!("PRAGMA max_page_count = {}", most.unwrap_or(4_294_967_294));
        let limit = move |db: &rusqlite::Connection| Ok(db.query_row(&pragma, [], |_| Ok(()))?);
        self.writer.write(Safety::Kill, limit).await
    }
}

/// Waits until the names in a folder are on disk. Where a folder can't be opened as a file
/// (Windows), there is nothing to wait for.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Makes a folder, and those above it, whose names are on disk when this returns.
fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let above = match folder.parent() {
        Some(above) if above.as_os_str().is_empty() => Path::new("."),
        Some(above) => above,
        None => return Ok(()),
    };
    make_folder(above)?;
    match private::create_folder(folder) {
        // Another process may have made it in this moment.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
        result => result?,
    }
    sync_folder(above)
}
