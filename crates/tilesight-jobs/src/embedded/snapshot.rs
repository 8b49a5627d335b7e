//! Copy of the database as of one moment, for a backup.
//!
//! Input: the folder of a store, which other processes may use meanwhile. Output: a complete
//! database in a new file, and the names of the photos that it keeps. Invariants: the copy is made
//! by SQLite's backup interface within one reading, so that it has all of a transaction or none; it
//! is a single file, which was checked; nothing is written to the store.

use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use tilesight_files::private;

use super::{DATABASE, EmbeddedStore, PHOTOS, database, schema};
use crate::StoreError;

/// Number that copies all pages in one step, which other processes can't come between.
const ALL_PAGES: i32 = -1;

/// Layout of the database that this program writes and reads.
pub const LAYOUT: u32 = schema::LAYOUT;

impl EmbeddedStore {
    /// Writes a copy of a folder's database, as of this moment, into a file that must not exist.
    /// Returns the names of the photos that the copy keeps: they are files of
    /// [`EmbeddedStore::photo_file`] unless their job was deleted meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when the folder has no database of this program,
    /// [`StoreError::Corrupt`] when the copy is not sound, and others.
    pub fn copy_database(folder: &Path, copy: &Path) -> Result<Vec<String>, StoreError> {
        let database = folder.canonicalize()?.join(DATABASE);
        let source = database::open_existing(&database)?;
        private::options().write(true).create_new(true).open(copy)?;
        let mut target = Connection::open_with_flags(
            copy,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        match Backup::new(&source, &mut target)?.step(ALL_PAGES)? {
            StepResult::Done => {}
            _ => return Err(StoreError::unavailable(&"the database is in use")),
        }
        // The copy has the mode of the source, whose log would be a second file.
        target.pragma_update(None, "journal_mode", "delete")?;
        check(&target)?;
        photos(&target)
    }

    /// Returns the file of the database in the folder of a store.
    #[must_use]
    pub fn database_file(folder: &Path) -> PathBuf {
        folder.join(DATABASE)
    }

    /// Returns the file of a photo in the folder of a store.
    #[must_use]
    pub fn photo_file(folder: &Path, name: &str) -> PathBuf {
        folder.join(PHOTOS).join(name)
    }
}

/// Checks that every page of a database can be read and is in its place.
fn check(database: &Connection) -> Result<(), StoreError> {
    let found: String = database.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(StoreError::corrupt(&found)) }
}

fn photos(database: &Connection) -> Result<Vec<String>, StoreError> {
    let mut select = database.prepare("SELECT file FROM photos WHERE NOT adopted ORDER BY file")?;
    let names = select.query_map([], |row| row.get(0))?.collect::<Result<_, _>>();
    Ok(names?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::Documents as _;

    #[tokio::test]
    async fn a_copy_of_a_store_in_use_has_what_was_saved_and_is_one_private_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        let store = EmbeddedStore::open(&data).expect("a store");
        let [kind, id] = ["kind", "id"].map(|name| name.parse().expect("a name"));
        store.save(&kind, &id, None, b"saved").await.expect("saved");
        let other = folder.path().join("other");
        fs::create_dir(&other).expect("a folder");
        let copy = EmbeddedStore::database_file(&other);
        assert_eq!(EmbeddedStore::copy_database(&data, &copy).expect("a copy"), [""; 0]);
        store.save(&kind, &"later".parse().expect("a name"), None, b"").await.expect("saved");
        let names = fs::read_dir(&other).expect("a folder").count();
        assert_eq!(names, 1, "no log beside the copy");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = copy.metadata().expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        EmbeddedStore::copy_database(&data, &copy).expect_err("the file exists");
        let copied = EmbeddedStore::open(&other).expect("a store");
        assert_eq!(copied.list(&kind).await.expect("a list"), [id]);
    }

    #[test]
    fn a_folder_without_a_database_is_refused_and_stays_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let copy = folder.path().join("copy");
        let refused = EmbeddedStore::copy_database(folder.path(), &copy);
        assert!(matches!(refused, Err(StoreError::Settings { .. })), "{refused:?}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
