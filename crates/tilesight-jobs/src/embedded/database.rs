//! File of the database: its creation, and the files that are refused.
//!
//! Input: the path of the database in a folder whose own path has no links. Output: a connection to
//! a database of this program. Invariants: the database's name always stands for a complete
//! database, because a new one is created under another name; an empty or foreign file under this
//! name was therefore put there by someone else, and is left unchanged; no link is followed; the
//! files that SQLite writes beside it are as private as the database itself.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OpenFlags};
use tilesight_core::hex;
use tilesight_files::private;

use super::schema;
use crate::StoreError;
use crate::random;

/// Maximum time to wait for another process that writes: longer than any transaction takes.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
/// Age from which an unfinished database counts as left by a killed process.
const MAX_DRAFT_AGE: Duration = Duration::from_secs(3600);

/// Opens the database, and creates it if it is missing.
///
/// # Errors
/// [`StoreError::Settings`] when the file is not this program's; [`StoreError::UnknownLayout`], and
/// others.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    if !exists(path)? {
        create(path)?;
    }
    let mut connection = open_file(path)?;
    check_owner(path, &connection)?;
    configure(&connection)?;
    schema::prepare(&mut connection)?;
    Ok(connection)
}

/// Checks that an existing database may be opened, and creates nothing.
///
/// # Errors
/// As [`open`].
pub(super) fn check_ours(path: &Path) -> Result<(), StoreError> {
    if exists(path)? { check_owner(path, &open_file(path)?) } else { Ok(()) }
}

fn check_owner(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let is_ours = schema::is_ours(connection).map_err(|error| match error.into() {
        StoreError::Corrupt { .. } => foreign(path, "is not a database"),
        error => error,
    });
    if is_ours? { Ok(()) } else { Err(foreign(path, "is a database of another program")) }
}

/// Opens a database that must exist.
///
/// # Errors
/// As [`open`], and [`StoreError::Settings`] when there is none.
pub(super) fn open_existing(path: &Path) -> Result<Connection, StoreError> {
    check(path)?;
    let connection = open_file(path)?;
    check_owner(path, &connection)?;
    Ok(connection)
}

/// Opens an additional connection to a database that [`open`] has checked.
pub(super) fn connect(path: &Path) -> Result<Connection, rusqlite::Error> {
    let connection = open_file(path)?;
    configure(&connection)?;
    Ok(connection)
}

/// Returns whether there is a database that may be opened. The files of the database are checked by
/// name only: opening and closing one would release this process's locks on it.
///
/// # Errors
/// [`StoreError::Settings`] when a link, a folder or an empty file is in its place, or in the place
/// of the files that SQLite writes beside it.
pub(super) fn exists(path: &Path) -> Result<bool, StoreError> {
    for beside in ["-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(beside);
        find_file(Path::new(&name))?;
    }
    match find_file(path)? {
        Some(found) if found.len() == 0 => Err(foreign(path, "is empty")),
        found => Ok(found.is_some()),
    }
}

/// Checks that the database still exists.
///
/// # Errors
/// [`StoreError::Settings`] when it is gone, or something else is in its place.
pub(super) fn check(path: &Path) -> Result<(), StoreError> {
    if exists(path)? { Ok(()) } else { Err(foreign(path, "is gone")) }
}

fn find_file(path: &Path) -> Result<Option<Metadata>, StoreError> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => {
            Err(foreign(path, "is a link, and links are not followed"))
        }
        Ok(found) if !found.is_file() => Err(foreign(path, "is not a file")),
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns an error that describes the fault of a file and the remedy.
fn foreign(path: &Path, fault: &str) -> StoreError {
    let reason = format!(
        "{} {fault}: restore it from a backup, or move it away to start with an empty store, or \
         name another folder",
        path.display()
    );
    StoreError::Settings { reason }
}

/// Creates a complete database under a temporary name, and links it to its final name. If another
/// process is faster, its database is kept.
fn create(path: &Path) -> Result<(), StoreError> {
    remove_old_drafts(path)?;
    let draft = Draft::new(path)?;
    let mut connection = connect(&draft.0)?;
    schema::prepare(&mut connection)?;
    // Moves the content of the log into the file, and removes the log.
    connection.close().map_err(|(_, error)| error)?;
    match fs::hard_link(&draft.0, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        // For file systems without hard links.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => fs::rename(&draft.0, path)?,
        result => result?,
    }
    Ok(path.parent().map_or(Ok(()), private::sync_folder)?)
}

/// Database that is being created; its temporary name is removed on drop.
struct Draft(PathBuf);

