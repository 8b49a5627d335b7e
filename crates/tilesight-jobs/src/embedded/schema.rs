//! Layout of the database, and the migration of older layouts.
//!
//! Invariant: a released layout is never changed; a change is a further entry of [`LAYOUTS`]. A
//! database of a newer program is left unchanged.

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;

/// Application id that identifies a database of this program: "Tile" in ASCII.
const APPLICATION: i32 = 0x5469_6c65;

/// Migrations: the first creates layout 1, the second turns layout 1 into layout 2, and so on.
pub(super) const LAYOUTS: &[&str] = &[FIRST, ATTEMPTS, CLIENTS, FAILURES];

/// Layout 1. Keys and ids are hex, as people see them elsewhere; times are milliseconds since 1970.
/// An item's state is 0 while it waits, 1 when it has its outcome, 2 when its job was cancelled
/// before.
const FIRST: &str = "
CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    extra TEXT NOT NULL,
    sealed INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER,
    finished INTEGER,
    total INTEGER NOT NULL DEFAULT 0,
    read INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_unfinished ON jobs (id) WHERE finished IS NULL;

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
    adopted INTEGER NOT NULL
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
    place INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    token INTEGER,
    worker TEXT,
    until INTEGER
) STRICT;
CREATE INDEX tasks_waiting ON tasks (priority, place) WHERE token IS NULL;
CREATE INDEX tasks_held ON tasks (until) WHERE token IS NOT NULL;

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

/// Layout 2: attempts are readings that began, and no longer tasks that were held. Attempts of a
/// database of layout 1 keep their number, with negative tokens, because no lease had a token below
/// 1.
const ATTEMPTS: &str = "
CREATE TABLE attempts (
    key TEXT NOT NULL REFERENCES tasks (key) ON DELETE CASCADE,
    token INTEGER NOT NULL,
    PRIMARY KEY (key, token)
) STRICT, WITHOUT ROWID;
WITH counted (n) AS (VALUES (1), (2), (3), (4))
INSERT INTO attempts SELECT key, -n FROM tasks JOIN counted ON n <= attempts;
ALTER TABLE tasks DROP COLUMN attempts;
";

/// Layout 3: the client that each job counts for, the bytes that a job keeps, and lines that
/// interleave the tasks of several clients: `turn` is the scheduling round in which a task is read,
/// and `lines` has each client's next round. Existing results are counted; existing photos are not,
/// because they are removed when their jobs end. Tasks that already wait keep their order.
const CLIENTS: &str = "
ALTER TABLE jobs ADD COLUMN client TEXT;
ALTER TABLE jobs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET client = owner, bytes = (
    SELECT coalesce(sum(octet_length(coalesce(refused, json))), 0) FROM items
    LEFT JOIN outcomes ON outcomes.key = items.key WHERE items.job = jobs.id
);
CREATE INDEX jobs_by_client ON jobs (client, bytes);
ALTER TABLE photos ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;

ALTER TABLE tasks ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
DROP INDEX tasks_waiting;
CREATE INDEX tasks_waiting ON tasks (priority, turn, place) WHERE token IS NULL;
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
";

/// Layout 4: an attempt counts against its photo only if it failed, which includes that its process
/// died while it read nothing else. Of older attempts that is not known.
const FAILURES: &str = "
ALTER TABLE attempts ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
";

/// Runs the missing migrations.
pub(super) fn bring_up_to_date(
    connection: &mut Connection,
    layouts: &[&str],
) -> Result<(), StoreError> {
    let known = u32::try_from(layouts.len()).expect("there are a few layouts");
    // Locked, so that no other process can use the database or migrate it at the same time.
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: u32 = change.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    for layout in layouts.iter().skip(found as usize) {
        change.execute_batch(layout)?;
    }
    if found < known {
        change.pragma_update(None, "application_id", APPLICATION)?;
        change.pragma_update(None, "user_version", known)?;
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

    #[test]
    fn attempts_of_the_first_layout_keep_their_number() {
        let mut connection = Connection::open_in_memory().expect("memory");
        bring_up_to_date(&mut connection, &LAYOUTS[..1]).expect("new");
        let tasks = "INSERT INTO tasks (key, task, priority, place, attempts)
            VALUES ('a', '{}', 1, 1, 0), ('b', '{}', 1, 2, 2)";
        connection.execute(tasks, []).expect("rows");
        bring_up_to_date(&mut connection, LAYOUTS).expect("older");
        let count = |key: &str| {
            let count = "SELECT count(*) FROM attempts WHERE key = ?";
            connection.query_row(count, [key], |row| row.get::<_, u32>(0)).expect("a number")
        };
        assert_eq!(["a", "b"].map(count), [0, 2]);
    }

    #[test]
    fn jobs_of_the_second_layout_are_counted() {
        let mut connection = Connection::open_in_memory().expect("memory");
        bring_up_to_date(&mut connection, &LAYOUTS[..2]).expect("new");
        let rows = "INSERT INTO jobs (id, owner, created, expires, extra) VALUES
                ('a', 'app', 0, 0, ''), ('b', NULL, 0, 0, '');
            INSERT INTO outcomes VALUES ('k', '12345');
            INSERT INTO items VALUES ('a', 0, 'x', 'k', '{}', NULL, 1),
                ('a', 1, 'y', NULL, NULL, 'ü', 1), ('a', 2, 'z', 'l', '{}', NULL, 0);
            INSERT INTO tasks (key, task, priority, place) VALUES ('l', '{}', 1, 1)";
        connection.execute_batch(rows).expect("rows");
        bring_up_to_date(&mut connection, LAYOUTS).expect("older");
        let counted = |job: &str| {
            let select = "SELECT client, bytes FROM jobs WHERE id = ?";
            let row = connection.query_row(select, [job], |row| Ok((row.get(0)?, row.get(1)?)));
            row.expect("a job")
        };
        assert_eq!(counted("a"), (Some("app".to_owned()), 7_u64));
        assert_eq!(counted("b"), (None, 0));
    }

    #[test]
    fn an_older_layout_is_brought_up_to_date_and_keeps_what_it_holds() {
        let mut connection = Connection::open_in_memory().expect("memory");
        let one = "CREATE TABLE things (name TEXT NOT NULL)";
        let two = "ALTER TABLE things ADD COLUMN size INTEGER NOT NULL DEFAULT 7";
        bring_up_to_date(&mut connection, &[one]).expect("new");
        connection.execute("INSERT INTO things VALUES ('a')", []).expect("a row");
        bring_up_to_date(&mut connection, &[one, two]).expect("older");
        bring_up_to_date(&mut connection, &[one, two]).expect("up to date");
        let row = connection.query_row("SELECT name, size FROM things", [], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))
        });
        assert_eq!(row, Ok(("a".to_owned(), 7)));
        let newer = bring_up_to_date(&mut connection, &[one]);
        assert_eq!(newer, Err(StoreError::Newer { found: 2, known: 1 }));
    }

    #[test]
    fn a_change_that_fails_half_way_leaves_the_older_layout() {
        let mut connection = Connection::open_in_memory().expect("memory");
        let one = "CREATE TABLE things (name TEXT NOT NULL)";
        bring_up_to_date(&mut connection, &[one]).expect("new");
        let broken = "CREATE TABLE others (name TEXT); ALTER TABLE nothing ADD COLUMN a";
        bring_up_to_date(&mut connection, &[one, broken]).expect_err("no such table");
        let others = connection.prepare("SELECT * FROM others");
        assert!(others.is_err(), "half of a change is left");
        drop(others);
        bring_up_to_date(&mut connection, &[one]).expect("still the older one");
    }
}
