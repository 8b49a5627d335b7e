//! Layout of the database.
//!
//! Invariant: a database of another layout is left unchanged.

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;

/// Application id that identifies a database of this program: "Tile" in ASCII.
const APPLICATION: i32 = 0x5469_6c65;
/// Number of the layout. A changed layout has another number; 1 to 4 were other layouts.
pub(super) const LAYOUT: u32 = 5;

/// Tables. Keys and ids are hex, as people see them elsewhere; times are milliseconds since 1970.
///
/// - An item's state is 0 while it waits, 1 when it has its outcome, 2 when its job was cancelled
///   before.
/// - A job counts for a client, with the bytes that it keeps.
/// - The tasks of several clients are interleaved: `turn` is the scheduling round in which a task
///   is read, and `lines` has each client's next round.
/// - An attempt is a reading that began. It counts against its photo only if it failed, which
///   includes that its process died while it read nothing else.
const TABLES: &str = "
CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT,
    client TEXT,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    extra TEXT NOT NULL,
    sealed INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER,
    finished INTEGER,
    total INTEGER NOT NULL DEFAULT 0,
    read INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_unfinished ON jobs (id) WHERE finished IS NULL;
CREATE INDEX jobs_by_client ON jobs (client, bytes);

CREATE TABLE items (
    job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    id TEXT NOT NULL,
    key TEXT,
    task TEXT,
    refused TEXT,
    state INTEGER NOT NULL,
    PRIMARY KEY (job, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX items_by_key ON items (key, state);

CREATE TABLE outcomes (
    key TEXT NOT NULL PRIMARY KEY,
    json TEXT NOT NULL
) STRICT;

CREATE TABLE photos (
    photo TEXT NOT NULL PRIMARY KEY,
    file TEXT NOT NULL,
    adopted INTEGER NOT NULL,
    bytes INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE kept (
    job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    photo TEXT NOT NULL,
    PRIMARY KEY (job, photo)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_by_photo ON kept (photo);

CREATE TABLE tasks (
    key TEXT NOT NULL PRIMARY KEY,
    task TEXT NOT NULL,
    priority INTEGER NOT NULL,
    turn INTEGER NOT NULL DEFAULT 0,
    place INTEGER NOT NULL,
    token INTEGER,
    worker TEXT,
    until INTEGER
) STRICT;
CREATE INDEX tasks_waiting ON tasks (priority, turn, place) WHERE token IS NULL;
CREATE INDEX tasks_held ON tasks (until) WHERE token IS NOT NULL;

CREATE TABLE attempts (
    key TEXT NOT NULL REFERENCES tasks (key) ON DELETE CASCADE,
    token INTEGER NOT NULL,
    failed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (key, token)
) STRICT, WITHOUT ROWID;

CREATE TABLE lines (
    priority INTEGER NOT NULL,
    client TEXT NOT NULL,
    next INTEGER NOT NULL,
    PRIMARY KEY (priority, client)
) STRICT, WITHOUT ROWID;

CREATE TABLE rounds (
    priority INTEGER NOT NULL PRIMARY KEY,
    turn INTEGER NOT NULL
) STRICT;
INSERT INTO rounds VALUES (0, 0), (1, 0);

CREATE TABLE dead (
    key TEXT NOT NULL PRIMARY KEY,
    task TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE documents (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT;

-- One row: the last number that a task's place, a lease's token or a document's revision had. None of
-- them is ever used again.
CREATE TABLE numbers (last INTEGER NOT NULL) STRICT;
INSERT INTO numbers VALUES (0);
";

/// Creates the tables of a new database.
///
/// # Errors
/// [`StoreError::UnknownLayout`] for a database of another layout, and others.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    // Locked, so that no other process can create the tables at the same time.
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: u32 = change.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match found {
        LAYOUT => {}
        0 => {
            change.execute_batch(TABLES)?;
            change.pragma_update(None, "application_id", APPLICATION)?;
            change.pragma_update(None, "user_version", LAYOUT)?;
        }
        _ => return Err(StoreError::UnknownLayout { found, known: LAYOUT }),
    }
    Ok(change.commit()?)
}

/// Returns whether a database belongs to this program.
///
/// # Errors
/// When the file is not a database.
pub(super) fn is_ours(connection: &Connection) -> Result<bool, rusqlite::Error> {
    let application: i32 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    Ok(application == APPLICATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_layout(connection: &Connection) -> Result<u32, rusqlite::Error> {
        connection.pragma_query_value(None, "user_version", |row| row.get(0))
    }

    #[test]
    fn a_database_keeps_its_rows_when_it_is_opened_again() {
        let mut connection = Connection::open_in_memory().expect("memory");
        prepare(&mut connection).expect("new");
        connection.execute("UPDATE numbers SET last = 7", []).expect("a row");
        prepare(&mut connection).expect("known");
        let last = connection.query_row("SELECT last FROM numbers", [], |row| row.get(0));
        assert_eq!((read_layout(&connection), last), (Ok(LAYOUT), Ok(7)));
    }

    #[test]
    fn another_layout_is_refused_and_left_unchanged() {
        let mut connection = Connection::open_in_memory().expect("memory");
        connection.pragma_update(None, "user_version", LAYOUT + 1).expect("a number");
        let refusal = prepare(&mut connection).expect_err("another layout");
        assert_eq!(refusal, StoreError::UnknownLayout { found: LAYOUT + 1, known: LAYOUT });
        assert!(refusal.to_string().contains("use that version"), "{refusal}");
        assert_eq!(read_layout(&connection), Ok(LAYOUT + 1));
        assert!(connection.prepare("SELECT * FROM jobs").is_err(), "no table was created");
    }

    #[test]
    fn a_creation_that_fails_half_way_leaves_no_table() {
        let mut connection = Connection::open_in_memory().expect("memory");
        connection.execute("CREATE TABLE numbers (last INTEGER)", []).expect("a table");
        prepare(&mut connection).expect_err("the table exists");
        assert!(connection.prepare("SELECT * FROM jobs").is_err(), "half of the tables are left");
        assert_eq!(read_layout(&connection), Ok(0));
    }
}