impl Draft {
    /// Creates the file, readable by its owner only: SQLite gives its log the same permissions.
    fn new(path: &Path) -> io::Result<Draft> {
        let number = random::bytes::<8>().map_err(io::Error::other)?;
        let mut name = draft_prefix(path);
        name.push_str(&hex::encode(&number));
        let draft = Draft(path.with_file_name(name));
        private::options().write(true).create_new(true).open(&draft.0)?;
        Ok(draft)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns the prefix of the names of drafts.
fn draft_prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}.new-")
}

/// Removes drafts of processes that were killed while they created a database.
fn remove_old_drafts(path: &Path) -> io::Result<()> {
    let prefix = draft_prefix(path);
    let now = SystemTime::now();
    for entry in fs::read_dir(path.parent().unwrap_or(path))? {
        let entry = entry?;
        let is_draft = entry.file_name().to_string_lossy().starts_with(&prefix);
        if is_draft && private::is_older(&entry, MAX_DRAFT_AGE, now) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Opens an existing file without changing it.
fn open_file(path: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(LOCK_TIMEOUT)?;
    Ok(connection)
}

/// Configures a connection so that commits survive a power cut unless the caller opts out.
fn configure(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    // For systems on which a plain fsync leaves data in the disk's own cache (macOS).
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // A long reader lets the log grow; this limit releases the space afterwards.
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;
    use crate::EmbeddedStore;

    fn refusal(folder: &Path) -> String {
        match EmbeddedStore::open(folder) {
            Err(StoreError::Settings { reason }) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn empty_and_foreign_files_are_refused_and_left_as_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("jobs.sqlite3");
        for (bytes, fault) in [(&b""[..], "is empty"), (&[b'x'; 5000], "is not a database")] {
            fs::write(&path, bytes).expect("written");
            let reason = refusal(folder.path());
            assert!(reason.contains(fault) && reason.contains("backup"), "{reason}");
            assert_eq!(fs::read(&path).expect("it is there"), bytes);
            assert!(!folder.path().join("photos").exists(), "nothing was made beside it");
        }
        fs::remove_file(&path).expect("removed");
        let theirs = Connection::open(&path).expect("a database");
        theirs.execute_batch("CREATE TABLE theirs (a)").expect("a table");
        drop(theirs);
        let before = fs::read(&path).expect("it is there");
        assert!(refusal(folder.path()).contains("another program"));
        assert_eq!(fs::read(&path).expect("it is there"), before);
        assert!(!folder.path().join("photos").exists(), "nothing was made beside it");
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("a folder");
        assert!(refusal(folder.path()).contains("is not a file"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let beside = ["-wal", "-shm", "-journal"].map(|end| format!("jobs.sqlite3{end}"));
        for name in
            ["jobs.sqlite3", "photos"].into_iter().chain(beside.each_ref().map(String::as_str))
        {
            let folder = tempfile::tempdir().expect("a folder");
            let target = folder.path().join("elsewhere");
            symlink(&target, folder.path().join(name)).expect("a link");
            let reason = refusal(folder.path());
            assert!(reason.contains("is a link") && reason.contains("another folder"), "{reason}");
            assert!(!target.exists(), "{name}: something was made behind the link");
        }
        // A link to the folder itself is allowed: it is the owner's way of naming it.
        let place = tempfile::tempdir().expect("a folder");
        let link = place.path().join("club");
        symlink(tempfile::tempdir().expect("a folder").keep(), &link).expect("a link");
        drop(EmbeddedStore::open(&link).expect("the folder behind it"));
        let private = fs::metadata(link.join("jobs.sqlite3")).expect("it is there").permissions();
        assert_eq!(private.mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_in_place_of_the_photos_is_refused_and_found_later() {
        let folder = tempfile::tempdir().expect("a folder");
        let photos = folder.path().join("photos");
        fs::write(&photos, b"").expect("a file");
        assert!(refusal(folder.path()).contains("is a file"));
        assert!(!folder.path().join("jobs.sqlite3").exists(), "nothing was made beside it");
        fs::remove_file(&photos).expect("removed");
        let store = EmbeddedStore::open(folder.path()).expect("a new store");
        assert_eq!(store.files.check(), Ok(()));
        fs::remove_dir(&photos).expect("removed");
        fs::write(&photos, b"").expect("a file");
        assert!(matches!(store.files.check(), Err(StoreError::Settings { .. })));
    }

    #[test]
    fn processes_that_start_at_once_make_one_database_and_leave_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| drop(EmbeddedStore::open(folder.path()).expect("a store")));
            }
        });
        let names = fs::read_dir(folder.path()).expect("it is there");
        let mut names: Vec<_> = names.map(|one| one.expect("it").file_name()).collect();
        names.retain(|name| !name.to_string_lossy().ends_with("-wal"));
        names.retain(|name| !name.to_string_lossy().ends_with("-shm"));
        names.sort();
        assert_eq!(names, ["jobs.sqlite3", "photos"]);
    }
}
