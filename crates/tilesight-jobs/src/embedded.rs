//! Back end that needs no installation: SQLite for everything but photos, and a folder for the
//! photos.
//!
//! `DIR/jobs.sqlite3` (with its `-wal` and `-shm` while it is open) and `DIR/photos/`. Several
//! processes of one machine may open the same folder; it must be a local one, because SQLite's
//! write-ahead log is shared memory. Only its owner can read any of it. Invariants: data that must
//! survive a power cut (jobs, items, outcomes, photos, documents, pushed tasks) is on disk when a
//! call returns; data that need not (leases, and that a task is done) is written without waiting
//! for the disk: after a loss, the outcomes in the store show which tasks are done.

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
mod snapshot;
mod writer;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tilesight_files::private;
use tokio::sync::Notify;

use self::files::PhotoFolder;
use self::readers::Readers;
pub use self::snapshot::LAYOUT;
use self::writer::{Safety, Writer};
use super::queue::LEASE;
use crate::{Backend, JobId, Name, PhotoId, QueueError, StoreError};

/// File of the database; SQLite's own files beside it have the same name with a suffix.
const DATABASE: &str = "jobs.sqlite3";
const PHOTOS: &str = "photos";

/// Queue and store in a folder.
#[derive(Debug)]
pub struct EmbeddedStore {
    // The readers are dropped first: the connection that is closed last cleans up.
    readers: Readers,
    writer: Writer,
    files: Arc<PhotoFolder>,
    database: PathBuf,
    lease: Duration,
    /// Time for which suspects are not read after a process has taken over the tasks of one that
    /// died.
    suspect_rest: Duration,
    /// Wakes callers in this process that wait for a task.
    pushed: Notify,
}

impl EmbeddedStore {
    /// Opens the folder, and creates it if it is missing.
    ///
    /// # Errors
    /// [`StoreError::Settings`] and [`StoreError::UnknownLayout`] when this program must not write
    /// to the folder, and others.
    pub fn open(folder: &Path) -> Result<EmbeddedStore, StoreError> {
        EmbeddedStore::open_with(folder, LEASE)
    }

    /// Like [`EmbeddedStore::open`], but with another lease time.
    ///
    /// # Errors
    /// As [`EmbeddedStore::open`].
    pub fn open_with(folder: &Path, lease: Duration) -> Result<EmbeddedStore, StoreError> {
        // Checked before anything is created: a refused folder stays unchanged.
        EmbeddedStore::check_folder(folder)?;
        if folder.is_dir() && !private::is_writable(folder) {
            let reason = format!(
                "{} can't be written to: give it to the user that runs the program (`chown`), mount it \
                 writable, or name another folder",
                folder.display()
            );
            return Err(StoreError::Settings { reason });
        }
        make_folder(folder)?;
        let folder = folder.canonicalize()?;
        let database = folder.join(DATABASE);
        let files = PhotoFolder::open(&folder.join(PHOTOS))?;
        let connection = database::open(&database)?;
        Ok(EmbeddedStore {
            readers: Readers::new(database.clone()),
            writer: Writer::start(connection)?,
            files: Arc::new(files),
            database,
            lease,
            suspect_rest: queue::SUSPECT_REST,
            pushed: Notify::new(),
        })
    }

    /// Returns this store with another rest of suspects, for tests: none waits for a clock.
    #[doc(hidden)]
    #[must_use]
    pub fn with_suspect_rest(self, suspect_rest: Duration) -> EmbeddedStore {
        EmbeddedStore { suspect_rest, ..self }
    }

    /// Checks that a folder may be opened, without changing anything in it. A missing folder is
    /// fine.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when something in the folder is not this program's, and others.
    pub fn check_folder(folder: &Path) -> Result<(), StoreError> {
        let folder = match folder.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            found => found?,
        };
        database::check_ours(&folder.join(DATABASE))?;
        PhotoFolder::check_place(&folder.join(PHOTOS))
    }

    /// Returns whether a folder has the database of such a store.
    #[must_use]
    pub fn has_data(folder: &Path) -> bool {
        folder.join(DATABASE).is_file()
    }

    /// Returns whether a name in the folder belongs to this back end.
    #[must_use]
    pub fn is_own_file(name: &OsStr) -> bool {
        name == PHOTOS || name.to_str().is_some_and(|name| name.starts_with(DATABASE))
    }

    /// Returns whether a folder is the photo folder of such a store.
    #[must_use]
    pub fn is_photo_folder(folder: &Path) -> bool {
        folder.file_name() == Some(OsStr::new(PHOTOS)) && folder.with_file_name(DATABASE).is_file()
    }

    /// Returns this store as both the queue and the store of a [`Backend`].
    #[must_use]
    pub fn backend(self: &Arc<EmbeddedStore>) -> Backend {
        Backend { queue: self.clone(), store: self.clone() }
    }

    /// Puts the tasks that a worker held when its process was killed back into the queue; the
    /// attempts count. The process that works under this name from now on must call this: otherwise
    /// the tasks stay held until their leases expire. Returns the number of tasks.
    ///
    /// # Errors
    /// [`QueueError`].
    pub async fn reclaim(&self, worker: &Name) -> Result<u64, QueueError> {
        queue::reclaim(self, worker).await
    }

    /// Keeps a photo for a job in place: the file is not copied, and still belongs to its owner. A
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

/// Failure point for tests: a full disk.
#[doc(hidden)]
impl EmbeddedStore {
    /// Limits the database to this number of pages; `None` removes the limit. Writes beyond the
    /// limit fail as on a full disk.
    pub async fn limit_pages(&self, max: Option<u32>) -> Result<(), StoreError> {
        // Largest number that SQLite accepts.
        let pragma = format!("PRAGMA max_page_count = {}", max.unwrap_or(4_294_967_294));
        self.writer.write(Safety::Kill, move |db| Ok(db.query_row(&pragma, [], |_| Ok(()))?)).await
    }
}

/// Creates a folder and its missing parents; their names are on disk when this returns.
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
        // Another process may have created it at the same time.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
        result => result?,
    }
    private::sync_folder(above)
}
